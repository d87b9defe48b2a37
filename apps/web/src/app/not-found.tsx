import { labels } from '@vigil/ui';
import { Blank } from '../shell/blank.tsx';

export default function NotFound() {
  return <Blank title={labels.error.notFound} meaning={labels.task.missingMeaning} />;
}
