import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort } from '../../ports/terminals.ts';
import { requireSession } from '../../terminal/use-cases/terminal-call.ts';
import type { TerminalCall } from '../../terminal/use-cases/terminal-call.ts';
import { noSuchTerminal } from '../../terminal/use-cases/terminal-failures.ts';
import { projectFolder, startTerminal, USUAL_SIZE } from './start-terminal.ts';
import type { StartTerminalParts } from './start-terminal.ts';

/** The terminal a call is about. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT */
export async function requireTerminal(port: TerminalsPort, call: TerminalCall): Promise<TerminalFactsView> {
  const name = await nameOf(call, false);
  const found = await port.find(name);
  if (found === undefined) throw noSuchTerminal(name);
  return found;
}

/**
 * The terminal a call is about, started where there is none, and of the size that was asked for.
 * @throws DeskterityError as {@link startTerminal}
 */
export async function openTerminal(
  parts: StartTerminalParts,
  port: TerminalsPort,
  call: TerminalCall,
): Promise<TerminalFactsView> {
  const name = await nameOf(call, true);
  const found = await port.find(name);
  const isThere = found !== undefined && found.state !== 'exited';
  // One that is confined goes on to be used by whoever does not ask for it; the other way round there would be no sandbox where one was asked for.
  if (isThere && (found.isConfined || !call.confined)) return resized(port, found, call);
  const size = { columns: call.columns ?? USUAL_SIZE.columns, rows: call.rows ?? USUAL_SIZE.rows };
  return startTerminal(parts, port, { name, isConfined: call.confined, size });
}

/** Does it once more where the terminal has ended between being found and being asked; what was to run in a sandbox runs in one then, too. */
export async function withTerminal<T>(
  open: (isConfined: boolean) => Promise<TerminalFactsView>,
  use: (terminal: TerminalFactsView) => Promise<T>,
): Promise<T> {
  const first = await open(false);
  try {
    return await use(first);
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'TERMINAL_NOT_FOUND') throw error;
    const second = await open(first.isConfined);
    if (second.id === first.id) throw error;
    return use(second);
  }
}

async function nameOf(call: TerminalCall, mustBeThere: boolean): Promise<TerminalName> {
  const { projectPath, tag } = requireSession(call);
  return { projectPath: await projectFolder(projectPath, mustBeThere), tag };
}

const RESIZE_MS = 5000;

async function resized(
  port: TerminalsPort,
  terminal: TerminalFactsView,
  { columns = terminal.size.columns, rows = terminal.size.rows }: TerminalCall,
): Promise<TerminalFactsView> {
  if (columns === terminal.size.columns && rows === terminal.size.rows) return terminal;
  const view = await port.view(terminal.id);
  await view.resize({ columns, rows }, { deadlineMs: RESIZE_MS });
  return port.facts(terminal.id);
}
