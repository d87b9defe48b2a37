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

export function useArchiveTask() {
  const leave = useLeaveTask();
  const { mutateAsync: archiveTask, isPending } = trpc.task.archive.useMutation();
  const { mutate: unarchive } = trpc.task.unarchive.useMutation({
    onError: (error) =>
      reportError({ what: labels.remove.unarchiveFailed, meaning: labels.remove.unarchiveFailedMeaning }, error),
  });
  const archive = useCallback(
    async (taskId: string): Promise<boolean> => {
      try {
        await archiveTask({ taskId });
      } catch (error) {
        reportError({ what: labels.remove.archiveFailed, meaning: labels.remove.archiveFailedMeaning }, error);
        return false;
      }
      const action = { label: labels.remove.undo, onClick: () => unarchive({ taskId }) };
      toast.success(labels.remove.archivedToast, { action });
      leave(taskId);
      return true;
    },
    [archiveTask, unarchive, leave],
  );
  return { archive, isPending };
}
