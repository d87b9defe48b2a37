#!/usr/bin/env node
import { Agent } from './agent.ts';
import { Control } from './control.ts';
import { DIALECTS, type Dialect, isDialect } from './dialect.ts';
import { HistoryStore } from './history.ts';
import type { Fields } from './json.ts';

function refuse(expected: string, got: string): never {
  process.stderr.write(`mock agent: expected ${expected}; got: ${got}\n`);
  return process.exit(64);
}

function readDialect(): Dialect {
  const text = process.env.MOCK_AGENT_DIALECT ?? 'claude-v1';
  return isDialect(text) ? text : refuse(`MOCK_AGENT_DIALECT to be one of ${DIALECTS.join(', ')}`, text);
}

function readPort(): number | undefined {
  const text = process.env.MOCK_AGENT_CONTROL_PORT ?? '';
  if (text === '') return undefined;
  const port = Number(text);
  const valid = Number.isInteger(port) && port >= 0 && port <= 65_535;
  return valid ? port : refuse('MOCK_AGENT_CONTROL_PORT to be a port number', text);
}

function readFolder(name: string): string | undefined {
  const text = process.env[name] ?? '';
  return text === '' ? undefined : text;
}

const dialect = readDialect();
const gates = new Control({ port: readPort(), folder: readFolder('MOCK_AGENT_CONTROL_DIR'), describe });
const history = new HistoryStore(readFolder('MOCK_AGENT_STATE_DIR'));
const agent = new Agent({ dialect, gates, history, write: (line) => process.stdout.write(line) });

function describe(): Fields {
  const sessions = agent.sessions;
  const work = sessions.flatMap(({ id: sessionId, works }) =>
    [...works.values()].map(({ name, kind, status, detached, lost }) => ({
      sessionId,
      name,
      kind,
      status,
      detached,
      lost,
    })),
  );
  const turns = sessions.flatMap(({ id: sessionId, open }) =>
    [...open].map(({ origin, yielded, hung }) => ({ sessionId, origin: origin.kind, yielded, hung })),
  );
  return { dialect, sessions: sessions.map(({ id }) => id), work, turns };
}

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => agent.receive(text));
process.stdin.on('end', () => process.exit(0));
// The client went away without closing our input first.
process.stdout.on('error', () => process.exit(0));
