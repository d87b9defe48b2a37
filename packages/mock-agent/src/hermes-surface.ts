import type { Fields, Json } from './json.ts';
import { pick } from './json.ts';
import type { Outlet } from './surface.ts';
import type { Conversation, StopReason, Turn } from './turn.ts';
import { terminals, V1Surface } from './v1-surface.ts';
import type { Work } from './work.ts';

/** Hermes: ACP v1, and run boundaries with a roster for a client that opted in. */
export class HermesSurface extends V1Surface {
  readonly #optedIn: boolean;

  constructor(outlet: Outlet, client: Fields) {
    super(outlet);
    this.#optedIn = optedIn(client);
  }

  override opened(session: Conversation, how: 'new' | 'resumed'): void {
    if (how === 'resumed') this.#snapshot(session);
  }

  override began(turn: Turn): void {
    super.began(turn);
    this.#running(turn);
  }

  override idled(turn: Turn): void {
    this.#idle(turn, 'end_turn');
  }

  override ended(turn: Turn, stopReason: StopReason): void {
    this.#idle(turn, stopReason);
    super.ended(turn, stopReason);
  }

  override launched(turn: Turn, work: Work): void {
    super.launched(turn, work);
    if (work.detached) this.#running(turn);
  }

  override finished(session: Conversation, work: Work): void {
    for (let time = 0; time < terminals(work); time++) this.#snapshot(session);
  }

  #snapshot(session: Conversation): void {
    if (session.active === undefined) this.#report(session, { state: 'idle' });
    else this.#running(session.active);
  }

  #running(turn: Turn): void {
    const origin: Fields = turn.origin.kind === 'human' ? {} : { origin: turn.origin.kind };
    this.#report(turn.session, { state: 'running', _meta: { runId: turn.runId, ...origin } });
  }

  #idle(turn: Turn, stopReason: StopReason): void {
    this.#report(turn.session, { state: 'idle', stopReason, _meta: { runId: turn.runId } });
  }

  #report(session: Conversation, report: Fields): void {
    if (!this.#optedIn) return;
    const works = [...session.works.values()].filter((work) => work.detached);
    const { _meta, ...state } = report;
    const meta: Fields = _meta === undefined ? {} : { _meta };
    const background = works.map(item);
    this.outlet.notify('_hermes-agent/state_update', { sessionId: session.id, ...state, background, ...meta });
  }
}

function item(work: Work): Fields {
  const { taskId: id, name: title } = work;
  if (work.status === 'running') return { type: 'process', id, title, status: 'running' };
  // A process that was killed ended by a signal, which counts as failed.
  const exitCode = work.status === 'killed' ? 143 : work.exitCode;
  return { type: 'process', id, title, status: exitCode === 0 ? 'completed' : 'failed', exitCode };
}

/** The opt-in of S124: a JSON integer of at least 1 under either name. */
function optedIn(client: Fields): boolean {
  const meta = pick(client, 'clientCapabilities', '_meta');
  return ['hermes-agent', 'bb.dev'].some((name) => isVersion(pick(meta, name, 'stateUpdate')));
}

function isVersion(value: Json | undefined): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}
