import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const listAgentsInput = z.strictObject({}).optional();

/** Agents that a session can be created with, and whether each can be started here. */
export const listAgents = procedure.input(listAgentsInput).query(({ ctx }) => ctx.vigil.listAgents());
