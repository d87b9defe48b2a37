'use client';

import { Button, Field, inputStyle, labels, Select, TextField } from '@vigil/ui';
import { type FormEvent, useState } from 'react';
import { answersOf, type Draft, type FormField, fieldsOf, isComplete } from './clarification-fields.ts';

interface FieldProps {
  readonly field: FormField;
  readonly value: string | boolean | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function Question({ field, value, onChange }: FieldProps) {
  const label = field.label || labels.request.answerField;
  if (field.type === 'boolean') {
    return (
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-ink"
        />
        {label}
      </label>
    );
  }
  if (field.type === 'choice') {
    return (
      <Field label={label} hint={field.hint}>
        {() => (
          <Select
            label={label}
            value={typeof value === 'string' ? value : null}
            options={field.options}
            placeholder={labels.request.choose}
            onChange={onChange}
            className={inputStyle}
          />
        )}
      </Field>
    );
  }
  return (
    <TextField
      label={label}
      {...(field.hint !== undefined && { hint: field.hint })}
      type={field.type === 'number' ? 'number' : 'text'}
      step="any"
      required={field.required}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
    />
  );
}

interface Props {
  readonly schema: unknown;
  readonly busy: boolean;
  readonly onAnswer: (answers: Record<string, unknown>) => void;
  readonly onDismiss: () => void;
}

export function ClarificationForm({ schema, busy, onAnswer, onDismiss }: Props) {
  const fields = fieldsOf(schema);
  const [draft, setDraft] = useState<Draft>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && isComplete(fields, draft)) onAnswer(answersOf(fields, draft));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2.5">
      {fields.map((field) => (
        <Question
          key={field.name}
          field={field}
          value={draft[field.name]}
          onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={busy || !isComplete(fields, draft)}>
          {labels.request.answer}
        </Button>
        <Button disabled={busy} onClick={onDismiss}>
          {labels.request.dismiss}
        </Button>
      </div>
    </form>
  );
}
