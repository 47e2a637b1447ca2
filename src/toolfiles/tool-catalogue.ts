import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { dirname } from 'node:path';
import { DeskterityError } from '../model/effects/errors.ts';
import { nearestNames } from '../model/text/nearest.ts';
import { clip, quote } from '../model/text/untrusted-text.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { ProgramsPort } from '../ports/programs.ts';
import { createAvailability } from './run/availability.ts';
import { joinToolFiles, type JoinedFile } from './files/join-tool-files.ts';
import { judgeTools } from './files/judge-tools.ts';
import { toolInvalid } from './files/problem.ts';
import type { RunnableTool } from './run/runnable-tool.ts';
import type { HomePlaces } from './run/sandbox-places.ts';
import { scanToolFiles, type ScanParts } from './files/scan-tool-files.ts';
import type { ToolEntry, ToolFileEntry, ToolFolder, ToolSnapshot } from './tool-entries.ts';
import { untrusted, type TrustPort } from './files/trust.ts';

/** Files are often written in several steps. */
const DEBOUNCE_MS = 100;

/** A folder that changes constantly is still read this often. */
const LONGEST_DEBOUNCE_MS = 1000;

export interface CatalogueParts extends ScanParts {
  /** Earlier ones are overridden by later ones. */
  readonly toolFolders: readonly ToolFolder[];
  readonly places: HomePlaces;
  readonly trust: TrustPort;
  /** The trust store, watched for changes by other processes. */
  readonly trustFile: string;
  readonly readyHashes: ReadonlySet<string>;
  readonly programs: ProgramsPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Whether a name belongs to a tool that is not from a tool file. */
  readonly isTaken?: ((name: string) => boolean) | undefined;
  /** Check only this tool and its steps, and treat others as available; default all. */
  readonly only?: string | undefined;
}

/** The tools of a scope, read from their files. */
export interface ToolCatalogue {
  /** As of the last reading. */
  readonly snapshot: ToolSnapshot;
  /** Reads everything again, and runs all checks again. */
  refresh(): Promise<ToolSnapshot>;
  /** A tool that can be called. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED or TOOL_INVALID */
  require(name: string): RunnableTool;
  /** Reads again on every change, and calls `listener` if the result differs. @returns ends the watch */
  watch(listener: (snapshot: ToolSnapshot) => void): () => void;
}

/** Reads the tool files of a scope. */
export async function createToolCatalogue(parts: CatalogueParts): Promise<ToolCatalogue> {
  let snapshot = await readAll(parts);
  let reading: Promise<ToolSnapshot> | undefined;
  const refresh = async (): Promise<ToolSnapshot> => {
    // In order, so that an older result never replaces a newer one.
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

/** Reads and joins the tool files of a scope, without running anything and regardless of trust. */
export async function readToolFiles(
  parts: Pick<CatalogueParts, 'toolFolders' | 'places' | 'isTaken' | keyof ScanParts>,
): Promise<{ readonly joined: readonly JoinedFile[]; readonly problems: readonly string[] }> {
  const { places, isTaken = () => false } = parts;
  const { files, problems } = await scanToolFiles(parts.toolFolders, parts);
  return { joined: joinToolFiles(files, { places, isTaken }), problems };
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
    only: parts.only,
  });
  return { files: entries, problems: [...problems, ...trust.problems] };
}

/** Runs `body` shortly after changes, never concurrently. */
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
  return new DeskterityError('TOOL_NOT_FOUND', `${tool.name} is ${state}: ${reason ?? 'unknown reason'}.`, {
    suggestion:
      state === 'disabled'
        ? `Set "enabled" to true in ${quote(file.path)}, or in a copy of it.`
        : `${byPerson((instructions ?? 'Install what is missing').replace(/\.$/, ''))}. Then run ${mentionCommand('tools list')} to check again.`,
  });
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
      ? `${quote(clip(name, 80))} has subcommands; call one of those.`
      : `The tool ${quote(clip(name, 80))} does not exist.`,
    {
      suggestion:
        close.length === 0
          ? `Run ${mentionCommand('tools list')} to see all tools.`
          : `${below.length > 0 ? 'They are' : 'Did you mean'} ${close.join(', ')}${below.length > 0 ? '.' : '?'}`,
    },
  );
}
