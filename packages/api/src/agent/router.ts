import { router } from '../trpc.ts';
import { listAgents } from './list-agents.ts';

export const agentRouter = router({ list: listAgents });
