import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EXECUTION_MARK, ProcessTable, TREE_MARK } from './process-table.ts';

describe('the table of processes', () => {
  it('[S141] is read once for all that ask at a time, and anew for those that ask while it is read', async () => {
    const table = new ProcessTable();

    const first = table.read();
    const others = Array.from({ length: 20 }, () => table.read());
    await Promise.all([first, ...others]);

    expect(table.readings).toBe(2);
    await table.read();
    expect(table.readings).toBe(3);
  });

  it('[S141] tells the marks of a process from its first moment on, and forgets it once it is gone', async () => {
    const table = new ProcessTable();
    const env = { ...process.env, [TREE_MARK]: 'tree', [EXECUTION_MARK]: 'execution' };
    const child = spawn(process.execPath, ['-e', "console.log('up'); setInterval(() => {}, 1000)"], { env });
    await once(child.stdout, 'data');
    const find = async () => (await table.read()).find((one) => one.pid === child.pid);

    expect(await find()).toMatchObject({ parent: process.pid, tree: 'tree', execution: 'execution' });
    expect(await find()).toMatchObject({ tree: 'tree', execution: 'execution' });
    expect((await table.read()).find((one) => one.pid === process.pid)?.execution).toBeNull();

    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(await find()).toBeUndefined();
  });
});
