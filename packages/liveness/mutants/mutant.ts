/** One planted bug: in this file of `src`, this text, which occurs there once, becomes that. */
export interface Mutant {
  /** What the bug is, as a slip of the hand would be told. */
  readonly name: string;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The planted bugs of one file. */
export function inFile(file: string, bugs: readonly Omit<Mutant, 'file'>[]): readonly Mutant[] {
  return bugs.map((bug) => ({ ...bug, file }));
}
