/** What surfaces say of a task or session. Written out: a test that took them from the product could not see them change. */
export const STATUS = {
  permission: 'Permission requested',
  clarification: 'Waiting for your answer',
  unknown: 'Status unknown (agent not connected)',
  generating: 'Generating',
  background: 'Background work is running',
  starting: 'Starting',
  ready: 'Ready for a prompt',
  created: 'Not started',
  idle: 'Idle, starts on your next prompt',
  ended: 'Ended',
  failed: 'Failed',
  done: 'Done',
} as const;

export type StatusWords = (typeof STATUS)[keyof typeof STATUS];
