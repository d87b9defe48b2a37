import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const getSettingsInput = z.strictObject({}).optional();

/** What the team set for everybody. */
export const getSettings = procedure.input(getSettingsInput).query(({ ctx }) => ctx.vigil.getSettings());
