import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asksOf, initializeParams } from '../handshake.ts';
import { valueAt } from '../wire/json.ts';

const FOLDER = fileURLToPath(new URL('../../recordings/conformance/', import.meta.url));
const FIXTURES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });

const launch = (provider: string) => ({ agentId: 'a', provider, command: 'a', args: [], env: {}, cwd: '/' });

describe('conformance', () => {
  it.each(['s32', 's33', 's121', 's122', 's123'])('[S24] has fixtures of the published protocol for %s', (rule) => {
    expect(FIXTURES.filter((name) => name.includes(`/${rule}-`) && name.endsWith('.ndjson'))).not.toEqual([]);
  });

  it.each([1, 2] as const)('[S120] opts in to the updates of Hermes under both names over v%i', (version) => {
    const params = initializeParams(version, asksOf(launch('hermes'), false));

    for (const name of ['hermes-agent', 'bb.dev']) {
      expect(valueAt(params, 'clientCapabilities', '_meta', name, 'stateUpdate')).toBe(1);
    }
    expect(params.protocolVersion).toBe(version);
  });

  it.each(['claude-acp', 'codex-acp', 'generic', 'gemini'])('[S120] opts in to nothing of the kind with %s', (provider) => {
    expect(JSON.stringify(initializeParams(2, asksOf(launch(provider), true)))).not.toContain('stateUpdate');
  });
});
