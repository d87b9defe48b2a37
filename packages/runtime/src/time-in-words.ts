/** A span of time for a person: whole seconds below two minutes, whole minutes from there on. */
export function timeInWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
