import { router } from '../trpc.ts';
import { listFeatures } from './list-features.ts';
import { overrideFeature } from './override-feature.ts';

export const featureRouter = router({ list: listFeatures, override: overrideFeature });
