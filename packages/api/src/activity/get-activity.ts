import { z } from 'zod';
import { procedure } from '../trpc.ts';

export const getActivityInput = z.strictObject({}).optional();

/** Every task that is not archived, and its sessions, at one revision. */
export const getActivity = procedure.input(getActivityInput).query(({ ctx }) => ctx.vigil.activitySnapshot());
