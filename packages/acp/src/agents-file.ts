import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { AgentError } from './errors.ts';
import { type AgentDefinition, providerOfBuiltIn } from './registry.ts';

const text = z.string().min(1);
const entry = z.strictObject({
  provider: text.optional(),
  label: text.optional(),
  command: text,
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: text.optional(),
});
const agentsFile = z.strictObject({
  agents: z.record(z.string().regex(/^[\w.-]+$/, 'an agent id has letters, digits, ".", "_" and "-" only'), entry),
});

const ADVICE =
  'It looks like { "agents": { "my-agent": { "command": "my-agent", "args": ["--acp"] } } }, with label, provider, env and cwd ' +
  'if you like: correct it, or unset VIGIL_AGENTS_FILE.';

/** The built-in agents with those of the file: an entry of a built-in's id takes its place and keeps its provider. */
export async function readAgents(
  path: string | null,
  builtIns: readonly AgentDefinition[],
): Promise<readonly AgentDefinition[]> {
  if (path === null) return builtIns;
  const agents = new Map(builtIns.map((agent) => [agent.id, agent]));
  for (const [id, own] of Object.entries((await parse(path)).agents))
    agents.set(id, definition(id, own, { path, agents }));
  return [...agents.values()];
}

async function parse(path: string): Promise<z.infer<typeof agentsFile>> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new AgentError(
      'agents_file_invalid',
      `${path}: expected a JSON file with agents: ${cause instanceof Error ? cause.message : String(cause)}. ${ADVICE}`,
      { cause },
    );
  }
  const parsed = agentsFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .map((issue) => `${issue.path.join('.') || 'file'}: ${messageOf(issue)}`)
    .join('; ');
  throw new AgentError('agents_file_invalid', `${path}: ${issues}. ${ADVICE}`, { cause: parsed.error });
}

/** What is wrong with a key is told one level below. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? issue.issues.map(messageOf).join(', ') : issue.message;
}

function definition(
  id: string,
  own: z.infer<typeof entry>,
  { path, agents }: { readonly path: string; readonly agents: ReadonlyMap<string, AgentDefinition> },
): AgentDefinition {
  const folder = dirname(resolve(path));
  const known = providerOfBuiltIn(id);
  if (known !== null && own.provider !== undefined && own.provider !== known) {
    throw new AgentError(
      'agents_file_invalid',
      `${path}: agents.${id}.provider: "${id}" is built in and keeps its provider "${known}"; use another id`,
    );
  }
  return {
    id,
    provider: known ?? own.provider ?? 'generic',
    label: own.label ?? agents.get(id)?.label ?? id,
    command: own.command.includes('/') ? resolve(folder, own.command) : own.command,
    args: (own.args ?? []).map((arg) => fileOf(folder, arg) ?? arg),
    env: { ...agents.get(id)?.env, ...own.env },
    cwd: own.cwd === undefined ? null : resolve(folder, own.cwd),
  };
}

/** The file beside the agents file that a relative argument names; null when there is none, so that flags stay as they are. */
function fileOf(folder: string, arg: string): string | null {
  if (arg === '' || arg.startsWith('-') || isAbsolute(arg)) return null;
  const file = resolve(folder, arg);
  return existsSync(file) ? file : null;
}
