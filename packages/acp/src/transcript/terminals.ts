import { StringDecoder } from 'node:string_decoder';
import { BoundedMap } from '../adapters/adapter.ts';
import type { ToolContent } from '../types.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../wire/json.ts';

type TerminalContent = Extract<ToolContent, { type: 'terminal' }>;

interface Terminal {
  output: string;
  exitCode: number | null;
  call: string | null;
  /** Holds the first bytes of a character whose rest is still to come. */
  decoder: StringDecoder;
}

/** Characters of a terminal's output that are kept: its end. */
const KEPT = 64 * 1024;

/** What terminals have shown, by their ids, and the calls that show them. */
export class Terminals {
  readonly #terminals = new BoundedMap<Terminal>(1_000);

  /** The call whose card shows the terminal. */
  callOf(terminalId: string): string | null {
    return this.#of(terminalId).call;
  }

  shownBy(terminalId: string, call: string): void {
    this.#of(terminalId).call = call;
  }

  show(terminalId: string): TerminalContent {
    const { output, exitCode } = this.#of(terminalId);
    return { type: 'terminal', terminalId, output, exitCode };
  }

  /** v2 `terminal_update`: a patch; its output is the whole output in base64. */
  update(terminalId: string, body: JsonObject): void {
    const terminal = this.#of(terminalId);
    const data = textAt(body, 'output', 'data');
    if (data !== undefined) {
      terminal.decoder = new StringDecoder('utf8');
      terminal.output = kept(decode(terminal, data));
    }
    if (isObject(body.exitStatus)) terminal.exitCode = numberAt(body, 'exitStatus', 'exitCode') ?? null;
  }

  /** v2 `terminal_output_chunk`: more output in base64. */
  chunk(terminalId: string, data: string): void {
    this.#append(terminalId, decode(this.#of(terminalId), data));
  }

  /** v1 metadata of an update: output and exit of the terminal that it names. Answers that terminal's id. */
  metadata(body: JsonObject): string | null {
    const meta = objectAt(body, '_meta');
    let named: string | null = null;
    for (const key of ['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit']) {
      const id = textAt(meta, key, 'terminal_id');
      if (id === undefined) continue;
      named = id;
      const data = textAt(meta, key, 'data');
      if (key === 'terminal_output' && data !== undefined) this.#of(id).output = kept(data);
      if (key === 'terminal_output_delta' && data !== undefined) this.#append(id, data);
      if (key === 'terminal_exit') this.#of(id).exitCode = numberAt(meta, key, 'exit_code') ?? null;
    }
    return named;
  }

  #append(terminalId: string, text: string): void {
    const terminal = this.#of(terminalId);
    terminal.output = kept(terminal.output + text);
  }

  #of(terminalId: string): Terminal {
    const known = this.#terminals.get(terminalId);
    if (known) return known;
    const made: Terminal = { output: '', exitCode: null, call: null, decoder: new StringDecoder('utf8') };
    this.#terminals.set(terminalId, made);
    return made;
  }
}

function kept(text: string): string {
  if (text.length <= KEPT) return text;
  const end = text.slice(-KEPT);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}

function decode({ decoder }: Terminal, data: string): string {
  return decoder.write(Buffer.from(data, 'base64'));
}
