/** Typing mistakes beyond this are another word, and so are those in more than every fourth letter. */
const MAX_EDITS = 3;
const LETTERS_PER_EDIT = 4;

/** The known name that is nearest to a mistyped one; null when none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(MAX_EDITS, Math.floor(name.length / LETTERS_PER_EDIT)) + 1;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
