'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { reportError } from '../lib/report-error.tsx';
import { useSetting } from '../lib/use-setting.ts';
import { HelpDialog } from './help-dialog.tsx';
import { NewTaskDialog } from './new-task-dialog.tsx';
import { ArchiveTaskDialog, DeleteTaskDialog } from './remove-task-dialog.tsx';
import { ARCHIVE_FAILED, useArchiveTask } from './use-archive-task.tsx';

interface Dialogs {
  newTask(): void;
  deleteTask(taskId: string): void;
  /** Asks only while the setting says so (W4). */
  archiveTask(taskId: string): void;
  help(): void;
}

type Open = { readonly kind: 'new' | 'help' } | { readonly kind: 'delete' | 'archive'; readonly taskId: string } | null;

const DialogsContext = createContext<Dialogs | null>(null);

export function DialogsProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Open>(null);
  const { archive } = useArchiveTask();
  const [confirmArchive] = useSetting('confirmArchive');
  const dialogs = useMemo<Dialogs>(
    () => ({
      newTask: () => setOpen({ kind: 'new' }),
      deleteTask: (taskId) => setOpen({ kind: 'delete', taskId }),
      archiveTask: (taskId) =>
        confirmArchive
          ? setOpen({ kind: 'archive', taskId })
          : void archive(taskId).catch((error: unknown) => reportError(ARCHIVE_FAILED, error)),
      help: () => setOpen({ kind: 'help' }),
    }),
    [archive, confirmArchive],
  );
  const close = () => setOpen(null);
  return (
    <DialogsContext value={dialogs}>
      {children}
      <NewTaskDialog open={open?.kind === 'new'} onClose={close} />
      <HelpDialog open={open?.kind === 'help'} onClose={close} />
      <DeleteTaskDialog taskId={open?.kind === 'delete' ? open.taskId : null} onClose={close} />
      <ArchiveTaskDialog taskId={open?.kind === 'archive' ? open.taskId : null} onClose={close} />
    </DialogsContext>
  );
}

export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (dialogs === null) throw new Error('useDialogs was used outside of <DialogsProvider>.');
  return dialogs;
}
