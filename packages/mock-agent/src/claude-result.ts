import type { Fields } from './json.ts';

/** The model that the recordings name. */
export const MODEL = 'claude-opus-5-5';

/** Dollars that one model request costs in the recordings. */
export const REQUEST_COST = 0.0044;

const USED = 1020;
const SIZE = 1_000_000;

/** The usage that a prompt's answer or an idle state carries. */
export function usage(): Fields {
  const counts: Fields = { inputTokens: 1000, outputTokens: 20, cachedReadTokens: 0, cachedWriteTokens: 0 };
  return { ...counts, totalTokens: USED };
}

/** The quota that goes with {@link usage}. */
export function quota(): Fields {
  const tokenCount: Fields = {
    totalTokens: USED,
    inputTokens: 1000,
    cachedInputTokens: 0,
    cachedWriteTokens: 0,
    outputTokens: 20,
    reasoningOutputTokens: 0,
  };
  return { quota: { token_count: tokenCount, model_usage: [{ model: MODEL, token_count: tokenCount }] } };
}

/** The usage update of a model request that has begun. */
export function requestUsage(): Fields {
  return { sessionUpdate: 'usage_update', used: USED, size: SIZE, _meta: { '_claude/model': MODEL } };
}

/** The usage update that closes a cycle and names its origin. */
export function closingUsage(cost: number, origin: Fields): Fields {
  return {
    sessionUpdate: 'usage_update',
    used: USED,
    size: SIZE,
    cost: { amount: cost, currency: 'USD' },
    _meta: { '_claude/origin': origin, '_claude/model': MODEL },
  };
}

/** Modes and options of a session, shortened. */
export function sessionOptions(): Fields {
  const modes = [
    { id: 'default', name: 'Manual', description: 'Always ask before making changes' },
    { id: 'plan', name: 'Plan', description: 'Create a plan before making changes' },
  ];
  const options = modes.map(({ id: value, name, description }) => ({ value, name, description }));
  const mode: Fields = {
    id: 'mode',
    name: 'Mode',
    description: 'Session permission mode',
    category: 'mode',
    type: 'select',
    currentValue: 'default',
    options,
  };
  return { modes: { currentModeId: 'default', availableModes: modes }, configOptions: [mode] };
}
