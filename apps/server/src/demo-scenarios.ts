/** One task of the demo. Prompts are scripts for the mock agent; the lifecycle they play is the real one. */
export interface DemoScenario {
  readonly title: string;
  readonly description: string;
  /**
   * How its sessions are ended after their turn; without it their agents stay. Completed, it goes to *done*; the other
   * columns follow from the work by themselves.
   */
  readonly ends?: 'completed' | 'stopped';
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
            '/tool Edit src/lexer.ts for 10m',
            '/say Done.',
          ),
        ],
      },
    ],
  },
  {
    title: 'Build the Docker image',
    description: 'Background: the turn is over, a shell goes on for ten minutes, and the agent reports it itself.',
    parent: 'Release 2.0',
    dependsOn: ['Release 2.0'],
    sessions: [
      {
        agentId: 'mock-hermes',
        title: 'Image',
        prompts: [
          lines(
            '/say I started the build and will tell you when it is through.',
            '/shell docker-build for 10m',
            '/end',
          ),
        ],
      },
    ],
  },
  {
    title: 'Review the open pull requests',
    description: 'Background: two subagents work while the agent itself is free.',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock-v2',
        title: 'Review',
        prompts: [
          lines(
            '/say Two reviewers are reading; I am free meanwhile.',
            '/subagent reviewer-41 for 10m',
            '/subagent reviewer-42 for 10m',
            '/end',
          ),
        ],
      },
    ],
  },
  {
    title: 'Publish the packages',
    description: 'A permission is asked for. Answer it on the task page.',
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
    dependsOn: [],
    sessions: [
      { agentId: 'mock', title: 'Database', prompts: [lines('/ask Which database do you want?', '/say Noted.')] },
    ],
  },
  {
    title: 'Write the changelog',
    description: 'A prompt is queued: it runs when the turn at work ends.',
    parent: 'Release 2.0',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock',
        title: 'Changelog',
        prompts: [lines('/tool Read the history for 10m', '/say That is all.'), 'Then translate it into German.'],
      },
    ],
  },
  {
    title: 'Migrate the settings',
    description: 'Failed: the agent died during its turn. A new prompt starts another.',
    dependsOn: [],
    sessions: [{ agentId: 'mock', title: 'Migration', prompts: [lines('/say Reading the old settings.', '/crash')] }],
  },
  {
    title: 'Explain the cache',
    description: 'Ready for a prompt: the agent answered and is alive.',
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
    title: 'Update the dependencies',
    description: 'Idle: its agent was stopped after its turn. A new prompt starts another.',
    ends: 'stopped',
    dependsOn: [],
    sessions: [
      {
        agentId: 'mock',
        title: 'Dependencies',
        prompts: [lines('/tool Run npm outdated', '/say Two are old; tell me whether to update them.')],
      },
    ],
  },
  {
    title: 'Fix the login page',
    description: 'Done: the session was completed and its agent is gone.',
    ends: 'completed',
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
    dependsOn: ['Release 2.0'],
    sessions: [{ agentId: 'mock', title: 'Plan', prompts: [] }],
  },
];
