import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { attachCommand, displayTag } from '../../model/terminals/session-name.ts';
import type { WindowGrouping } from '../../model/terminals/terminal-app.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { Argv, ControlPlace, TerminalApplication } from '../../ports/terminals/terminal-applications.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import type { Attachments } from '../sessions/attachments.ts';
import { guardFocus, type GuardedFocus } from './focus-guard.ts';
import { placeSession } from './place-session.ts';
import { sessionTitle } from './terminal-title.ts';
import type { TerminalShowing, WindowMachine } from './terminal-windows.ts';

/** Interval between two checks for attachments. */
const POLL_MS = 200;
/** For an application to start and the client in it to attach. */
const OPEN_LIMIT_MS = 15_000;
const CONTROL_LIMIT_MS = 3000;

/** Variables that the client in the window needs to find the daemon and the settings; some applications pass only their own environment. */
const PASSED_ON = [
  'HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
] as const;

export interface OpenWindowParts {
  readonly environment: Environment;
  readonly grouping: WindowGrouping;
  readonly attachments: Pick<Attachments, 'arrival'>;
  readonly machine: WindowMachine;
  readonly desktop: () => Promise<{
    readonly allowed: Pick<DesktopPort, 'launch'>;
    /** For keeping the focus where it is. */
    readonly whole: Parameters<typeof guardFocus>[0];
  }>;
  readonly clock: ClockPort;
  /** How to start the command line. */
  readonly program: readonly [string, ...string[]];
  /** Number of attachments to the terminal, also through other processes. */
  readonly attached: () => Promise<number>;
  /** Whether the client in the window attaches through this process. */
  readonly isDaemon: boolean;
}

/** An application that may be started. */
export interface FoundApplication extends TerminalApplication {
  /** The file that was judged: its name might lead to another one by now. */
  readonly path: string;
}

/**
 * Opens a window or tab that shows a terminal and waits for its client to attach. The focus is kept or restored.
 * @throws DeskterityError ACTION_FAILED, TIMEOUT, CANCELLED
 */
export async function openWindow(
  parts: OpenWindowParts,
  application: FoundApplication,
  terminal: TerminalFactsView,
  signal: AbortSignal,
): Promise<TerminalShowing> {
  const window = randomBytes(8).toString('hex');
  const request = {
    command: commandIn(parts, terminal, window),
    title: sessionTitle(terminal.name, terminal),
  };
  const arrival = () => arrived(parts, terminal, window, signal);
  const { tabs } = application;
  if (application.isInTerminal) {
    const via = await openTab(parts, application, terminal, request);
    await arrival();
    return { application: application.title, via: via ?? application.program, evidence: ['it is attached'] };
  }
  const { allowed: desktop, whole } = await parts.desktop();
  const watchFocus = await guardFocus(whole, parts.clock);
  const opening = (async () => {
    const via = await openTab(parts, application, terminal, request);
    if (via !== undefined) {
      await arrival();
      return via;
    }
    const argv = tabs?.openFirst(request, controlPlaceOf(parts)) ?? application.openWindow(request);
    const { environment } = parts;
    const [app, ...args] = at(application, argv);
    await desktop.launch({ app, args, cwd: '/', environment, deadlineMs: OPEN_LIMIT_MS, signal });
    await arrival();
    return argv[0];
  })();
  const focus = focusInWords(await watchFocus(opening), parts);
  return { application: application.title, via: await opening, evidence: ['it is attached', focus] };
}

function focusInWords(
  { wasRestored, isUnchanged, focused }: GuardedFocus,
  { machine, environment }: OpenWindowParts,
): string {
  const unknown = machine.applications.whyFocusIsUnknown(environment);
  if (unknown !== undefined) return unknown;
  const where = focused === undefined ? 'no window' : JSON.stringify(focused.slice(0, 80));
  if (!isUnchanged) return `the focus moved: ${where} has it`;
  return wasRestored
    ? `its window took the focus, which was restored to ${where}`
    : `${where} kept the focus`;
}

/** Opens a tab beside another session, or a further window of the running application. @returns `undefined` if that is not possible */
async function openTab(
  { environment, grouping, machine }: OpenWindowParts,
  application: FoundApplication,
  { name }: TerminalFactsView,
  request: { readonly command: Argv; readonly title: string },
): Promise<string | undefined> {
  const { tabs } = application;
  if (tabs === undefined) return undefined;
  const place = controlPlaceOf({ machine, environment });
  const limited = { environment, limitMs: CONTROL_LIMIT_MS };
  const listed = await machine.programs.run(at(application, tabs.list(place)), limited);
  // The application is not running.
  if (listed.exitCode !== 0) return undefined;
  const where = placeSession(name, grouping, tabs.parseList(listed.stdout));
  const argv =
    where.type === 'tab' ? tabs.openTab(request, place, where.beside) : tabs.openWindow(request, place);
  const { exitCode, stderr } = await machine.programs.run(at(application, argv), limited);
  if (exitCode === 0)
    return argv
      .slice(0, 1)
      .concat(where.type === 'tab' ? 'tab' : 'window')
      .join(' ');
  throw new DeskterityError('ACTION_FAILED', `${argv[0]} could not open a window for the terminal.`, {
    suggestion: `Run ${attachCommand(name)} in any terminal.`,
    platformDetail: stderr.slice(0, 500),
    delivered: true,
  });
}

/** A command of an application, with the file that was judged. */
function at({ program, path }: FoundApplication, [name, ...args]: Argv): Argv {
  return [name === program ? path : name, ...args];
}

/** Where applications of this user are controlled. */
function controlPlaceOf({
  machine,
  environment,
}: Pick<OpenWindowParts, 'machine' | 'environment'>): ControlPlace {
  const folder = machine.socketFolder(environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return machine.applications.controlPlace(environment, folder);
}

function commandIn(
  { environment, program }: OpenWindowParts,
  { name }: TerminalFactsView,
  window: string,
): Argv {
  const variables = PASSED_ON.flatMap((variable) => {
    const value = environment[variable];
    return value === undefined || value === '' ? [] : [`${variable}=${value}`];
  });
  const flags = [`--project-path=${name.projectPath}`, `--tag=${name.tag}`, `--window=${window}`];
  return ['env', ...variables, ...program, 'terminal', 'attach', ...flags];
}

/** Resolves when the client in this window has attached. */
async function arrived(
  { attachments, attached, isDaemon, clock }: OpenWindowParts,
  { name, attached: before }: TerminalFactsView,
  window: string,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.now() + OPEN_LIMIT_MS;
  if (isDaemon && (await attachments.arrival(window, OPEN_LIMIT_MS, signal)) !== undefined) return;
  if (!isDaemon) {
    for (; clock.now() < end && !signal.aborted; await clock.sleep(POLL_MS)) {
      if ((await attached()) > before) return;
    }
  }
  if (signal.aborted)
    throw new DeskterityError('CANCELLED', 'Showing the terminal was cancelled.', {
      suggestion: 'The window may still open.',
      delivered: true,
    });
  throw new DeskterityError(
    'TIMEOUT',
    `A window was opened but did not show session '${displayTag(name)}' within ${OPEN_LIMIT_MS / 1000} seconds.`,
    {
      suggestion: `Run ${attachCommand(name)} in any terminal to see why.`,
      delivered: true,
      retryable: true,
    },
  );
}
