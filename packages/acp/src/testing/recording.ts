import type { Fact } from '@vigil/liveness';
import { readSteps } from '../recordings/play-recording.ts';
import { readLines } from '../recordings/recorded-lines.ts';
import type { Step, WireOptions } from '../recordings/recorded-wire.ts';

/** Plays the recorded frames into an adapter as a live connection would, in their order. */
export function readRecording(file: string, options: WireOptions): readonly Step[] {
  return readSteps(readLines(file), options);
}

/** The facts of all steps, in order. */
export function factsOf(steps: readonly Step[]): readonly Fact[] {
  return steps.flatMap((step) => step.reading.facts);
}
