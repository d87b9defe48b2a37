'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn.ts';

export const inputStyle =
  'w-full rounded border border-line-strong bg-surface px-2 py-1 text-ink text-sm placeholder:text-ink-soft disabled:opacity-60 pointer-coarse:min-h-9 pointer-coarse:text-[16px]';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** Label, control, hint, error: tied together by ids. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': Boolean(error) })}
      {note && (
        <p
          id={`${id}-note`}
          {...(error && { role: 'alert' })}
          className={cn('text-xs', error ? 'text-state-failed' : 'text-ink-soft')}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface TextProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
}

export function TextField({ label, hint, error, className, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <input {...ids} className={cn(inputStyle, className)} {...rest} />}
    </Field>
  );
}

interface AreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
}

export function TextArea({ label, hint, error, className, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <textarea {...ids} className={cn(inputStyle, 'resize-y', className)} {...rest} />}
    </Field>
  );
}
