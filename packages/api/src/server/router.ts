import { router } from '../trpc.ts';
import { getServerInfo } from './get-server-info.ts';

export const serverRouter = router({ info: getServerInfo });
