import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';

export const buttonStyle = cva(
  'inline-flex shrink-0 cursor-pointer select-none items-center justify-center gap-1.5 whitespace-nowrap rounded border text-sm disabled:cursor-default disabled:opacity-55 pointer-coarse:min-h-9',
  {
    variants: {
      variant: {
        primary: 'border-ink bg-ink font-medium text-paper not-disabled:hover:bg-ink/85',
        plain: 'border-line-strong/60 bg-surface text-ink not-disabled:hover:bg-sunken',
        ghost: 'border-transparent text-ink-soft not-disabled:hover:bg-sunken not-disabled:hover:text-ink',
        danger: 'border-state-failed bg-state-failed font-medium text-surface not-disabled:hover:opacity-85',
      },
      size: { sm: 'h-6 px-2', md: 'h-7 px-2.5', lg: 'h-8 px-3', icon: 'size-7 pointer-coarse:size-9' },
    },
    defaultVariants: { variant: 'plain', size: 'md' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {}

export function Button({ className, variant, size, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonStyle({ variant, size }), className)} {...rest} />;
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'size' | 'aria-label'> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, variant = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Button variant={variant} size="icon" aria-label={label} data-tip={label} {...rest}>
      {icon}
    </Button>
  );
}
