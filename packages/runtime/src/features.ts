import type { Rules } from '@vigil/liveness';
import type { RuntimeConfig } from './deps.ts';
import type { FeatureInfo } from './types.ts';

interface Feature {
  readonly key: string;
  readonly description: string;
  readonly risk: 'low' | 'high';
  readonly byDefault: boolean;
}

/** Experimental and off in every profile (S71). */
const HANDOFF: Feature = {
  key: 'features.claudeBackgroundPromptHandoff',
  description:
    'Lets a Claude session take the next prompt while its background work runs and its last turn is not answered yet. It relies on inferred boundaries: late, missing or doubled frames misclassify.',
  risk: 'high',
  byDefault: false,
};

/** On; a kill switch (S74). */
const REPORTED: Feature = {
  key: 'features.reportedBackgroundWork',
  description:
    'Shows background work of settled sessions whose agents report a complete list of it. Admits no prompt earlier.',
  risk: 'low',
  byDefault: true,
};

const FEATURES = [HANDOFF, REPORTED] as const;

export type FeatureOverrides = Readonly<Record<string, boolean>>;

/** The toggles, latched at start: the environment beats the override, which beats the default (S71, S76). */
export class Features {
  readonly #config: RuntimeConfig;
  readonly #latched: FeatureOverrides;
  #overrides: FeatureOverrides;

  constructor(config: RuntimeConfig, overrides: FeatureOverrides) {
    this.#config = config;
    this.#latched = overrides;
    this.#overrides = overrides;
  }

  /** What governs sessions of this launch identity (S72). Unknown identities are never fine. */
  rulesFor(provider: string): Rules {
    const covered = provider === 'claude-acp' || (provider === 'mock' && this.#config.mockProvider);
    return {
      fine: covered && this.#effective(HANDOFF, this.#config.features.handoff),
      reported: this.#effective(REPORTED, this.#config.features.reported),
      settleAfterMs: this.#config.settleAfterMs,
    };
  }

  list(): FeatureInfo[] {
    return FEATURES.map((feature) => this.#info(feature));
  }

  has(key: string): boolean {
    return FEATURES.some((feature) => feature.key === key);
  }

  /** Takes note of an override that was stored; it applies after a restart. */
  override(key: string, on: boolean | null): void {
    const { [key]: _old, ...rest } = this.#overrides;
    this.#overrides = on === null ? rest : { ...rest, [key]: on };
  }

  #env(feature: Feature): boolean | null {
    return feature === HANDOFF ? this.#config.features.handoff : this.#config.features.reported;
  }

  #effective(feature: Feature, env: boolean | null): boolean {
    return env ?? this.#latched[feature.key] ?? feature.byDefault;
  }

  #info(feature: Feature): FeatureInfo {
    const env = this.#env(feature);
    const override = this.#overrides[feature.key] ?? null;
    const effective = this.#effective(feature, env);
    const source = env !== null ? 'env' : this.#latched[feature.key] !== undefined ? 'override' : 'default';
    const next = env ?? override ?? feature.byDefault;
    const { key, description, risk } = feature;
    return { key, description, risk, source, override, effective, restartToApply: next !== effective };
  }
}
