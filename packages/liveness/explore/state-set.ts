/** Numbers of the states seen, by a hash of 64 bits of their canonical text; the texts themselves are not kept. */
export class StateSet {
  #high: Uint32Array;
  #low: Uint32Array;
  #ids: Int32Array;
  #size = 0;

  constructor(capacity = 1 << 16) {
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#ids = new Int32Array(capacity).fill(-1);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a state; a new one is the present size, and negative minus one says so. */
  add(text: string): { readonly id: number; readonly isNew: boolean } {
    const high = hash(text, 0x811c9dc5);
    const low = hash(text, 0x9747b28c);
    const at = this.#seat(high, low);
    const known = this.#ids[at] ?? -1;
    if (known >= 0) return { id: known, isNew: false };
    const id = this.#size;
    this.#put(at, { high, low, id });
    this.#size += 1;
    if (this.#size * 2 > this.#ids.length) this.#grow();
    return { id, isNew: true };
  }

  #put(at: number, entry: { high: number; low: number; id: number }): void {
    this.#high[at] = entry.high;
    this.#low[at] = entry.low;
    this.#ids[at] = entry.id;
  }

  #seat(high: number, low: number): number {
    const mask = this.#ids.length - 1;
    let at = (high ^ Math.imul(low, 0x9e3779b1)) & mask;
    while ((this.#ids[at] ?? -1) >= 0 && (this.#high[at] !== high || this.#low[at] !== low)) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [high, low, ids] = [this.#high, this.#low, this.#ids];
    const capacity = ids.length * 2;
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#ids = new Int32Array(capacity).fill(-1);
    for (const [at, id] of ids.entries()) {
      if (id < 0) continue;
      const entry = { high: high[at] ?? 0, low: low[at] ?? 0, id };
      this.#put(this.#seat(entry.high, entry.low), entry);
    }
  }
}

function hash(text: string, seed: number): number {
  let h = seed;
  for (let at = 0; at < text.length; at += 1) {
    h = Math.imul(h ^ text.charCodeAt(at), 0x5bd1e995);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A list of whole numbers that grows without boxing them. */
export class Numbers {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const more = new Int32Array(this.#values.length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? -1;
  }
}
