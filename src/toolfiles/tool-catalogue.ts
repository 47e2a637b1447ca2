import { mentionCommand } from '../model/text/mention.ts';
import { dirname } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { nearestNames } from '../model/text/nearest.ts';
import { clip, quote } from '../model/text/untrusted-text.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { ProgramsPort } from '../ports/programs.ts';
import { createAvailability } from './run/availability.ts';
import { joinToolFiles } from './files/join-tool-files.ts';
import type { JoinedFile } from './files/join-tool-files.ts';
import { judgeTools } from './files/judge-tools.ts';
import { toolInvalid } from './files/problem.ts';
import type { RunnableTool } from './run/runnable-tool.ts';
import type { HomePlaces } from './run/sandbox-places.ts';
import { scanToolFiles } from './files/scan-tool-files.ts';
import type { ScanParts } from './files/scan-tool-files.ts';
import type { ToolEntry, ToolFileEntry, ToolFolder, ToolSnapshot } from './tool-entries.ts';
import { untrusted } from './files/trust.ts';
import type { TrustPort } from './files/trust.ts';

/** Files are often written in several steps. */
const DEBOUNCE_MS = 100;

/** A folder that changes all the time is read this often all the same. */
const LONGEST_DEBOUNCE_MS = 1000;

export interface CatalogueParts extends ScanParts {
  /** Earlier ones are overridden by later ones. */
  readonly toolFolders: readonly ToolFolder[];
  readonly places: HomePlaces;
  readonly trust: TrustPort;
  /** Where trust is kept, so that what another process trusts is noticed. */
  readonly trustFile: string;
  readonly readyHashes: ReadonlySet<string>;
  readonly programs: ProgramsPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Tool names that are not of tool files. */
  readonly isTaken?: ((name: string) => boolean) | undefined;
  /** Only this tool and the steps it calls are checked; all others are taken to be available. All are checked where absent. */
  readonly only?: string | undefined;
  /** Tools that steps of sequences may call beside those of files, such as the sandboxed shell. */
  readonly builtIn?: readonly RunnableTool[] | undefined;
}

/** The tools of a scope, read from their files. */
export interface ToolCatalogue {
  /** As of the last reading. */
  readonly snapshot: ToolSnapshot;
  /** Reads everything again, and runs all checks again. */
  refresh(): Promise<ToolSnapshot>;
  /** A tool that can be called. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED or TOOL_INVALID, each with the way on */
  require(name: string): RunnableTool;
  /** Reads again whenever something changes, and calls `listener` with what is different then. @returns ends the watch */
  watch(listener: (snapshot: ToolSnapshot) => void): () => void;
}

/** Reads the tool files of a scope. */
export async function createToolCatalogue(parts: CatalogueParts): Promise<ToolCatalogue> {
  let snapshot = await readAll(parts);
  let reading: Promise<ToolSnapshot> | undefined;
  const refresh = async (): Promise<ToolSnapshot> => {
    // One after the other: an older reading must not come after a newer one.
    const before = reading;
    const mine = (async () => {
      await before?.catch(() => undefined);
      snapshot = await readAll(parts);
      return snapshot;
    })();
    reading = mine;
    return mine;
  };
  return {
    get snapshot() {
      return snapshot;
    },
    refresh,
    require: (name) => requireTool(name, snapshot),
    watch: (listener) => {
      let last = JSON.stringify(snapshot);
      return watchDebounced(parts, async () => {
        const now = await refresh();
        const text = JSON.stringify(now);
        if (text === last) return;
        last = text;
        listener(now);
      });
    },
  };
}

/** The tool files of a scope as they are beside each other; nothing is run, and trust is not looked at. */
export async function readToolFiles(
  parts: Pick<CatalogueParts, 'toolFolders' | 'places' | 'isTaken' | 'builtIn' | keyof ScanParts>,
): Promise<{ readonly joined: readonly JoinedFile[]; readonly problems: readonly string[] }> {
  const { places, isTaken = () => false, builtIn = [] } = parts;
  const { files, problems } = await scanToolFiles(parts.toolFolders, parts);
  return { joined: joinToolFiles(files, { places, isTaken, builtIn }), problems };
}

