import { valueAt } from '../wire/json.ts';

const NAMESPACES = ['hermes-agent', 'bb.dev'] as const;

/**
 * Whether an editor opted in to `_hermes-agent/state_update`, by the params of its `initialize`: a JSON integer of at
 * least 1 under either name, no string, boolean or fraction (S124).
 */
export function wantsStateUpdates(initialize: unknown): boolean {
  return NAMESPACES.some((name) => {
    const version = valueAt(initialize, 'clientCapabilities', '_meta', name, 'stateUpdate');
    return Number.isInteger(version) && Number(version) >= 1;
  });
}
