'use client';

import { trpc } from '@vigil/client/react';
import { labels } from '@vigil/ui';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { toast } from 'sonner';
import { reportError } from '../lib/report-error.tsx';

/** Leaves the page of a task that has just gone. */
export function useLeaveTask(): (taskId: string) => void {
  const router = useRouter();
  const pathname = usePathname();
  return useCallback(
    (taskId) => {
      if (pathname === `/tasks/${encodeURIComponent(taskId)}`) router.push('/');
    },
    [pathname, router],
  );
}

export const ARCHIVE_FAILED = { what: labels.remove.archiveFailed, meaning: labels.remove.archiveFailedMeaning };
const UNARCHIVE_FAILED = { what: labels.remove.unarchiveFailed, meaning: labels.remove.unarchiveFailedMeaning };

export function useArchiveTask() {
  const leave = useLeaveTask();
  const { mutateAsync: archiveTask, isPending, error, reset } = trpc.task.archive.useMutation();
  const { mutate: unarchive } = trpc.task.unarchive.useMutation({
    onError: (failure) => reportError(UNARCHIVE_FAILED, failure),
  });
  const archive = useCallback(
    async (taskId: string): Promise<void> => {
      await archiveTask({ taskId });
      const action = { label: labels.remove.undo, onClick: () => unarchive({ taskId }) };
      toast.success(labels.remove.archivedToast, { action });
      leave(taskId);
    },
    [archiveTask, unarchive, leave],
  );
  return { archive, isPending, error, reset };
}
