'use client';

import { trpc } from '@vigil/client/react';
import { Button, labels } from '@vigil/ui';
import { reportError } from '../lib/report-error.tsx';
import { Blank } from '../shell/blank.tsx';

/** The board has no such task: it is archived, or it is not there. */
export function TaskGone({ taskId }: { readonly taskId: string }) {
  const { data } = trpc.task.get.useQuery({ taskId }, { retry: false });
  const unarchive = trpc.task.unarchive.useMutation({
    onError: (error) =>
      reportError({ what: labels.remove.unarchiveFailed, meaning: labels.remove.unarchiveFailedMeaning }, error),
  });
  if (data?.task.archivedAt) {
    return (
      <Blank title={labels.task.archived} meaning={labels.task.archivedMeaning}>
        <Button variant="primary" disabled={unarchive.isPending} onClick={() => unarchive.mutate({ taskId })}>
          {labels.task.unarchive}
        </Button>
      </Blank>
    );
  }
  return <Blank title={labels.task.missing} meaning={labels.task.missingMeaning} />;
}
