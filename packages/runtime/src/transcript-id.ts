/** Id of a transcript entry that an agent names. Names of one execution never meet those of another. */
export function transcriptId(executionId: string, name: string): string {
  return `${executionId}/${name}`;
}
