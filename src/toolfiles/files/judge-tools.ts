import { DeskterityError } from '../../model/effects/errors.ts';
import type { createAvailability } from '../run/availability.ts';
import type { JoinedFile } from './join-tool-files.ts';
import type { RunnableTool } from '../run/runnable-tool.ts';
import { sequenceCommands } from '../run/sequences.ts';
import { stepToolName } from '../tool-names.ts';
import type { ToolEntry, ToolFileEntry } from '../tool-entries.ts';
import { isTrusted, type TrustedFile } from './trust.ts';

export interface JudgeParts {
  readonly trusted: readonly TrustedFile[];
  /** Hashes of the files shipped with Deskterity, which are trusted anywhere. */
  readonly readyHashes: ReadonlySet<string>;
  readonly unavailability: ReturnType<typeof createAvailability>;
  /** Check only this tool and its steps; default all. */
  readonly only?: string | undefined;
}

/** Determines the state of each file and tool. Nothing from an untrusted file is run, not even its checks. */
export async function judgeTools(
  files: readonly JoinedFile[],
  parts: JudgeParts,
): Promise<readonly ToolFileEntry[]> {
  const entries = new Map<string, ToolEntry>();
  const trust = new Map(files.map((file) => [file, isFileTrusted(file, parts)]));
  const wanted = parts.only === undefined ? undefined : withSteps(parts.only, files);
  const judging = files.flatMap((file) =>
    file.runnable.map((tool) =>
      judge(tool, trust.get(file) === true, async (one) =>
        wanted?.has(one.name) === false
          ? undefined
          : // For the many shipped tools, only check whether their programs are installed.
            parts.unavailability(one, file.origin === 'ready'),
      ),
    ),
  );
  for (const entry of await Promise.all(judging)) entries.set(entry.tool.name, entry);
  for (const entry of entries.values()) {
    const missing = entry.state === 'ready' ? missingStep(entry.tool, entries) : undefined;
    if (missing !== undefined) entries.set(entry.tool.name, { ...entry, state: 'unavailable', ...missing });
  }
  return files.map((file): ToolFileEntry => {
    const tools = file.runnable.flatMap(({ name }) => entries.get(name) ?? []);
    return {
      path: file.path,
      origin: file.origin,
      name: file.name,
      state: stateOf(file, tools),
      hasChanged: trust.get(file) === false && parts.trusted.some(({ path }) => path === file.path),
      problems: file.problems,
      overriddenBy: file.overriddenBy,
      tools,
    };
  });
}

/** A tool with all tools that its sequence calls, recursively. */
function withSteps(name: string, files: readonly JoinedFile[]): ReadonlySet<string> {
  const tools = new Map(files.flatMap(({ runnable }) => runnable.map((tool) => [tool.name, tool] as const)));
  const names = new Set([name]);
  // Iterating a set includes entries added during the iteration.
  for (const one of names)
    for (const { tool, subcommand } of tools.get(one)?.sequence ?? [])
      names.add(stepToolName(tool, subcommand));
  return names;
}

function isFileTrusted({ path, sha256 }: JoinedFile, { trusted, readyHashes }: JudgeParts): boolean {
  return sha256 !== undefined && (readyHashes.has(sha256) || isTrusted(trusted, path, sha256));
}

async function judge(
  tool: RunnableTool,
  isTrusted: boolean,
  unavailability: JudgeParts['unavailability'],
): Promise<ToolEntry> {
  // Disabled first: a disabled tool needs no trust.
  if (!tool.isEnabled) return { tool, state: 'disabled', reason: 'its file says "enabled": false' };
  if (!isTrusted) return { tool, state: 'untrusted', reason: 'its file is not trusted' };
  const missing = await unavailability(tool);
  return missing === undefined ? { tool, state: 'ready' } : { tool, state: 'unavailable', ...missing };
}

/** The first step of a sequence, including nested ones, that cannot be called. */
function missingStep(
  tool: RunnableTool,
  entries: ReadonlyMap<string, ToolEntry>,
): Pick<ToolEntry, 'reason' | 'instructions'> | undefined {
  if (tool.sequence === undefined) return undefined;
  let missing: Pick<ToolEntry, 'reason' | 'instructions'> | undefined;
  try {
    sequenceCommands(tool, {}, (name) => {
      const entry = entries.get(name);
      if (entry?.state === 'ready') return entry.tool;
      missing = {
        reason:
          entry === undefined
            ? `its step ${name} is invalid`
            : `its step ${name} is ${entry.state}: ${entry.reason ?? 'unknown reason'}`,
        instructions: entry?.instructions,
      };
      throw new DeskterityError('TOOL_NOT_FOUND', `${name} cannot be called.`, { suggestion: '' });
    });
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
  }
  return missing;
}

function stateOf(file: JoinedFile, tools: readonly ToolEntry[]): ToolFileEntry['state'] {
  if (file.overriddenBy !== undefined) return 'overridden';
  if (file.problems.length > 0) return 'invalid';
  const states = tools.map(({ state }) => state);
  for (const state of ['ready', 'untrusted', 'unavailable'] as const)
    if (states.includes(state)) return state;
  return 'disabled';
}
