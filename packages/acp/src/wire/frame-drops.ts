/** Why what an agent wrote was dropped, or answered with an error. */
export const FRAME_DROPS = {
  no_frame: 'a line that is no JSON object, or nests too deep',
  prototype_key: 'a key that is named like the prototype',
  invalid_utf8: 'a line that is no UTF-8',
  line_too_long: 'a line of more than 16 MiB',
  bad_request_id: 'a request whose id is neither text nor number',
  duplicate_request_id: 'a request with the id of one that is open',
  unknown_answer: 'an answer to no open request',
  malformed_answer: 'an answer with neither a result nor an error: what it answers has failed',
  unknown_method: 'a request for a method that we do not serve',
  bad_params: 'a request whose params do not fit its method',
  too_many_requests: 'a request while too many wait already',
  malformed_update: 'an update that is malformed',
} as const;

export type FrameDrop = keyof typeof FRAME_DROPS;

const counts = new Map<FrameDrop, number>();

/** What was dropped of all agents since this process began, for its metrics. */
export function droppedFrames(): ReadonlyMap<FrameDrop, number> {
  return counts;
}

/** Counts what is dropped of one execution, and says each kind of it loudly once (S123). */
export class FrameDropLog {
  readonly #log: (entry: {
    readonly level: 'warn' | 'debug';
    readonly message: string;
    readonly data: unknown;
  }) => void;
  readonly #counts = new Map<string, number>();

  constructor(
    log: (entry: { readonly level: 'warn' | 'debug'; readonly message: string; readonly data: unknown }) => void,
  ) {
    this.#log = log;
  }

  /** `what` names it closer. */
  dropped(kind: FrameDrop, what: string = FRAME_DROPS[kind]): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    this.#log({ level: count === 1 ? 'warn' : 'debug', message: `dropped ${what}`, data: { kind, count } });
  }
}