async function readAll(parts: CatalogueParts): Promise<ToolSnapshot> {
  const { joined, problems } = await readToolFiles(parts);
  const trust = await parts.trust.trusted().then(
    (trusted) => ({ trusted, problems: [] }),
    (error: unknown) => {
      if (!(error instanceof DeskterityError)) throw error;
      return { trusted: [], problems: [error.message.replace(/\.$/, '')] };
    },
  );
  const entries = await judgeTools(joined, {
    trusted: trust.trusted,
    readyHashes: parts.readyHashes,
    unavailability: createAvailability(parts.programs, parts.places),
    builtIn: parts.builtIn ?? [],
    only: parts.only,
  });
  return { files: entries, problems: [...problems, ...trust.problems] };
}

/** Runs `body` some time after changes, never twice at once. */
function watchDebounced(parts: CatalogueParts, body: () => Promise<void>): () => void {
  const ended = new AbortController();
  let quiet: AbortController | undefined;
  let firstAt: number | undefined;
  const changed = () => {
    if (ended.signal.aborted) return;
    firstAt ??= parts.clock.now();
    quiet?.abort();
    const mine = new AbortController();
    quiet = mine;
    const left = Math.max(0, firstAt + LONGEST_DEBOUNCE_MS - parts.clock.now());
    void settle(Math.min(DEBOUNCE_MS, left), AbortSignal.any([mine.signal, ended.signal]));
  };
  const settle = async (waitMs: number, signal: AbortSignal): Promise<void> => {
    try {
      await parts.clock.sleep(waitMs, signal);
      firstAt = undefined;
      await body();
    } catch (error) {
      if (signal.aborted) return;
      parts.log.write({
        level: 'error',
        message: 'tool files could not be read again',
        fields: { error: error instanceof Error ? error.message : String(error) },
      });
    }
  };
  const watched = [...parts.toolFolders.map(({ path }) => path), dirname(parts.trustFile)];
  const ends = [...new Set(watched)].map((path) => parts.folders.watch(path, changed));
  return () => {
    ended.abort();
    for (const end of ends) end();
  };
}

function requireTool(name: string, { files }: ToolSnapshot): RunnableTool {
  const known = files.flatMap((file) => file.tools.map((entry) => ({ file, entry })));
  const found = known.find(({ entry }) => entry.tool.name === name);
  if (found === undefined) throw notFound(name, files);
  const { entry, file } = found;
  if (entry.state === 'ready') return entry.tool;
  if (entry.state === 'untrusted') throw untrusted(name, file);
  throw notReady(entry, file);
}

function notReady({ tool, state, reason, instructions }: ToolEntry, file: ToolFileEntry): DeskterityError {
  return new DeskterityError(
    'TOOL_NOT_FOUND',
    `${tool.name} is ${state}: ${reason ?? 'no reason is known'}.`,
    {
      suggestion:
        state === 'disabled'
          ? `Set "enabled" to true in ${quote(file.path)}, or in a copy of it.`
          : `${instructions ?? 'Install what is missing.'} Then try again: ${mentionCommand('tools list')} looks for it anew.`,
    },
  );
}

function notFound(name: string, files: readonly ToolFileEntry[]): DeskterityError {
  const invalid = files.find(
    (file) => file.state === 'invalid' && (name === file.name || name.startsWith(`${file.name}_`)),
  );
  if (invalid !== undefined) return toolInvalid(invalid.problems);
  const names = files.flatMap(({ tools }) => tools.map(({ tool }) => tool.name));
  const below = names.filter((known) => known.startsWith(`${name}_`));
  const close = below.length > 0 ? below.slice(0, 10) : nearestNames(name, names);
  return new DeskterityError(
    'TOOL_NOT_FOUND',
    below.length > 0
      ? `${quote(clip(name, 80))} is called by its subcommands.`
      : `There is no tool ${quote(clip(name, 80))}.`,
    {
      suggestion:
        close.length === 0
          ? `Run ${mentionCommand('tools list')} to see all of them.`
          : `${below.length > 0 ? 'There are' : 'Did you mean'} ${close.join(', ')}${below.length > 0 ? '.' : '?'}`,
    },
  );
}
