import { openTestDatabases } from '@vigil/db/testing';
import { describe, expect, test } from 'vitest';
import { type Bench, startBench } from './bench.ts';
import { FakeAgents } from './fake-agent.ts';
import { gatedDatabase } from './gated-database.ts';
import { eventually } from './settle.ts';

describe.each(openTestDatabases())('on $kind, a server that dies after a prompt was stored', ({ missing, open }) => {
  /** The first life stores `text` and never answers; resolves with the second life, on the same database. */
  async function dies(text: string, how: { queued: boolean; strict?: boolean }) {
    const agents = new FakeAgents();
    const gated = gatedDatabase(await open());
    const first = await startBench({ database: gated.database, deps: { openAgent: agents.open } });
    const session = await first.session();
    if (how.queued) {
      await first.vigil.submit({ sessionId: session.id, text: 'before', clientKey: 'before' });
      (await eventually(() => agents.opened[0]?.prompts[0])).answer({ accepted: true });
      await first.until(session.id, 'running');
    }
    const held = gated.hold('enqueue', 'after');
    const told: unknown[] = [];
    const asked = how.strict
      ? first.vigil.prompt({ sessionId: session.id, text })
      : first.vigil.submit({ sessionId: session.id, text, clientKey: 'key' });
    void asked.then((answer) => told.push(answer)).catch(() => undefined);
    await held.reached;
    const second = await first.restart();
    expect(told).toEqual([]);
    const written = () => agents.opened.flatMap((agent) => agent.prompts.map((one) => one.text));
    const end = async (bench: Bench) => {
      await bench.vigil.close();
      held.release();
      await first.close();
    };
    return { sessionId: session.id, second, agents, written, end };
  }

  test('[S80] hard case 17: has queued it: the same key names the same message, which is delivered once', async (context) => {
    if (missing !== null) return context.skip(missing);
    const { sessionId, second, agents, written, end } = await dies('text', { queued: true });
    const delivered = await eventually(() => agents.opened[1]?.prompts[0]);
    const again = await second.vigil.submit({ sessionId, text: 'text', clientKey: 'key' });
    const rows = [await second.database.prompts.findByKey(sessionId, 'key')];
    expect(rows).toMatchObject([{ id: again.messageId, text: 'text' }]);
    delivered.answer({ accepted: true });
    await eventually(async () => (await second.database.prompts.get(again.messageId))?.status === 'delivered');
    const same = await second.vigil.submit({ sessionId, text: 'text', clientKey: 'key' });
    expect(same).toMatchObject({ outcome: 'dispatched', messageId: again.messageId });
    expect(written()).toEqual(['before', 'text']);
    await end(second);
  });

  test('[S80, S141] was about to start an agent for it: it goes once, and the key says so', async (context) => {
    if (missing !== null) return context.skip(missing);
    const { sessionId, second, agents, written, end } = await dies('text', { queued: false });
    (await eventually(() => agents.opened.at(-1)?.prompts[0])).answer({ accepted: true });
    const same = await second.vigil.submit({ sessionId, text: 'text', clientKey: 'key' });
    expect(same).toMatchObject({ outcome: 'dispatched' });
    expect(written()).toEqual(['text']);
    await end(second);
  });

  test('[S80, S141] took it in the strict form: it is not sent, nor kept, since its caller heard of a failure', async (context) => {
    if (missing !== null) return context.skip(missing);
    const { sessionId, second, written, end } = await dies('text', { queued: false, strict: true });
    const { session, queue } = await second.vigil.getSession(sessionId);
    expect([session.state, session.stopReason, queue]).toEqual(['idle', 'interrupted', { autoRun: true, entries: [] }]);
    await second.vigil.setAutoRun({ sessionId, on: true });
    expect(written()).toEqual([]);
    await end(second);
  });

  test('[S80, S141] had sent a strict one: that is dropped, and the backlog behind it drains', async (context) => {
    if (missing !== null) return context.skip(missing);
    const agents = new FakeAgents();
    const first = await startBench({ database: await open(), deps: { openAgent: agents.open } });
    const { id: sessionId } = await first.session();
    void first.vigil.prompt({ sessionId, text: 'strict' }).catch(() => undefined);
    await eventually(() => agents.opened[0]?.prompts[0]);
    await first.vigil.submit({ sessionId, text: 'behind', clientKey: 'behind' });
    const second = await first.restart();
    expect((await eventually(() => agents.opened[1]?.prompts[0])).text).toBe('behind');
    await second.vigil.close();
    await first.close();
  });
});
