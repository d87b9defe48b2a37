import type { TaskState } from '@vigil/runtime';

/** One task of the demo. Prompts are scripts for the mock agent; the lifecycle they play is the real one. */
export interface DemoScenario {
  readonly title: string;
  readonly description: string;
  readonly column: TaskState;
  /** Title of an earlier scenario. */
  readonly parent?: string;
  /** Titles of earlier scenarios. */
  readonly dependsOn: readonly string[];
  readonly sessions: readonly DemoSession[];
}

export interface DemoSession {
  readonly agentId: 'mock' | 'mock-v2' | 'mock-hermes';
  readonly title: string;
  readonly prompts: readonly string[];
}

const lines = (...text: readonly string[]): string => text.join('\n');

/** Every state that a task can show, one task each. */
export const DEMO_SCENARIOS: readonly DemoScenario[] = [
  {
    title: 'Release 2.0',
    description: 'Generating: the agent works in the foreground for ten minutes.',
    column: 'in_progress',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock',
        title: 'Refactor the parser',
        prompts: [
          lines(
            '/think The parser and the lexer share state; I will separate them first.',
            '/plan Read the parser; Separate the lexer; Run the tests',
            '/tool Read src/parser.ts for 1s',
            '/say The lexer can move to a file of its own. I am doing that now.',
            '/tool Edit src/lexer.ts for 600s',
            '/say Done.',
          ),
        ],
      },
    ],
  },
  {
    title: 'Build the Docker image',
    description: 'Background: the turn is over, a shell goes on for ten minutes, and the agent reports it itself.',
    column: 'in_progress',
    parent: 'Release 2.0',
    dependsOn: ['Release 2.0'],
    sessions: [
      {
        agentId: 'mock-v2',
        title: 'Image',
        prompts: [
          lines(
            '/say I started the build and will tell you when it is through.',
            '/shell docker build for 600s',
            '/end',
          ),
        ],
      },
    ],
  },
  {
    title: 'Review the open pull requests',
    description: 'Background with two subagents, and one that has finished.',
    column: 'in_progress',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock-hermes',
        title: 'Review',
        prompts: [
          lines(
            '/say Two reviewers are reading; I am free meanwhile.',
            '/subagent reviewer of #41 for 600s',
            '/subagent reviewer of #42 for 600s',
            '/end',
          ),
        ],
      },
    ],
  },
  {
    title: 'Publish the packages',
    description: 'A permission is asked for. Answer it on the task page.',
    column: 'in_progress',
    parent: 'Release 2.0',
    dependsOn: ['Build the Docker image'],
    sessions: [
      {
        agentId: 'mock',
        title: 'Publish',
        prompts: [lines('/say Everything is ready.', '/permission Run npm publish', '/say Published.')],
      },
    ],
  },
  {
    title: 'Choose a database',
    description: 'A question waits for your answer.',
    column: 'in_progress',
    dependsOn: [],
    sessions: [
      { agentId: 'mock', title: 'Database', prompts: [lines('/ask Which database do you want?', '/say Noted.')] },
    ],
  },
  {
    title: 'Write the changelog',
    description: 'A prompt is queued: it runs when the turn at work ends.',
    column: 'in_progress',
    parent: 'Release 2.0',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock',
        title: 'Changelog',
        prompts: [lines('/tool Read the history for 600s', '/say That is all.'), 'Then translate it into German.'],
      },
    ],
  },
  {
    title: 'Migrate the settings',
    description: 'Failed: the agent died during its turn. A new prompt starts another.',
    column: 'in_progress',
    dependsOn: [],
    sessions: [{ agentId: 'mock', title: 'Migration', prompts: [lines('/say Reading the old settings.', '/crash')] }],
  },
  {
    title: 'Explain the cache',
    description: 'Ready for a prompt: the agent answered and is alive.',
    column: 'review',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock-v2',
        title: 'Cache',
        prompts: [lines('/tool Read src/cache.ts', '/say It keeps 1,000 entries and drops the oldest.')],
      },
    ],
  },
  {
    title: 'Fix the login page',
    description: 'Done: the session was completed and its agent is gone.',
    column: 'done',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock',
        title: 'Login',
        prompts: [lines('/tool Edit src/login.tsx', '/tool Run the tests', '/say Fixed; all tests pass.')],
      },
    ],
  },
  {
    title: 'Plan the next release',
    description: 'Not started: its session has had no prompt yet.',
    column: 'backlog',
    dependsOn: ['Release 2.0'],
    sessions: [{ agentId: 'mock', title: 'Plan', prompts: [] }],
  },
];
