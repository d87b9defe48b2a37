import type { Database } from '@vigil/db';
import type { Runtime } from './runtime.ts';
import type { Settings } from './types.ts';

const DEFAULTS: Settings = { confirmArchive: true, automaticMoves: true };
const KEYS = ['confirmArchive', 'automaticMoves'] as const satisfies readonly (keyof Settings)[];

/** As stored; what was never set, or does not fit any more, is as by default. */
export async function readSettings(database: Database): Promise<Settings> {
  const stored = await database.settings.all();
  const settings = { ...DEFAULTS };
  for (const key of KEYS) {
    const value = stored[key];
    if (typeof value === 'boolean') settings[key] = value;
  }
  return settings;
}

/** Changes what is named, and nothing else: no setting acts by itself (W4). */
export async function updateSettings(
  runtime: Runtime,
  changes: { [Key in keyof Settings]?: Settings[Key] | undefined },
): Promise<Settings> {
  for (const key of KEYS) {
    const value = changes[key];
    if (value === undefined) continue;
    await runtime.deps.database.settings.set(key, value);
    runtime.settings = { ...runtime.settings, [key]: value };
  }
  return runtime.settings;
}
