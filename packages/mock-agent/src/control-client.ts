import { ControlFolder } from './control-folder.ts';
import type { Fields } from './json.ts';
import { callControl } from './loopback.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Releases a gate of the mock agents behind a control port (`MOCK_AGENT_CONTROL_PORT`) or folder
 * (`MOCK_AGENT_CONTROL_DIR`). Returns how many waits it ended; 0 means that it is kept for the next one.
 */
export async function releaseGate(target: number | string, name: string): Promise<number> {
  if (!NAME.test(name)) throw new Error(`Expected the name of a gate; got: ${name}`);
  if (typeof target === 'string') return new ControlFolder(target).release(name);
  const answer = await callControl({ port: target, method: 'POST', path: `/release/${encodeURIComponent(name)}` });
  return typeof answer.woken === 'number' ? answer.woken : 0;
}

/** The states (`GET /state`) of the mock agents behind a control port or folder. */
export async function readMockStates(target: number | string): Promise<readonly Fields[]> {
  const ports = typeof target === 'string' ? new ControlFolder(target).ports() : [target];
  const states = ports.map((port) => callControl({ port, method: 'GET', path: '/state' }).catch(() => undefined));
  return (await Promise.all(states)).filter((state) => state !== undefined);
}
