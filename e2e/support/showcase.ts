import { expect } from '@playwright/test';
import type { Session, Task, TaskState, VigilClient } from '@vigil/client';
import type { MockAgent } from './workspace.ts';

interface Scene {
  readonly title: string;
  readonly description?: string;
  readonly agentId: MockAgent;
  readonly prompts: readonly (readonly string[])[];
  /** What the session must have come to before anyone looks. */
  readonly until: (session: Session) => boolean;
  readonly column?: TaskState;
}

export const SCENES = {
  generating: 'Move the lexer out of the parser',
  background: 'Build the Docker image',
  permission: 'Publish the packages',
  question: 'Choose a database',
  failed: 'Migrate the settings',
} as const;

const asks = (session: Session) => session.pendingRequests.length > 0;
const background = (session: Session) => session.foregroundActivity === 'background';
const settled = (session: Session) => session.state === 'waiting_for_input';

const SHOWCASE: readonly Scene[] = [
  {
    title: SCENES.generating,
    description: 'They share state today. Afterwards each can be tested alone.',
    agentId: 'mock',
    prompts: [
      [
        '/think The parser and the lexer share state; I separate them first.',
        '/plan Read the parser; Move the lexer; Run the tests',
        '/tool Read src/parser.ts',
        '/say The lexer keeps **no state** of its own: `next()` reads from the parser. I am moving it now, with its tests.',
        '/tool Edit src/lexer.ts',
        '/tool Edit src/parser.ts',
        '/tool Run the lexer tests fails',
        '/say One test still reads `parser.position`. That belongs to the lexer now, so the test asks the lexer.',
        '/tool Edit test/lexer.test.ts',
        '/tool Run the lexer tests',
        '/say All 42 pass. A subagent looks for other uses of `parser.position` in the formatter and in the language server.',
        '/subagent find-uses until released foreground',
      ],
      ['Then write a line for the changelog.'],
    ],
    until: (session) => session.workloads.length > 0,
  },
  {
    title: SCENES.background,
    agentId: 'mock-v2',
    prompts: [
      ['/say I started the build and tell you when it is through.', '/shell docker-build until released', '/end'],
    ],
    until: background,
  },
  {
    title: 'Review the open pull requests',
    agentId: 'mock-hermes',
    prompts: [
      ['/say Two reviewers read.', '/subagent pull-41 until released', '/subagent pull-42 until released', '/end'],
    ],
    until: background,
  },
  {
    title: SCENES.permission,
    agentId: 'mock',
    prompts: [['/say Everything is ready.', '/permission Run npm publish']],
    until: asks,
  },
  { title: SCENES.question, agentId: 'mock', prompts: [['/ask Which database do you want?']], until: asks },
  {
    title: SCENES.failed,
    agentId: 'mock',
    prompts: [['/say Reading the old settings.', '/crash']],
    until: (session) => session.state === 'failed',
    column: 'review',
  },
  {
    title: 'Explain the cache',
    agentId: 'mock-v2',
    prompts: [['/tool Read src/cache.ts', '/say It keeps 1,000 entries and drops the oldest.']],
    until: settled,
    column: 'review',
  },
  { title: 'Fix the login page', agentId: 'mock', prompts: [['/say Fixed.']], until: settled, column: 'done' },
  { title: 'Plan the next release', agentId: 'mock', prompts: [], until: () => true },
];

export type Showcase = ReadonlyMap<string, Task>;

/** Fills a board with tasks in every state; each stays as it is, because nobody releases its gates. */
export async function seedShowcase({ api }: VigilClient): Promise<Showcase> {
  const tasks = new Map<string, Task>();
  for (const [index, scene] of SHOWCASE.entries()) {
    const { title, description = '', agentId } = scene;
    const task = await api.task.create.mutate({ title, description });
    const { id: sessionId } = await api.session.create.mutate({ taskId: task.id, agentId });
    for (const [at, lines] of scene.prompts.entries()) {
      await api.session.submit.mutate({ sessionId, text: lines.join('\n'), clientKey: `showcase-${sessionId}-${at}` });
    }
    await expect
      .poll(async () => scene.until((await api.session.get.query({ sessionId })).session), { message: title })
      .toBe(true);
    if (scene.column !== undefined) {
      await api.task.move.mutate({ taskId: task.id, state: scene.column, position: index + 1 });
    }
    tasks.set(title, task);
  }
  return tasks;
}
