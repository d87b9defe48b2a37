import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '@vigil/api';

type ErrorData = NonNullable<TRPCClientError<AppRouter>['data']>;

/** What a call that failed says about it. */
export interface Failure {
  /** tRPC's code, such as `CONFLICT`; null when no answer came. */
  readonly code: ErrorData['code'] | null;
  /** Machine-readable, such as `prompt_in_progress`; see docs/errors.md. */
  readonly reason: string | null;
  /** What of the input does not fit. */
  readonly zodIssues: ErrorData['zodIssues'];
  /** For people: what was expected, what came, what to do. */
  readonly message: string;
}

/** Reads the error of a call; null when it is none of Vigil's. */
export function failureOf(error: unknown): Failure | null {
  if (!isClientError(error)) return null;
  const { code = null, reason = null, zodIssues = null } = error.data ?? {};
  return { code, reason, zodIssues, message: error.message };
}

function isClientError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
