import { parseDuration } from './duration.ts';

/** How long a piece of work runs: a time in milliseconds, or until the gate of its name is released. */
export type Lifetime = { readonly kind: 'time'; readonly milliseconds: number } | { readonly kind: 'gate' };

/** One step of a script. */
export type Directive =
  | { readonly kind: 'say' | 'think'; readonly text: string }
  | { readonly kind: 'tool'; readonly title: string; readonly milliseconds: number; readonly fails: boolean }
  | { readonly kind: 'shell'; readonly name: string; readonly lifetime: Lifetime; readonly exitCode: number }
  | { readonly kind: 'subagent'; readonly name: string; readonly lifetime: Lifetime; readonly foreground: boolean }
  | { readonly kind: 'monitor'; readonly name: string; readonly every: number; readonly lifetime: Lifetime }
  | { readonly kind: 'permission'; readonly title: string }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'plan'; readonly entries: readonly string[] }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'gate'; readonly name: string }
  | { readonly kind: 'lose' | 'duplicate' | 'linger'; readonly name: string }
  | { readonly kind: 'replay'; readonly file: string }
  | { readonly kind: 'idle' | 'end' | 'crash' | 'hang' }
  | { readonly kind: 'invalid'; readonly message: string };

/** What a prompt asks for: a script, or free text that gets the canned answer. */
export type Script = { readonly kind: 'script'; readonly steps: readonly Directive[] } | { readonly kind: 'text' };

const USAGE: Readonly<Record<string, string>> = {
  say: '/say TEXT',
  think: '/think TEXT',
  tool: '/tool TITLE [for 2s] [fails]',
  shell: '/shell NAME [for 5s | until released] [exit 1]',
  subagent: '/subagent NAME [for 5s | until released] [foreground]',
  monitor: '/monitor NAME every 1s [for 10s | until released]',
  permission: '/permission TITLE',
  ask: '/ask QUESTION',
  plan: '/plan A; B',
  wait: '/wait 2s | until released NAME',
  idle: '/idle',
  end: '/end',
  lose: '/lose NAME',
  duplicate: '/duplicate NAME',
  linger: '/linger NAME',
  crash: '/crash',
  hang: '/hang',
  replay: '/replay FILE',
};

const NAME = /^[A-Za-z0-9#][A-Za-z0-9 #._-]{0,63}$/;
/** Words that end the name of a piece of work. */
const CLAUSE = new Set(['for', 'until', 'exit', 'every', 'foreground']);

/** Reads a prompt. A script begins with `/`; a bad line becomes an `invalid` step that says what was expected. */
export function parseScript(prompt: string): Script {
  const lines = prompt
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines[0]?.startsWith('/') !== true) return { kind: 'text' };
  return { kind: 'script', steps: lines.map(parseDirective) };
}

/** Reads one line of a script; never throws. */
export function parseDirective(line: string): Directive {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/.exec(line);
  const word = match?.[1];
  const usage = word === undefined ? undefined : USAGE[word];
  if (word === undefined || usage === undefined) {
    return invalid(
      `a directive, one of ${Object.keys(USAGE)
        .map((name) => `/${name}`)
        .join(' ')}`,
      line,
    );
  }
  return parseArguments(word, match?.[2]?.trim() ?? '') ?? invalid(usage, line);
}

function invalid(expected: string, got: string): Directive {
  return { kind: 'invalid', message: `Expected ${expected}; got: ${got.slice(0, 200)}` };
}

function parseArguments(word: string, rest: string): Directive | undefined {
  switch (word) {
    case 'idle':
    case 'end':
    case 'crash':
    case 'hang':
      return rest === '' ? { kind: word } : undefined;
    case 'shell':
    case 'subagent':
    case 'monitor':
      return parseWork(word, rest);
    case 'tool':
      return parseTool(rest);
    case 'wait':
      return parseWait(rest);
    case 'lose':
    case 'duplicate':
    case 'linger':
      return NAME.test(rest) ? { kind: word, name: rest } : undefined;
    default:
      return rest === '' ? undefined : parseText(word, rest);
  }
}

