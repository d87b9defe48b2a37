import { type Directive, type Lifetime, parseScript } from './directive.ts';
import { elapse } from './duration.ts';
import { identity } from './identity.ts';
import { type Fields, pickString } from './json.ts';
import { playRecording } from './recording.ts';
import { runWork, type Session } from './session.ts';
import type { Stage } from './stage.ts';
import type { Speech } from './surface.ts';
import type { Call, CallOutcome, StopReason, Turn } from './turn.ts';
import { RpcError } from './wire.ts';
import type { Work } from './work.ts';

/** What the script does after a step. */
type Next = 'on' | 'end';

/** Longest piece of text that is sent as one chunk. */
const CHUNK = 48;

/** Plays a turn: a wake's line, the canned answer, or the script of its prompt. */
export async function perform(session: Session, turn: Turn): Promise<StopReason> {
  const stage: Stage = { session, turn };
  const { origin } = turn;
  if (origin.kind === 'wake') await wake(stage, origin.work);
  else if (origin.kind === 'event') say(stage, `event ${origin.count} of ${origin.work.name}`);
  else await performPrompt(stage, origin.text);
  return stage.turn.cancel.signal.aborted ? 'cancelled' : 'end_turn';
}

/** A wake that lingers goes on until its gate is released. */
async function wake({ session, turn }: Stage, work: Work): Promise<void> {
  say({ session, turn }, `woken by ${work.name}`);
  if (work.lingers) await session.world.gates.wait(`${work.name}.woken`, turn.cancel.signal);
}

async function performPrompt(stage: Stage, text: string): Promise<void> {
  const script = parseScript(text);
  if (script.kind === 'text') {
    // Two chunks, so that a client that does not join them is noticed.
    const messageId = identity.message();
    speak(stage, { kind: 'message', messageId, text: 'This is the mock agent. ' });
    return speak(stage, { kind: 'message', messageId, text: 'A prompt that begins with a slash is a script.' });
  }
  for (const step of script.steps) {
    // Gives a cancel that is already on the wire its chance between two steps.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (stage.turn.cancel.signal.aborted || (await performStep(stage, step)) === 'end') return;
  }
  if (script.steps.at(-1)?.kind === 'idle' && stage.turn.yielded) await stage.session.quiet(stage.turn);
}

async function performStep(stage: Stage, step: Directive): Promise<Next> {
  const { signal } = stage.turn.cancel;
  switch (step.kind) {
    case 'say':
      return say(stage, step.text);
    case 'think':
      return say(stage, step.text, 'thought');
    case 'invalid':
      say(stage, step.message);
      return 'end';
    case 'plan':
      stage.session.world.surface.planned(stage.turn, step.entries);
      return 'on';
    case 'wait':
      await elapse(step.milliseconds, signal);
      return 'on';
    case 'gate':
      await stage.session.world.gates.wait(step.name, signal);
      return 'on';
    case 'idle':
      return idle(stage);
    case 'end':
      return 'end';
    case 'crash':
      process.stderr.write('mock agent: crashed as the script says\n');
      return process.exit(70);
    case 'hang':
      stage.turn.hung = true;
      process.stderr.write('mock agent: hangs as the script says\n');
      return new Promise<Next>(() => {});
    default:
      return performWork(stage, step);
  }
}

type WorkStep = Extract<
  Directive,
  {
    kind: 'tool' | 'shell' | 'subagent' | 'monitor' | 'permission' | 'ask' | 'lose' | 'duplicate' | 'linger' | 'replay';
  }
>;

async function performWork(stage: Stage, step: WorkStep): Promise<Next> {
  switch (step.kind) {
    case 'tool':
      return runTool(stage, step);
    case 'permission':
      return requestPermission(stage, step.title);
    case 'ask':
      return ask(stage, step.question);
    case 'replay':
      return playRecording(stage, step.file);
    case 'lose':
    case 'duplicate':
    case 'linger':
      return mark(stage, step.kind, step.name);
    case 'subagent':
      return step.foreground ? delegate(stage, step) : launch(stage, step);
    default:
      return launch(stage, step);
  }
}

/** Says a line in one message, in chunks at word boundaries. */
function say(stage: Stage, text: string, kind: 'message' | 'thought' = 'message'): Next {
  const messageId = identity.message();
  for (let rest = text; rest !== ''; ) {
    const space = rest.length <= CHUNK ? -1 : rest.indexOf(' ', CHUNK);
    const end = space === -1 ? rest.length : space;
    speak(stage, { kind, messageId, text: rest.slice(0, end) });
    rest = rest.slice(end);
  }
  return 'on';
}

function speak(stage: Stage, speech: Speech): void {
  stage.turn.spoke = true;
  stage.session.world.surface.said(stage.turn, speech);
  stage.session.record(speech);
}

function idle(stage: Stage): Next {
  const { surface } = stage.session.world;
  stage.turn.spoke = false;
  surface.idled(stage.turn);
  if (surface.handsOff) stage.session.yieldForeground(stage.turn);
  return 'on';
}

function open(stage: Stage, call: Call): Call {
  stage.turn.spoke = true;
  stage.turn.calls.set(call.id, call);
  stage.session.world.surface.callOpened(stage.turn, call);
  return call;
}

