'use client';

import { trpc } from '@vigil/client/react';
import { Button, Dialog, DialogActions, labels, TextArea, TextField } from '@vigil/ui';
import { useRouter } from 'next/navigation';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { ErrorNote } from '../lib/report-error.tsx';

function useCreateTask(onDone: () => void) {
  const router = useRouter();
  return trpc.task.create.useMutation({
    onSuccess: (task) => {
      onDone();
      router.push(`/tasks/${encodeURIComponent(task.id)}`);
    },
  });
}

function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

export function NewTaskDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [missing, setMissing] = useState(false);
  const create = useCreateTask(() => {
    setTitle('');
    setDescription('');
    setMissing(false);
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = title.trim();
    setMissing(named === '');
    if (named === '') first.current?.focus();
    else if (!create.isPending) create.mutate({ title: named, description: description.trim() });
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={labels.task.new} initialFocus={first}>
      <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate className="flex flex-col gap-3">
        <TextField
          ref={first}
          label={labels.task.title}
          value={title}
          required
          maxLength={500}
          autoComplete="off"
          error={missing && title.trim() === '' ? labels.task.titleMissing : null}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label={labels.task.description}
          value={description}
          rows={5}
          onChange={(event) => setDescription(event.target.value)}
        />
        {create.error && (
          <ErrorNote what={labels.task.createFailed} meaning={labels.task.createFailedMeaning} error={create.error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{labels.cancel}</Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {labels.task.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
