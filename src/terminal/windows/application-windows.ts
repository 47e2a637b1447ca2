import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { attachCommand, displayTag } from '../../model/terminals/session-name.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';
import type { TerminalSettings } from '../../model/terminals/terminal-settings.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { Argv, TerminalApplication, WindowPlace } from '../../ports/terminals/terminal-applications.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { projectHash } from '../session-key.ts';
import type { Attachments } from '../sessions/attachments.ts';
import { openWindow, type FoundApplication } from './open-window.ts';
import { parseSessionTitle } from './terminal-title.ts';
import type { TerminalPlace, TerminalShowing, TerminalWindows, WindowMachine } from './terminal-windows.ts';

const LOOK_MS = 1500;
const RAISE_MS = 5000;
const CONTROL_LIMIT_MS = 3000;
const POLL_MS = 25;

export interface ApplicationWindowsParts {
  /** The caller's environment with the variables of the user's desktop. */
  readonly environment: () => Promise<Environment>;
  readonly settings: Pick<TerminalSettings, 'app' | 'windowGrouping'>;
  readonly terminals: () => Promise<TerminalsPort>;
  readonly attachments: Pick<Attachments, 'of' | 'arrival'>;
  readonly machine: WindowMachine;
  /** The desktop of this environment. @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE */
  readonly desktopOf: (environment: Environment) => Promise<ShowingDesktop>;
  /** Judges a program as an application before it is started. @throws DeskterityError POLICY_DENIED, CONFIRMATION_REQUIRED */
  readonly requireLaunchable: (command: readonly string[]) => Promise<void>;
  readonly clock: ClockPort;
  readonly isDaemon: boolean;
  /** How to start the command line; absent when run from source. */
  readonly program: Argv | undefined;
}

/** A desktop for windows with terminals. */
interface ShowingDesktop {
  /** As the policy leaves it to callers, but with the window in which a caller itself runs: that is where its terminals are shown. */
  readonly allowed: DesktopPort;
  /** What had the focus gets it back, whatever it is. */
  readonly whole: Pick<DesktopPort, 'listWindows' | 'controlWindow'>;
}

/** Shows terminals in windows of the caller's terminal application. */
export class ApplicationWindows implements TerminalWindows {
  private readonly parts: ApplicationWindowsParts;

  constructor(parts: ApplicationWindowsParts) {
    this.parts = parts;
  }

  async application(): Promise<string | undefined> {
    const { machine, settings, environment } = this.parts;
    return applicationTitle(machine, settings.app, await environment());
  }

  async placeOf(terminal: TerminalFactsView): Promise<TerminalPlace | undefined> {
    const place = this.attachedPlace(terminal)?.place;
    if (place !== undefined)
      return { windowIdentifier: place.identifiers.window, tabIdentifier: place.identifiers.tab };
    const id = await this.titledWindow(terminal).catch(() => undefined);
    return id === undefined ? undefined : { windowIdentifier: id, tabIdentifier: null };
  }

