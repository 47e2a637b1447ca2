import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { attachCommand, displayTag } from '../../model/terminals/session-name.ts';
import type { WindowGrouping } from '../../model/terminals/terminal-app.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop.ts';
import type {
  Argv,
  ControlPlace,
  TabControl,
  TerminalApplication,
} from '../../ports/terminals/terminal-applications.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import type { Attachments } from '../sessions/attachments.ts';
import { FocusGuard } from './focus-guard.ts';
import type { GuardedFocus } from './focus-guard.ts';
import { placeSession } from './place-session.ts';
import { sessionTitle } from './terminal-title.ts';
import type { TerminalShowing } from './terminal-windows.ts';
import type { WindowMachine } from './window-machine.ts';

/** Between two looks at who is there. */
const LOOK_EVERY_MS = 200;
/** For an application to come up, and what runs in it to attach. */
const OPEN_LIMIT_MS = 15_000;
const CONTROL_LIMIT_MS = 3000;

/** What the program in the window must have to find the daemon and the settings: some applications start it with what they themselves were started with. */
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
  readonly desktop: () => Promise<DesktopPort>;
  readonly clock: ClockPort;
  /** What the command line is started by. */
  readonly program: readonly [string, ...string[]];
  /** How many are attached to the terminal, also through other processes. */
  readonly attached: () => Promise<number>;
  /** What runs in the window attaches through this process. */
  readonly isDaemon: boolean;
}

/**
 * Opens a window or tab that shows a terminal, and waits until it does. What has the focus keeps it, or gets it back.
 * @throws DeskterityError ACTION_FAILED, TIMEOUT, CANCELLED
 */
export async function openWindow(
  parts: OpenWindowParts,
  application: TerminalApplication,
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
  const desktop = await parts.desktop();
  const guard = await FocusGuard.start(desktop, parts.clock);
  const opening = (async () => {
    const via = await openTab(parts, application, terminal, request);
    if (via !== undefined) {
      await arrival();
      return via;
    }
    const argv = tabs?.openFirst(request, controlPlaceOf(parts)) ?? application.openWindow(request);
    await launch(desktop, argv, parts.environment, signal);
    await arrival();
    return argv[0];
  })();
  const focus = focusInWords(await guard.until(opening), parts);
  return { application: application.title, via: await opening, evidence: ['it is attached', focus] };
}

function focusInWords(
  { wasGivenBack, isAsBefore, focused }: GuardedFocus,
  { machine, environment }: OpenWindowParts,
): string {
  const unknown = machine.applications.whyFocusIsUnknown(environment);
  if (unknown !== undefined) return unknown;
  const where = focused === undefined ? 'no window' : JSON.stringify(focused.slice(0, 80));
  if (!isAsBefore) return `the focus is no longer where it was: ${where} has it`;
  return wasGivenBack
    ? `its window got the focus, which was given back to ${where}`
    : `${where} kept the focus`;
}

/** In the window of another session, or in a further window of an application that runs. @returns `undefined` where that cannot be */
async function openTab(
  { environment, grouping, machine }: OpenWindowParts,
  { tabs }: TerminalApplication,
  { name }: TerminalFactsView,
  request: { readonly command: Argv; readonly title: string },
): Promise<string | undefined> {
  if (tabs === undefined) return undefined;
  const place = controlPlaceOf({ machine, environment });
  const shown = await listTabs(tabs, place, { machine, environment });
  if (shown === undefined) return undefined;
  const where = placeSession(name, grouping, shown);
  const argv =
    where.type === 'tab' ? tabs.openTab(request, place, where.beside) : tabs.openWindow(request, place);
  const { exitCode, stderr } = await machine.programs.run(argv, { environment, limitMs: CONTROL_LIMIT_MS });
  if (exitCode === 0)
    return argv
      .slice(0, 1)
      .concat(where.type === 'tab' ? 'tab' : 'window')
      .join(' ');
  throw new DeskterityError('ACTION_FAILED', `${argv[0]} has not opened a window for the terminal.`, {
    suggestion: `Run ${attachCommand(name)} in any terminal.`,
    platformDetail: stderr.slice(0, 500),
    delivered: true,
  });
}

/** `undefined` where the application does not run. */
async function listTabs(
  tabs: TabControl,
  place: ControlPlace,
  { machine, environment }: Pick<OpenWindowParts, 'machine' | 'environment'>,
) {
  const { exitCode, stdout } = await machine.programs.run(tabs.list(place), {
    environment,
    limitMs: CONTROL_LIMIT_MS,
  });
  return exitCode === 0 ? tabs.parseList(stdout) : undefined;
}

/** Where applications of this user are told things. */
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

async function launch(
  desktop: DesktopPort,
  [app, ...args]: Argv,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  await desktop.launch({ app, args, cwd: '/', environment, deadlineMs: OPEN_LIMIT_MS, signal });
}

/** Resolves when somebody is attached in this window. */
async function arrived(
  { attachments, attached, isDaemon, clock }: OpenWindowParts,
  { name, attached: before }: TerminalFactsView,
  window: string,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.now() + OPEN_LIMIT_MS;
  if (isDaemon && (await attachments.arrival(window, OPEN_LIMIT_MS, signal)) !== undefined) return;
  if (!isDaemon) {
    for (; clock.now() < end && !signal.aborted; await clock.sleep(LOOK_EVERY_MS)) {
      if ((await attached()) > before) return;
    }
  }
  if (signal.aborted)
    throw new DeskterityError('CANCELLED', 'Showing the terminal was cancelled.', {
      suggestion: 'Its window may still open.',
      delivered: true,
    });
  throw new DeskterityError(
    'TIMEOUT',
    `A window was opened, but session '${displayTag(name)}' was not shown in it within ${OPEN_LIMIT_MS / 1000} seconds.`,
    {
      suggestion: `Run ${attachCommand(name)} in any terminal to see why.`,
      delivered: true,
      retryable: true,
    },
  );
}
