import { TRPCError } from '@trpc/server';
import { type ErrorCode, VigilError } from '@vigil/runtime';
import { type core, prettifyError, ZodError } from 'zod';

type TrpcCode = TRPCError['code'];

/** The one map from Vigil's error codes to tRPC's; a code without an entry does not compile. */
export const TRPC_CODES = {
  not_found: 'NOT_FOUND',
  bad_input: 'BAD_REQUEST',
  conflict: 'CONFLICT',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<ErrorCode, TrpcCode>;

/** What is said instead of an unexpected failure's own message, which may hold queries or paths. */
export const UNEXPECTED_MESSAGE = 'The server failed in a way that it did not expect; its log holds the cause.';

/** Turns an expected failure into its tRPC error; anything else is kept as the cause of an internal one. */
export function toTrpcError(cause: unknown): TRPCError {
  if (cause instanceof TRPCError) return cause.cause instanceof VigilError ? toTrpcError(cause.cause) : cause;
  if (cause instanceof VigilError)
    return new TRPCError({ code: TRPC_CODES[cause.code], message: cause.message, cause });
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: UNEXPECTED_MESSAGE, cause });
}

/** What a client may read of an error beside its code: never a stack, never the text of an unexpected failure. */
export interface ErrorDetail {
  readonly message: string;
  /** Of a `CONFLICT` and some others: machine-readable, see docs/errors.md. */
  readonly reason: string | null;
  /** Of a `BAD_REQUEST` whose input did not fit its schema. */
  readonly zodIssues: core.$ZodIssue[] | null;
}

/** Reads what a client may know of an error. */
export function describeError(error: TRPCError): ErrorDetail {
  const cause = error.cause;
  if (cause instanceof VigilError) return { message: cause.message, reason: cause.reason, zodIssues: null };
  if (cause instanceof ZodError) {
    return { message: `The input does not fit: ${prettifyError(cause)}`, reason: null, zodIssues: cause.issues };
  }
  const unexpected = error.code === 'INTERNAL_SERVER_ERROR';
  return { message: unexpected ? UNEXPECTED_MESSAGE : error.message, reason: null, zodIssues: null };
}
