import type { Runtime } from './runtime.ts';
import type { Settings } from './types.ts';

const DEFAULTS: Settings = { confirmArchive: true };

/** As stored; what was never set, or does not fit any more, is as by default. */
export async function getSettings(runtime: Runtime): Promise<Settings> {
  const { confirmArchive } = await runtime.deps.database.settings.all();
  return { confirmArchive: typeof confirmArchive === 'boolean' ? confirmArchive : DEFAULTS.confirmArchive };
}

/** Changes what is named, and nothing else: no setting acts by itself (W4). */
export async function updateSettings(
  runtime: Runtime,
  changes: { [Key in keyof Settings]?: Settings[Key] | undefined },
): Promise<Settings> {
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) await runtime.deps.database.settings.set(key, value);
  }
  return getSettings(runtime);
}