function parseText(word: string, text: string): Directive | undefined {
  switch (word) {
    case 'say':
    case 'think':
      return { kind: word, text };
    case 'permission':
      return { kind: 'permission', title: text };
    case 'ask':
      return { kind: 'ask', question: text };
    case 'replay':
      return { kind: 'replay', file: text };
    case 'plan': {
      const entries = text
        .split(';')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
      return entries.length === 0 ? undefined : { kind: 'plan', entries };
    }
    default:
      return undefined;
  }
}

function parseTool(rest: string): Directive | undefined {
  const match = /^(.+?)(?:\s+for\s+(\S+))?(\s+fails)?$/.exec(rest);
  const title = match?.[1];
  if (title === undefined) return undefined;
  const milliseconds = match?.[2] === undefined ? 0 : parseDuration(match[2]);
  if (milliseconds === undefined) return undefined;
  return { kind: 'tool', title, milliseconds, fails: match?.[3] !== undefined };
}

function parseWait(rest: string): Directive | undefined {
  const gate = /^until\s+released\s+(.+)$/.exec(rest)?.[1];
  if (gate !== undefined) return NAME.test(gate) ? { kind: 'gate', name: gate } : undefined;
  const milliseconds = parseDuration(rest);
  return milliseconds === undefined ? undefined : { kind: 'wait', milliseconds };
}

interface WorkWords {
  every?: number;
  exitCode?: number;
  lifetime?: Lifetime;
  foreground?: boolean;
}

function parseWork(word: 'shell' | 'subagent' | 'monitor', rest: string): Directive | undefined {
  const { name, words } = splitName(rest);
  const found = readWords(words);
  if (!NAME.test(name) || found === undefined || hasStrangeWord(word, found)) return undefined;
  const foreground = found.foreground === true;
  // A foreground subagent with no time given is over at once: it blocks its turn, and a gate nobody knows of would hang it.
  const lifetime = found.lifetime ?? (foreground ? { kind: 'time', milliseconds: 0 } : { kind: 'gate' });
  if (word === 'shell') return { kind: word, name, lifetime, exitCode: found.exitCode ?? 0 };
  if (word === 'subagent') return { kind: word, name, lifetime, foreground };
  return found.every === undefined || found.every < 10 ? undefined : { kind: word, name, lifetime, every: found.every };
}

/** The name goes on until the first word that says how the work runs. */
function splitName(rest: string): { readonly name: string; readonly words: readonly string[] } {
  const words = rest.split(/\s+/);
  const end = words.findIndex((each, index) => index > 0 && CLAUSE.has(each));
  if (end < 0) return { name: rest, words: [] };
  return { name: words.slice(0, end).join(' '), words: words.slice(end) };
}

/** A word that another kind of work understands. */
function hasStrangeWord(word: 'shell' | 'subagent' | 'monitor', found: WorkWords): boolean {
  if (word !== 'monitor' && found.every !== undefined) return true;
  if (word !== 'shell' && found.exitCode !== undefined) return true;
  return word !== 'subagent' && found.foreground !== undefined;
}

function readWords(words: readonly string[]): WorkWords | undefined {
  const text = words.join(' ');
  const found: WorkWords = {};
  const clause = /\s*(?:for (\S+)|(until released)|exit (\d{1,3})|(foreground)|every (\S+))(?=\s|$)/y;
  while (clause.lastIndex < text.length) {
    const match = clause.exec(text);
    if (match === null) return undefined;
    if (!readClause(found, match)) return undefined;
  }
  return found;
}

function readClause(found: WorkWords, match: RegExpExecArray): boolean {
  const [, time, gate, exit, foreground, every] = match;
  if (time !== undefined || gate !== undefined) {
    const milliseconds = time === undefined ? 0 : parseDuration(time);
    if (milliseconds === undefined || found.lifetime !== undefined) return false;
    found.lifetime = time === undefined ? { kind: 'gate' } : { kind: 'time', milliseconds };
  }
  if (exit !== undefined) found.exitCode = Number(exit);
  if (foreground !== undefined) found.foreground = true;
  if (every !== undefined) {
    const milliseconds = parseDuration(every);
    if (milliseconds === undefined) return false;
    found.every = milliseconds;
  }
  return true;
}
