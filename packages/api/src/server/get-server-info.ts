import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const getServerInfoInput = z.strictObject({}).optional();

/** Version, epoch and database of the server, and whether it is saving (S142). */
export const getServerInfo = procedure.input(getServerInfoInput).query(({ ctx }) => ctx.vigil.serverInfo());
