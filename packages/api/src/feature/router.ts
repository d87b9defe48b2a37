import { router } from '../trpc.ts';
import { listFeatures } from './list-features.ts';

export const featureRouter = router({ list: listFeatures });
