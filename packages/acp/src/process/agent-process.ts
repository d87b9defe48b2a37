import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AgentError } from '../errors.ts';
import type { AgentExit, AgentLaunch } from '../types.ts';
import type { FrameDrop } from '../wire/frame-drops.ts';
import { LineSplitter } from '../wire/line-splitter.ts';
import { PacedLines } from '../wire/paced-lines.ts';
import { TREE_MARK } from './process-table.ts';
import { type Patience, ProcessTree } from './process-tree.ts';
import { StderrRing } from './stderr-ring.ts';

const LINE_LIMIT = 16 * 1024 * 1024;
/** EOF or exit, whichever comes first, waits this long for the other. */
const OTHER_END_MS = 1_000;
const PATIENCE: Patience = { close: 2_000, term: 2_000, kill: 5_000 };

export interface ProcessListener {
  line(line: string): void;
  /** A line was passed over. */
  dropped(why: FrameDrop): void;
  gone(exit: AgentExit): void;
  /** When its processes must be gone once it is closed, whatever patience says (see `OpenOptions`). */
  readonly endBy?: (() => number) | undefined;
}

/** One agent process on stdio, the leader of its own process group. */
export class AgentProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tree: ProcessTree;
  readonly #stderr: StderrRing;
  readonly #listener: ProcessListener;
  #exit: { readonly code: number | null; readonly signal: string | null } | null = null;
  #ended = false;
  #told = false;
  /** When stdout was read last: what an agent wrote before it ended is read to its end. */
  #heardAt = 0;
  #reason: string | null = null;
  #closing: Promise<void> | null = null;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    pid: number,
    context: { readonly mark: string; readonly env: NodeJS.ProcessEnv; readonly listener: ProcessListener },
  ) {
    this.#child = child;
    this.pid = pid;
    this.startTime = startTimeNow(pid);
    this.#tree = new ProcessTree({ pid, startTime: this.startTime, mark: context.mark });
    this.#stderr = new StderrRing(context.env);
    this.#listener = context.listener;
    this.#listen();
  }

  /** Starts the command; rejects when it cannot be started. */
  static async start(launch: AgentLaunch, listener: ProcessListener): Promise<AgentProcess> {
    const mark = randomUUID();
    const env = { ...inheritable(process.env), ...launch.env, [TREE_MARK]: mark };
    const child = spawn(launch.command, [...launch.args], { cwd: launch.cwd, env, detached: true, stdio: 'pipe' });
    const failed = new Promise<never>((_, reject) =>
      child.once('error', (cause) => reject(cannotStart(launch, cause))),
    );
    const { pid } = child;
    if (pid === undefined) return failed;
    failed.catch(() => {});
    return new AgentProcess(child, pid, { mark, env, listener });
  }

  /** False when the agent does not read any more. */
  write(line: string): boolean {
    if (this.#told || !this.#child.stdin.writable) return false;
    this.#child.stdin.write(line);
    return true;
  }

  stderr(): string {
    return this.#stderr.read();
  }

  /** Processes of its tree that live now. */
  members(): Promise<readonly number[]> {
    return this.#tree.alive();
  }

  /** Stops reading for a reason of ours; the process is gone as far as its reader is concerned. */
  fail(reason: string): void {
    this.#reason ??= reason;
    this.#tell();
  }

  /** Ends the process and its descendants; resolves when all are gone. Idempotent; a try that failed may be repeated. */
  close(): Promise<void> {
    this.#closing ??= this.#close().catch((error: unknown) => {
      this.#closing = null;
      throw error;
    });
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#tree.alive();
    this.#child.stdin.end();
    await this.#tree.end(PATIENCE, this.#listener.endBy);
    this.#tell();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #listen(): void {
    const { stdout } = this.#child;
    const paced = new PacedLines({
      onLine: (line) => {
        if (!this.#told) this.#listener.line(line);
      },
      pause: () => stdout.pause(),
      resume: () => stdout.resume(),
    });
    const lines = new LineSplitter({
      limit: LINE_LIMIT,
      onLine: (line) => paced.push(line),
      onDropped: (why) => this.#listener.dropped(why),
    });
    stdout.on('data', (chunk: Buffer) => {
      this.#heardAt = performance.now();
      lines.push(chunk);
      paced.drain();
    });
    stdout.once('close', () => {
      lines.end();
      paced.end(() => {
        this.#ended = true;
        this.#oneEnd();
      });
    });
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.#stderr.push(chunk));
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('error', () => {});
    this.#child.on('error', () => {});
    this.#child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#oneEnd();
    });
  }

  #oneEnd(): void {
    if (this.#ended && this.#exit) this.#tell();
    else setTimeout(() => this.#otherEnd(), OTHER_END_MS).unref();
  }

  /** Still being read: it goes on until nothing more comes. */
  #otherEnd(): void {
    if (this.#exit && !this.#ended && performance.now() - this.#heardAt < OTHER_END_MS) this.#oneEnd();
    else this.#tell();
  }

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    const { code = null, signal = null } = this.#exit ?? {};
    this.#listener.gone({ code, signal, stderr: this.#stderr.read(), reason: this.#reason });
  }
}

function cannotStart(launch: AgentLaunch, cause: Error): AgentError {
  return new AgentError(
    'start_failed',
    `cannot start "${[launch.command, ...launch.args].join(' ')}": ${cause.message}`,
    { cause },
  );
}

/** Our own settings and the database's address are none of an agent's business. */
function inheritable(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = { ...env };
  for (const name of Object.keys(own)) {
    if (name.startsWith('VIGIL_') || name === 'DATABASE_URL' || name === 'PORT') delete own[name];
  }
  return own;
}

function startTimeNow(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
