import { letGoAt, playRecording, type Toggles } from '../recordings/play-recording.ts';
import { readLines } from '../recordings/recorded-lines.ts';
import type { WireOptions } from '../recordings/recorded-wire.ts';

/** What a session showed at a moment of its recording. */
export interface ShownLine {
  readonly t: number;
  /** State, tier and count of live subagents, with `+` while a follow-up is expected. */
  readonly line: string;
}

/** Plays a recording through its adapter and the core: what a session would have shown, change by change, until the client let go. */
export function tierLine(file: string, options: WireOptions & Toggles): readonly ShownLine[] {
  const recorded = readLines(file);
  const shown = playRecording(recorded, options).filter(({ t }) => t < letGoAt(recorded));
  const lines = shown.map(({ t, view }) => {
    const follow = view.awaitingFollowUp ? '+' : '';
    return { t, line: `${view.state} ${view.foregroundActivity ?? 'none'} ${view.activeSubagentCount}${follow}` };
  });
  return lines.filter((one, at) => one.line !== lines[at - 1]?.line);
}
