'use client';

import { trpc, useTask } from '@vigil/client/react';
import { Button, Dialog, DialogActions, labels } from '@vigil/ui';
import { type ReactNode, useRef, useState } from 'react';
import { toast } from 'sonner';
import { liveWorkOf } from '../lib/live-work.ts';
import { ErrorNote } from '../lib/report-error.tsx';
import { ARCHIVE_FAILED, useArchiveTask, useLeaveTask } from './use-archive-task.tsx';

interface Props {
  /** Null while closed. */
  readonly taskId: string | null;
  readonly onClose: () => void;
}

interface QuestionProps extends Props {
  readonly title: (task: string) => string;
  readonly meaning: string;
  readonly confirm: string;
  readonly danger: boolean;
  readonly busy: boolean;
  /** What is said if it failed; null while it did not. */
  readonly failure: ReactNode;
  readonly onConfirm: () => void;
}

/** Names the live work that ends with the task (W4); the list follows the server while the question stands. */
function LiveWorkWarning({ taskId }: { readonly taskId: string }) {
  const { sessions } = useTask(taskId);
  const work = liveWorkOf(sessions);
  if (work.length === 0) return null;
  return (
    <div className="mb-3 rounded border border-state-attention px-3 py-2">
      <p className="font-medium text-state-attention">{labels.remove.stops}</p>
      <ul aria-label={labels.remove.stops} className="mt-1 max-h-48 list-disc overflow-y-auto pl-4 break-words">
        {work.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function Question(props: QuestionProps) {
  const { taskId, onClose, title, meaning, confirm, danger, busy, failure, onConfirm } = props;
  const keep = useRef<HTMLButtonElement>(null);
  // The words stay while the dialog closes, although the task may be gone.
  const [shown, setShown] = useState(taskId ?? '');
  if (taskId !== null && taskId !== shown) setShown(taskId);
  const { task } = useTask(shown);
  const [name, setName] = useState('');
  if (task !== null && task.title !== name) setName(task.title);
  return (
    <Dialog
      open={taskId !== null}
      onOpenChange={(next) => !next && onClose()}
      title={title(name)}
      description={meaning}
      role="alertdialog"
      initialFocus={keep}
    >
      <LiveWorkWarning taskId={shown} />
      {failure}
      <DialogActions>
        <Button ref={keep} onClick={onClose}>
          {labels.remove.keep}
        </Button>
        <Button variant={danger ? 'danger' : 'primary'} disabled={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function DeleteTaskDialog({ taskId, onClose }: Props) {
  const leave = useLeaveTask();
  const { mutate, isPending, error, reset } = trpc.task.delete.useMutation({
    onSuccess: (_, input) => {
      toast.success(labels.remove.deleted);
      onClose();
      leave(input.taskId);
    },
  });
  const close = () => {
    reset();
    onClose();
  };
  const { deleteFailed, deleteFailedMeaning } = labels.remove;
  return (
    <Question
      taskId={taskId}
      onClose={close}
      title={labels.remove.deleteTitle}
      meaning={labels.remove.deleteMeaning}
      confirm={labels.remove.confirmDelete}
      danger
      busy={isPending}
      failure={error && <ErrorNote what={deleteFailed} meaning={deleteFailedMeaning} error={error} />}
      onConfirm={() => taskId !== null && mutate({ taskId })}
    />
  );
}

export function ArchiveTaskDialog({ taskId, onClose }: Props) {
  const { archive, isPending, error, reset } = useArchiveTask();
  const close = () => {
    reset();
    onClose();
  };
  // A refusal stays in `error`.
  const confirm = () => void (taskId !== null && archive(taskId).then(close, () => undefined));
  return (
    <Question
      taskId={taskId}
      onClose={close}
      title={labels.remove.archiveTitle}
      meaning={labels.remove.archiveMeaning}
      confirm={labels.remove.confirmArchive}
      danger={false}
      busy={isPending}
      failure={error && <ErrorNote {...ARCHIVE_FAILED} error={error} />}
      onConfirm={confirm}
    />
  );
}
