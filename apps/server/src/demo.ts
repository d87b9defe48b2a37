import type { Session, Task, Vigil } from '@vigil/runtime';
import { DEMO_SCENARIOS, type DemoScenario } from './demo-scenarios.ts';
import type { Logger } from './logger.ts';

/** A scenario that has not come to its end by then is left as it is, in ms. */
const FINISH_WITHIN_MS = 15_000;

/** Adds the demo's tasks and sets their agents to work. Does nothing on a board that has tasks. */
export async function seedDemo(vigil: Vigil, log: Logger): Promise<void> {
  const boards = await Promise.all([vigil.listTasks({}), vigil.listTasks({ archived: true })]);
  if (boards.some(({ tasks }) => tasks.length > 0)) return;
  const tasks = new Map<string, Task>();
  const work: Promise<void>[] = [];
  for (const [index, scenario] of DEMO_SCENARIOS.entries()) {
    const dependsOn = scenario.dependsOn.map((title) => tasks.get(title)?.id).filter((id) => id !== undefined);
    const parentId = tasks.get(scenario.parent ?? '')?.id ?? null;
    const { title, description } = scenario;
    const task = await vigil.createTask({ title, description, parentId, dependsOn });
    tasks.set(title, task);
    work.push(perform({ vigil, scenario, task, position: index + 1 }));
  }
  const failed = (await Promise.allSettled(work)).filter((result) => result.status === 'rejected');
  for (const { reason } of failed) log.warn({ err: reason }, 'a part of the demo failed');
}

interface Part {
  readonly vigil: Vigil;
  readonly scenario: DemoScenario;
  readonly task: Task;
  readonly position: number;
}

async function perform({ vigil, scenario, task, position }: Part): Promise<void> {
  const sessions: Session[] = [];
  for (const { agentId, title, prompts } of scenario.sessions) {
    const session = await vigil.createSession({ taskId: task.id, agentId, title });
    sessions.push(session);
    for (const [index, text] of prompts.entries()) {
      await vigil.submit({ sessionId: session.id, text, clientKey: `demo-${session.id}-${index}` });
    }
  }
  const { ends } = scenario;
  if (ends === undefined) return;
  for (const session of sessions) await end(vigil, session.id, ends);
  if (ends === 'completed') await vigil.moveTask({ taskId: task.id, state: 'done', position });
}

/** Waits for the session's turn to end, then ends the session. */
async function end(vigil: Vigil, sessionId: string, cause: 'completed' | 'stopped'): Promise<void> {
  const signal = AbortSignal.timeout(FINISH_WITHIN_MS);
  for await (const { event } of vigil.watchSession({ sessionId, signal })) {
    if (event.type !== 'snapshot' && event.type !== 'session') continue;
    const { state, executionId } = event.session;
    if (state === 'failed') throw new Error(`expected the demo's session to end, it failed: ${event.session.error}`);
    if (state !== 'waiting_for_input' || executionId === null) continue;
    await vigil.teardown({ sessionId, executionId, cause });
    return;
  }
}
