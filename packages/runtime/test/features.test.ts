import { describe, expect, test } from 'vitest';
import { Features } from '../src/features.ts';

const HANDOFF = 'features.claudeBackgroundPromptHandoff';
const REPORTED = 'features.reportedBackgroundWork';

const config = (features: { handoff: boolean | null; reported: boolean | null }, mockProvider = false) => ({
  settleAfterMs: 2_000,
  startTimeoutMs: 60_000,
  stallAfterMs: 300_000,
  mockProvider,
  defaultCwd: '/',
  features,
});
const unset = { handoff: null, reported: null };

describe('toggles', () => {
  test('[S71] the handoff is off by default, and high risk', () => {
    expect(new Features(config(unset), {}).list()[0]).toMatchObject({
      key: HANDOFF,
      risk: 'high',
      source: 'default',
      override: null,
      effective: false,
      restartToApply: false,
    });
  });

  test('[S71] the environment beats an override: it is a kill switch', () => {
    const features = new Features(config({ handoff: false, reported: null }), { [HANDOFF]: true });
    expect(features.list()[0]).toMatchObject({
      source: 'env',
      override: true,
      effective: false,
      restartToApply: false,
    });
    expect(features.rulesFor('claude-acp').fine).toBe(false);
  });

  test('[S72] fine rules are for claude-acp, and for the mock while it is switched on, only', () => {
    const on = new Features(config({ handoff: true, reported: null }, true), {});
    expect(['claude-acp', 'mock', 'generic', 'hermes', '', 'Claude-ACP'].map((one) => on.rulesFor(one).fine)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(new Features(config({ handoff: true, reported: null }, false), {}).rulesFor('mock').fine).toBe(false);
  });

  test('[S74] the reported reading is on by default and can be switched off', () => {
    expect(new Features(config(unset), {}).rulesFor('hermes').reported).toBe(true);
    expect(new Features(config({ handoff: null, reported: false }), {}).rulesFor('hermes').reported).toBe(false);
    expect(new Features(config(unset), { [REPORTED]: false }).list()[1]).toMatchObject({
      source: 'override',
      effective: false,
    });
  });

  test('[S76] are latched at start: an override says that a restart is needed', () => {
    const features = new Features(config(unset), {});
    features.override(HANDOFF, true);
    expect(features.list()[0]).toMatchObject({
      source: 'default',
      override: true,
      effective: false,
      restartToApply: true,
    });
    expect(features.rulesFor('claude-acp').fine).toBe(false);
    features.override(HANDOFF, null);
    expect(features.list()[0]).toMatchObject({ override: null, restartToApply: false });
  });
});
