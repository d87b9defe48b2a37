import type { Fact } from '@vigil/liveness';
import { ended, roster, started } from './evidence.ts';
import type { Piece } from './plans.ts';
import { endOf, type FakeProcess, type Frame, type Prompted, taken } from './process.ts';

/** What a provider says of a prompt that was written, by the plan of its turn. */
export function play(process: FakeProcess, prompt: Prompted): void {
  const { plan } = prompt;
  process.onStopped = (name) => process.say(workEnded(process, name));
  if (plan.answer === 'mute') return;
  if (plan.answer === 'takes') process.say(...turnOf(process, prompt));
  else process.say(refusal(process, prompt), idle(process));
}

function turnOf(process: FakeProcess, prompt: Prompted): Frame[] {
  const { plan, generation } = prompt;
  const frames: Frame[] = [
    {
      name: `accept ${prompt.text}`,
      facts: [{ kind: 'prompt.accepted', generation }],
      after: () => taken(process, prompt),
      of: prompt,
    },
  ];
  if (process.surface === 'lists') frames.push(began(process, prompt));
  for (const piece of plan.pieces)
    frames.push(...say(process, prompt, piece).map((frame) => ({ ...frame, of: prompt })));
  if (plan.ends) frames.push(endOf(process, prompt, 'end_turn'));
  return frames;
}

function began(process: FakeProcess, { generation, text }: Prompted): Frame {
  const runId = process.name('run');
  return {
    name: `begin ${text}`,
    facts: [
      { kind: 'prompt.begun', generation },
      { kind: 'foreground', level: 'state', state: 'running', runId },
    ],
  };
}

function refusal(process: FakeProcess, prompt: Prompted): Frame {
  const { generation, plan, text } = prompt;
  const receipt = { accepted: false, busy: plan.answer === 'busy', message: plan.answer } as const;
  return {
    name: `${plan.answer} ${text}`,
    facts: [{ kind: 'prompt.rejected', generation }],
    after: () => process.over(prompt, receipt),
    of: prompt,
  };
}

/** Evidence that it is free (S83). */
export function idle(process: FakeProcess): Frame {
  const fact: Fact =
    process.surface === 'lists' ? { kind: 'foreground', level: 'state', state: 'idle' } : { kind: 'cycle.closed' };
  return { name: 'idle', facts: [fact] };
}

function say(process: FakeProcess, prompt: Prompted, piece: Piece): Frame[] {
  switch (piece) {
    case 'output':
      return [output(process)];
    case 'tool':
      return toolCall(process);
    case 'work':
      return [workStarted(process, 'subagent')];
    case 'shell':
      return [workStarted(process, 'shell')];
    case 'work ends':
      return [workEnds(process)];
    case 'permission':
      return ask(process, 'permission');
    case 'form':
      return ask(process, 'clarification');
    case 'yield':
      return process.surface === 'claude' ? [yielded(prompt)] : [];
    case 'crash':
      return [{ name: 'crash', after: () => crash(process) }];
  }
}

export function crash(process: FakeProcess): void {
  process.die({ code: 1, signal: null, stderr: 'boom', reason: null });
}

export function output(process: FakeProcess): Frame {
  const id = process.name('message');
  const message = { type: 'message', id, role: 'assistant', text: `text of ${id}`, mode: 'append' } as const;
  return { name: id, facts: [{ kind: 'output' }], transcript: [message] };
}

function toolCall(process: FakeProcess): Frame[] {
  const id = process.name('tool');
  const fact = { kind: 'tool', toolCallId: id, child: false } as const;
  return [
    {
      name: id,
      facts: [{ ...fact, opens: true, closed: false }],
      transcript: [{ type: 'tool', id, title: id, status: 'in_progress' }],
    },
    {
      name: `${id} ends`,
      facts: [{ ...fact, opens: false, closed: true, content: true }],
      transcript: [{ type: 'tool', id, status: 'completed' }],
    },
  ];
}

function workStarted(process: FakeProcess, kind: 'subagent' | 'shell'): Frame {
  const name = process.name(kind);
  const listed = () => [...process.work].map(([each, of]) => ({ name: each, kind: of }));
  return {
    name: `${name} starts`,
    get facts() {
      process.work.set(name, kind);
      return process.surface === 'lists' ? [roster(listed())] : [started(name, kind)];
    },
  };
}

/** The oldest work ends. */
export function workEnds(process: FakeProcess): Frame {
  return {
    name: 'work ends',
    get facts() {
      const [name] = process.work.keys();
      if (name === undefined) return [];
      process.work.delete(name);
      return [endFact(process, name)];
    },
  };
}

const workEnded = (process: FakeProcess, name: string): Frame => ({
  name: `${name} ends`,
  facts: [endFact(process, name)],
});

function endFact(process: FakeProcess, name: string): Fact {
  if (process.surface !== 'lists') return ended(name);
  return roster([...process.work].map(([each, kind]) => ({ name: each, kind })));
}

/** Nothing more is said until it was answered. */
function ask(process: FakeProcess, kind: 'permission' | 'clarification'): Frame[] {
  const id = process.name('request');
  const options = kind === 'permission' ? [{ id: 'yes', kind: 'allow_once', label: 'Yes' }] : [];
  const request = { id, kind, title: id, detail: null, askedBy: null, background: false, options, schema: null };
  return [
    { name: `ask ${id}`, opens: { type: 'opened', request } },
    { name: `${id} answered`, waitsFor: id },
  ];
}

const yielded = (prompt: Prompted): Frame => ({
  name: 'yield',
  facts: [{ kind: 'yielded', generation: prompt.generation }],
  after: () => {
    prompt.yielded = true;
  },
});

/** A cycle that nobody prompted. */
export function wake(process: FakeProcess): void {
  if (process.surface === 'plain') process.say(output(process));
  if (process.surface === 'claude') process.say(workEnds(process), output(process), idle(process));
  if (process.surface !== 'lists' || process.openPrompts.length > 0) return;
  const runId = process.name('run');
  const running: Fact = { kind: 'foreground', level: 'state', state: 'running', runId, agentInitiated: true };
  process.say({ name: 'wakes', facts: [running] }, output(process), idle(process));
}
