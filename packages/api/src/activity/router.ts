import { router } from '../trpc.ts';
import { getActivity } from './get-activity.ts';
import { watchActivity } from './watch-activity.ts';

export const activityRouter = router({ get: getActivity, watch: watchActivity });
