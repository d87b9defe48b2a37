import { router } from '../trpc.ts';
import { getSettings } from './get-settings.ts';
import { updateSettings } from './update-settings.ts';

export const settingsRouter = router({ get: getSettings, update: updateSettings });
