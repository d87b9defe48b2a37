import type { RequestEvent, RequestOutcome } from '@vigil/acp';
import type { OpenRequest, SessionEntry } from './entries.ts';
import { VigilError } from './errors.ts';
import type { Execution } from './execution.ts';
import type { Runtime } from './runtime.ts';

/** Opens and closes pending requests as the agent says (S132). */
export function takeRequests(runtime: Runtime, execution: Execution, events: readonly RequestEvent[]): void {
  if (events.length === 0 || execution.facts !== null) return;
  const { entry } = execution;
  for (const event of events) {
    if (event.type === 'opened') open(runtime, execution, event);
    else close(runtime, entry, { id: idOf(execution, event.id), outcome: 'closed' });
  }
  runtime.board.touchSession(entry);
}

const idOf = (execution: Execution, agentRequestId: string): string => `${execution.id}.${agentRequestId}`;

function open(runtime: Runtime, execution: Execution, event: Extract<RequestEvent, { type: 'opened' }>): void {
  const { request } = event;
  const opened: OpenRequest = {
    id: idOf(execution, request.id),
    agentRequestId: request.id,
    executionId: execution.id,
    kind: request.kind,
    title: request.title,
    detail: request.detail,
    askedBy: request.askedBy,
    background: request.background,
    options: request.options.map((option) => ({ ...option })),
    schema: request.schema ?? null,
    createdAt: new Date(runtime.deps.now()).toISOString(),
  };
  execution.entry.requests.set(opened.id, opened);
  runtime.records.requestOpened(execution.entry, opened);
}

function close(runtime: Runtime, entry: SessionEntry, how: { id: string; outcome: string }): boolean {
  if (!entry.requests.delete(how.id)) return false;
  runtime.records.requestClosed(how.id, how.outcome);
  return true;
}

/** Closes what can no longer be answered. */
export function closeRequests(runtime: Runtime, entry: SessionEntry, which: (request: OpenRequest) => boolean): void {
  const closed = [...entry.requests.values()].filter(which);
  for (const { id } of closed) close(runtime, entry, { id, outcome: 'closed' });
  if (closed.length > 0) runtime.board.touchSession(entry);
}

/** A cancel answers what the foreground asked; a detached child's request stays (S132). */
export function cancelRequests(runtime: Runtime, execution: Execution): void {
  const { entry } = execution;
  const asked = [...entry.requests.values()].filter((one) => !one.background && one.executionId === execution.id);
  for (const { id, agentRequestId } of asked) {
    close(runtime, entry, { id, outcome: 'cancelled' });
    execution.connection?.respond(agentRequestId, { cancelled: true });
  }
  if (asked.length > 0) runtime.board.touchSession(entry);
}

/** Answers a pending request; the first answer counts. */
export function respond(
  runtime: Runtime,
  input: { sessionId: string; requestId: string; outcome: RequestOutcome },
): { outcome: 'answered' } {
  const entry = runtime.board.session(input.sessionId);
  const request = entry.requests.get(input.requestId);
  const execution = request === undefined ? undefined : runtime.executions.get(request.executionId);
  if (request === undefined || execution?.connection == null) throw notOpen(input.requestId);
  checkOutcome(request, input.outcome);
  const answered = execution.connection.respond(request.agentRequestId, input.outcome);
  close(runtime, entry, { id: request.id, outcome: answered ? outcomeName(input.outcome) : 'closed' });
  runtime.board.touchSession(entry);
  if (!answered) throw notOpen(input.requestId);
  return { outcome: 'answered' };
}

function notOpen(requestId: string): VigilError {
  const message = `Request ${requestId} is not open: it was answered, withdrawn, or its agent ended. Read the session's pendingRequests.`;
  return new VigilError('conflict', message, { reason: 'request_closed' });
}

function outcomeName(outcome: RequestOutcome): string {
  if ('optionId' in outcome) return `option:${outcome.optionId}`;
  return 'answers' in outcome ? 'answers' : 'cancelled';
}

/** An answer of the wrong kind is refused and the request stays open: the agent still waits for a right one. */
function checkOutcome(request: OpenRequest, outcome: RequestOutcome): void {
  if ('cancelled' in outcome) return;
  const fits =
    request.kind === 'clarification'
      ? 'answers' in outcome
      : 'optionId' in outcome && request.options.some((option) => option.id === outcome.optionId);
  if (fits) return;
  const options = request.options.map((option) => option.id).join(', ') || 'it has none';
  const expected = request.kind === 'clarification' ? 'answers' : `an option of the request (${options})`;
  const got = 'optionId' in outcome ? `option ${outcome.optionId}` : 'answers';
  throw new VigilError('bad_input', `Expected ${expected}, or cancelled; got ${got}. The request is still open.`);
}