function close(stage: Stage, call: Call, outcome: CallOutcome): void {
  // Calls that are still open when a turn was cancelled are closed by its end.
  if (stage.turn.cancel.signal.aborted) return;
  stage.turn.calls.delete(call.id);
  stage.session.world.surface.callClosed(stage.turn, call, outcome);
  const { id, title, tool, kind, input } = call;
  stage.session.record({ kind: 'call', id, title, tool, toolKind: kind, input, ...outcome });
}

function command(title: string): Call {
  const input: Fields = { command: title, description: title };
  return { id: identity.toolCall(), title, tool: 'Bash', kind: 'execute', input };
}

async function runTool(stage: Stage, step: Extract<Directive, { kind: 'tool' }>): Promise<Next> {
  const call = open(stage, command(step.title));
  await elapse(step.milliseconds, stage.turn.cancel.signal);
  close(stage, call, { status: step.fails ? 'failed' : 'completed', output: step.fails ? 'Exit code 1' : 'done' });
  return 'on';
}

async function requestPermission(stage: Stage, title: string): Promise<Next> {
  const { surface, wire } = stage.session.world;
  const call = open(stage, command(title));
  surface.awaitedUser(stage.turn, true);
  const answer = await wire.request(
    'session/request_permission',
    surface.permission(stage.turn, call),
    stage.turn.cancel.signal,
  );
  if (stage.turn.cancel.signal.aborted) return 'end';
  surface.awaitedUser(stage.turn, false);
  const option = answer instanceof RpcError ? undefined : pickString(answer, 'outcome', 'optionId');
  if (option?.startsWith('allow') === true) close(stage, call, { status: 'completed', output: 'done' });
  else close(stage, call, { status: 'failed', output: 'User refused permission to run tool', refused: true });
  return 'on';
}

async function ask(stage: Stage, question: string): Promise<Next> {
  const { surface, wire, asksForms } = stage.session.world;
  if (!asksForms)
    return say(stage, `Expected a client that advertises form elicitation; it was not asked: ${question}`);
  const input: Fields = { questions: [{ question, header: 'Question', multiSelect: false, options: [] }] };
  const call = open(stage, { id: identity.toolCall(), title: question, tool: 'AskUserQuestion', kind: 'other', input });
  surface.awaitedUser(stage.turn, true);
  const requestedSchema: Fields = {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer' } },
    required: ['answer'],
  };
  const form: Fields = {
    mode: 'form',
    sessionId: stage.session.id,
    toolCallId: call.id,
    message: question,
    requestedSchema,
  };
  const answer = await wire.request('elicitation/create', form, stage.turn.cancel.signal);
  if (stage.turn.cancel.signal.aborted) return 'end';
  surface.awaitedUser(stage.turn, false);
  const accepted = !(answer instanceof RpcError) && answer.action === 'accept';
  const text = accepted ? `answered: ${pickString(answer, 'content', 'answer') ?? ''}` : 'not answered';
  close(stage, call, { status: accepted ? 'completed' : 'failed', output: text });
  return say(stage, text);
}

function milliseconds(lifetime: Lifetime): number | undefined {
  return lifetime.kind === 'time' ? lifetime.milliseconds : undefined;
}

type LaunchStep = Extract<Directive, { kind: 'shell' | 'subagent' | 'monitor' }>;

function start(stage: Stage, step: LaunchStep, detached: boolean): Work | undefined {
  const { kind, name } = step;
  const exitCode = step.kind === 'shell' ? step.exitCode : 0;
  const work = stage.session.launch(stage.turn, {
    kind,
    name,
    detached,
    exitCode,
    milliseconds: milliseconds(step.lifetime),
  });
  stage.turn.spoke = true;
  if (work === undefined) say(stage, 'Expected less live work in one session; nothing was started');
  return work;
}

function launch(stage: Stage, step: LaunchStep): Next {
  const work = start(stage, step, true);
  if (work === undefined) return 'end';
  const ends = runWork(stage.session, work, step.kind === 'monitor' ? step.every : undefined);
  void ends.then(() => {
    if (!work.stop.signal.aborted) stage.session.settle(work, work.exitCode === 0 ? 'completed' : 'failed');
  });
  return 'on';
}

async function delegate(stage: Stage, step: Extract<Directive, { kind: 'subagent' }>): Promise<Next> {
  const work = start(stage, step, false);
  if (work === undefined) return 'end';
  const stop = () => work.stop.abort();
  stage.turn.cancel.signal.addEventListener('abort', stop, { once: true });
  await runWork(stage.session, work);
  stage.turn.cancel.signal.removeEventListener('abort', stop);
  work.status = work.stop.signal.aborted ? 'killed' : 'completed';
  if (!work.lost) stage.session.world.surface.returned(stage.turn, work);
  return 'on';
}

function mark(stage: Stage, kind: 'lose' | 'duplicate' | 'linger', name: string): Next {
  const works = liveNamed(stage.session, name);
  if (works.length === 0) {
    say(stage, `Expected the name of live work; got: ${name}`);
    return 'end';
  }
  for (const work of works) {
    if (kind === 'lose') work.lost = true;
    else if (kind === 'duplicate') work.duplicated = true;
    else work.lingers = true;
  }
  return 'on';
}

function liveNamed(session: Session, name: string): readonly Work[] {
  return [...session.works.values()].filter((work) => work.name === name && work.status === 'running');
}
