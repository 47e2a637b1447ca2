import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { deriveTag } from '../../model/terminals/session-name.ts';
import type { ExecuteRequest, SessionRequest } from '../../model/terminals/terminal-requests.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { nearestReal } from '../../operations/confinement/sandbox-scope.ts';
import { confinedBefore, noSuchTerminal } from '../failures.ts';
import { startTerminal, USUAL_SIZE, type StartTerminalParts } from './start-terminal.ts';

/** Where a request finds its session. */
export interface SessionPlace {
  readonly port: TerminalsPort;
  /** Folder of the caller, which is the default project. */
  readonly cwd: string;
}

const RESIZE_MS = 5000;

/** The existing terminal of a request. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT */
export async function requireTerminal(
  place: SessionPlace,
  request: SessionRequest,
): Promise<TerminalFactsView> {
  const name = await nameOf(place, request, false);
  const found = await place.port.find(name);
  if (found === undefined) throw noSuchTerminal(name);
  return found;
}

/** The terminal of a request, or what is left of it after it ended. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT */
export async function requireTerminalOrRemains(
  place: SessionPlace,
  request: SessionRequest,
): Promise<Pick<TerminalFactsView, 'id' | 'name'>> {
  const name = await nameOf(place, request, false);
  const found = (await place.port.find(name)) ?? (await place.port.remains(name));
  if (found === undefined) throw noSuchTerminal(name);
  return { id: found.id, name };
}

/**
 * The terminal of a request in the requested size, started if necessary.
 * @throws DeskterityError as {@link startTerminal}
 */
export async function openTerminal(
  place: SessionPlace & { readonly start: StartTerminalParts },
  request: Pick<ExecuteRequest, 'project_path' | 'tag' | 'confined' | 'columns' | 'rows'>,
): Promise<TerminalFactsView> {
  const { port, start } = place;
  const name = await nameOf(place, request, true);
  const found = await port.find(name);
  const isThere = found !== undefined && found.state !== 'exited';
  const { confined: isConfined, columns, rows } = request;
  // A confined terminal also serves requests without a sandbox, but never the reverse.
  if (isThere && (found.isConfined || !isConfined)) return resized(port, found, request);
  // A program in the sandbox can end its shell, so its end must not lead out of the sandbox.
  if (!isConfined && (await port.remains(name))?.isConfined === true) throw confinedBefore(name);
  const size = { columns: columns ?? USUAL_SIZE.columns, rows: rows ?? USUAL_SIZE.rows };
  return startTerminal(start, port, { name, isConfined, size });
}

/** Retries once if the terminal has ended between being found and being used, but never what was sent; a confined session is followed by a confined one. */
export async function withTerminal<T>(
  open: (isConfined: boolean) => Promise<TerminalFactsView>,
  use: (terminal: TerminalFactsView) => Promise<T>,
): Promise<T> {
  const first = await open(false);
  try {
    return await use(first);
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'TERMINAL_NOT_FOUND') throw error;
    if (error.delivered === true) throw error;
    const second = await open(first.isConfined);
    if (second.id === first.id) throw error;
    return use(second);
  }
}

/** A project's folder with links resolved. @throws DeskterityError INVALID_ARGUMENT if it does not exist */
async function existingProject(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch {
    // Reported below.
  }
  throw invalid(
    `The parameter 'project_path' is ${quote(clip(path, 200))}, which is not an accessible folder.`,
    'Pass the absolute path of an existing folder.',
  );
}

export function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion });
}

async function nameOf(
  { cwd }: SessionPlace,
  { project_path: project, tag }: SessionRequest,
  mustBeThere: boolean,
): Promise<TerminalName> {
  const path = project ?? cwd;
  if (project === undefined && (cwd === '/' || cwd === ''))
    throw invalid(
      "The parameter 'project_path' is missing.",
      'Pass the absolute path of the project folder as project_path.',
    );
  const projectPath = await (mustBeThere ? existingProject(path) : nearestReal(resolve(path)));
  return { projectPath, tag: tag ?? deriveTag(path) };
}

async function resized(
  port: TerminalsPort,
  terminal: TerminalFactsView,
  { columns = terminal.size.columns, rows = terminal.size.rows }: Pick<ExecuteRequest, 'columns' | 'rows'>,
): Promise<TerminalFactsView> {
  if (columns === terminal.size.columns && rows === terminal.size.rows) return terminal;
  const view = await port.view(terminal.id);
  await view.resize({ columns, rows }, { deadlineMs: RESIZE_MS });
  return port.facts(terminal.id);
}
