import { TRPCError } from '@trpc/server';
import { ERROR_CODES, VigilError } from '@vigil/runtime';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeError, TRPC_CODES, toTrpcError, UNEXPECTED_MESSAGE } from '../src/errors.ts';

test('[contract] every code of Vigil becomes the tRPC code of the contract', () => {
  expect(TRPC_CODES).toEqual({
    not_found: 'NOT_FOUND',
    bad_input: 'BAD_REQUEST',
    conflict: 'CONFLICT',
    unavailable: 'SERVICE_UNAVAILABLE',
    internal: 'INTERNAL_SERVER_ERROR',
  });
  for (const code of ERROR_CODES) {
    const error = toTrpcError(new VigilError(code, 'what to do', { reason: 'why' }));
    expect(error.code).toBe(TRPC_CODES[code]);
    expect(describeError(error)).toEqual({ message: 'what to do', reason: 'why', zodIssues: null });
  }
});

test('[contract] an unexpected failure keeps its text to the server', () => {
  const error = toTrpcError(new Error('select password from users'));
  expect(error.code).toBe('INTERNAL_SERVER_ERROR');
  expect(describeError(error).message).toBe(UNEXPECTED_MESSAGE);
  expect(error.cause?.message).toContain('password');
});

test('[contract] a failure that tRPC wrapped already keeps its code', () => {
  const wrapped = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new VigilError('not_found', 'gone') });
  expect(toTrpcError(wrapped).code).toBe('NOT_FOUND');
  const own = new TRPCError({ code: 'NOT_FOUND', message: 'no procedure' });
  expect(toTrpcError(own)).toBe(own);
});

test('[contract] an input that does not fit is told in words and as issues', () => {
  const { error } = z.strictObject({ title: z.string() }).safeParse({ titel: 1 });
  const described = describeError(new TRPCError({ code: 'BAD_REQUEST', cause: error }));
  expect(described.zodIssues).toHaveLength(2);
  expect(described.message).toContain('titel');
});