  async attach(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing> {
    const place = await this.placeOf(terminal);
    if (place !== undefined) {
      const where = [place.windowIdentifier, place.tabIdentifier].filter((id) => id !== null).join(', ');
      return { via: 'none', evidence: [`it is already shown: ${where}`] };
    }
    const { parts } = this;
    const { program, settings, machine, attachments, clock, isDaemon } = parts;
    const { environment, application } = await this.judged(terminal);
    if (program === undefined) throw nothingShows(terminal);
    return openWindow(
      {
        environment,
        grouping: settings.windowGrouping,
        attachments,
        machine,
        desktop: () => parts.desktopOf(environment),
        clock,
        program,
        isDaemon,
        attached: async () => (await (await parts.terminals()).facts(terminal.id)).attached,
      },
      application,
      terminal,
      signal,
    );
  }

  async requireShowing(terminal: TerminalFactsView): Promise<void> {
    if ((await this.placeOf(terminal)) === undefined) await this.judged(terminal);
  }

  /** The application that would show a terminal, which may be started. */
  private async judged(
    terminal: TerminalFactsView,
  ): Promise<{ readonly environment: Environment; readonly application: FoundApplication }> {
    const { machine, settings, requireLaunchable } = this.parts;
    const environment = await this.parts.environment();
    const application = choose(machine, settings.app, environment);
    const path = application && machine.programs.find(application.program, environment['PATH'] ?? '');
    if (application === undefined || path === undefined) throw nothingShows(terminal);
    await requireLaunchable([path]);
    return { environment, application: { ...application, path } };
  }

  async focus(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing> {
    const opened =
      (await this.placeOf(terminal)) === undefined ? await this.attach(terminal, signal) : undefined;
    const raised = await this.raise(terminal, signal);
    return {
      application: opened?.application,
      via: opened === undefined ? raised.via : `${opened.via}, ${raised.via}`,
      evidence: [...(opened === undefined ? [] : ['it was not shown before']), ...raised.evidence],
    };
  }

  private async raise(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing> {
    const environment = await this.parts.environment();
    const attached = this.attachedPlace(terminal);
    if (attached === undefined) {
      const id = await this.titledWindow(terminal);
      if (id !== undefined) return this.raiseWindow(environment, id, signal);
      throw new DeskterityError(
        'ACTION_FAILED',
        `Session '${displayTag(terminal.name)}' is shown, but its window could not be identified.`,
        { suggestion: 'The user can select the window.' },
      );
    }
    const { place } = attached;
    const tab = place.focusTab && (await this.control(terminal, place.focusTab));
    const window = await this.windowOf(attached);
    // The attached client may be on another display than the caller.
    const raised =
      window && (await this.raiseWindow({ ...environment, ...window.display }, window.id, signal));
    const [first, second] = [tab, raised].filter((showing) => showing !== undefined);
    if (first === undefined) throw nothingShows(terminal);
    return second === undefined
      ? first
      : { via: `${first.via}, ${second.via}`, evidence: [...first.evidence, ...second.evidence] };
  }

  /** The desktop window: its own or, for an application inside another terminal such as tmux, that of its most recent viewer. */
  private async windowOf({
    place,
    environment,
  }: AttachedPlace): Promise<{ readonly id: string; readonly display: Environment } | undefined> {
    const { machine } = this.parts;
    const { applications } = machine;
    if (place.windowId !== undefined)
      return { id: place.windowId, display: applications.displayOf(environment) };
    if (place.viewers === undefined) return undefined;
    const { viewers } = place;
    const { stdout } = await this.run(viewers.list);
    for (const { pid, variables } of viewers.parseList(stdout)) {
      const values = await Promise.all(
        variables.map(async (name) => [name, await machine.processes.startingVariable(pid, name)] as const),
      );
      const around = Object.fromEntries(values);
      const id = applications.placeOf(around)?.windowId;
      if (id !== undefined) return { id, display: applications.displayOf(around) };
    }
    return undefined;
  }

  private async control({ name }: TerminalFactsView, argv: Argv): Promise<TerminalShowing> {
    const { exitCode, stderr } = await this.run(argv);
    if (exitCode === 0) return { via: argv[0], evidence: [`${argv[0]} brought its tab to the front`] };
    throw new DeskterityError(
      'ACTION_FAILED',
      `${argv[0]} could not bring session '${displayTag(name)}' to the front.`,
      {
        suggestion: `Run ${attachCommand(name)} in any terminal.`,
        platformDetail: stderr.slice(0, 500),
      },
    );
  }

  /** Runs what controls an application. */
  private async run([name, ...args]: Argv): ReturnType<WindowMachine['programs']['run']> {
    const { machine, requireLaunchable } = this.parts;
    const environment = await this.parts.environment();
    const program = machine.programs.find(name, environment['PATH'] ?? '');
    if (program === undefined)
      return { exitCode: undefined, stdout: '', stderr: `${name} is not in the PATH` };
    await requireLaunchable([program]);
    return machine.programs.run([program, ...args], { environment, limitMs: CONTROL_LIMIT_MS });
  }

  private async raiseWindow(
    environment: Environment,
    id: string,
    signal: AbortSignal,
  ): Promise<TerminalShowing> {
    const { clock, desktopOf } = this.parts;
    const { allowed: desktop } = await desktopOf(environment);
    const end = clock.now() + RAISE_MS;
    const { via } = await desktop.controlWindow(id, { kind: 'focus' }, { deadlineMs: RAISE_MS, signal });
    for (;;) {
      const windows = await desktop.listWindows({ deadlineMs: RAISE_MS, signal });
      const focused = windows.find((window) => window.focused);
      if (focused?.id === id) return { via, evidence: ['its window has the focus'] };
      if (clock.now() > end)
        throw new DeskterityError('ACTION_FAILED', 'The window manager did not give the window the focus.', {
          suggestion: `Try ${mentionCommand('focus-window', { window: id })}, or let the user click on the window.`,
          delivered: true,
        });
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** The window with the title of this session. */
  private async titledWindow({ id, name }: TerminalFactsView): Promise<string | undefined> {
    const { desktopOf, attachments, machine } = this.parts;
    const isShown = attachments.of(id).some(({ window }) => window !== undefined);
    if (!isShown) return undefined;
    const environment = await this.parts.environment();
    if (!machine.applications.listsWindows(environment)) return undefined;
    const { allowed } = await desktopOf(environment);
    const windows = await allowed.listWindows({ deadlineMs: LOOK_MS });
    const hash = projectHash(name.projectPath);
    return windows.find(({ title }) => {
      const facts = parseSessionTitle(title);
      return facts?.projectHash === hash && facts.tag === name.tag;
    })?.id;
  }

  /** The window of the latest attachment that has one. */
  private attachedPlace({ id }: TerminalFactsView): AttachedPlace | undefined {
    const { attachments, machine } = this.parts;
    return attachments
      .of(id)
      .flatMap(({ environment }) => {
        const place = machine.applications.placeOf(environment);
        return place === undefined ? [] : [{ environment, place }];
      })
      .at(-1);
  }
}

interface AttachedPlace {
  readonly environment: Environment;
  readonly place: WindowPlace;
}

/** The application that shows terminals in this environment, if any. */
export function applicationTitle(
  machine: Pick<WindowMachine, 'applications' | 'programs'>,
  app: TerminalAppChoice,
  environment: Environment,
): string | undefined {
  try {
    return choose(machine, app, environment)?.title;
  } catch {
    return undefined;
  }
}

function choose(
  { applications, programs }: Pick<WindowMachine, 'applications' | 'programs'>,
  app: TerminalAppChoice,
  environment: Environment,
): TerminalApplication | undefined {
  const searchPath = environment['PATH'] ?? '';
  return applications.choose(app, {
    environment,
    isThere: (program) => programs.find(program, searchPath) !== undefined,
  });
}

function nothingShows({ name }: TerminalFactsView): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `No terminal application is available to show session '${displayTag(name)}'.`,
    { suggestion: `Run ${attachCommand(name)} in any terminal, also over ssh.` },
  );
}
