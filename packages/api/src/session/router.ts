import { router } from '../trpc.ts';
import { answerRequest } from './answer-request.ts';
import { cancelTurn } from './cancel-turn.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';
import { listMessages } from './list-messages.ts';
import { sendPrompt } from './send-prompt.ts';
import { stopAll } from './stop-all.ts';
import { stopWorkload } from './stop-workload.ts';
import { submitPrompt } from './submit-prompt.ts';
import { tearDownExecution } from './tear-down-execution.ts';
import { watchSession } from './watch-session.ts';

export const sessionRouter = router({
  create: createSession,
  get: getSession,
  messages: listMessages,
  submit: submitPrompt,
  prompt: sendPrompt,
  cancel: cancelTurn,
  stopWorkload,
  stopAll,
  respond: answerRequest,
  teardown: tearDownExecution,
  delete: deleteSession,
  watch: watchSession,
});
