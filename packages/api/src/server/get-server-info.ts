import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const getServerInfoInput = z.strictObject({}).optional();

/** Version, epoch and database of the server. */
export const getServerInfo = procedure.input(getServerInfoInput).query(({ ctx }) => ctx.vigil.serverInfo());
