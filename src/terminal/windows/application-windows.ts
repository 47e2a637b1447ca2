import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { attachCommand, displayTag } from '../../model/terminals/session-name.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';
import type { TerminalSettings } from '../../model/terminals/terminal-settings.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop.ts';
import type { Argv, TerminalApplication, WindowPlace } from '../../ports/terminals/terminal-applications.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { projectHash } from '../session-key.ts';
import type { Attachments } from '../sessions/attachments.ts';
import { openWindow } from './open-window.ts';
import { parseSessionTitle } from './terminal-title.ts';
import type { TerminalPlace, TerminalShowing, TerminalWindows } from './terminal-windows.ts';
import type { WindowMachine } from './window-machine.ts';

const LOOK_MS = 1500;
const RAISE_MS = 5000;
const CONTROL_LIMIT_MS = 3000;
const LOOK_EVERY_MS = 25;

export interface ApplicationWindowsParts {
  /** With what leads to their desktop. */
  readonly environment: () => Promise<Environment>;
  readonly settings: Pick<TerminalSettings, 'app' | 'windowGrouping'>;
  readonly terminals: () => Promise<TerminalsPort>;
  readonly attachments: Attachments;
  readonly machine: WindowMachine;
  /** The desktop that this environment is about. @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE */
  readonly desktopOf: (environment: Environment) => Promise<DesktopPort>;
  readonly clock: ClockPort;
  readonly isDaemon: boolean;
  /** What the command line is started by; absent where this runs from source. */
  readonly program: Argv | undefined;
}

/** Shows terminals in the windows of the caller's terminal application. */
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
      return { via: 'none', evidence: [`it is shown already: ${where}`] };
    }
    const { parts } = this;
    const { program, settings, machine } = parts;
    const environment = await parts.environment();
    const application = choose(machine, settings.app, environment);
    if (application === undefined || program === undefined) throw nothingShows(terminal);
    return openWindow(
      {
        environment,
        grouping: settings.windowGrouping,
        attachments: parts.attachments,
        machine,
        desktop: () => parts.desktopOf(environment),
        clock: parts.clock,
        program,
        isDaemon: parts.isDaemon,
        attached: async () => (await (await parts.terminals()).facts(terminal.id)).attached,
      },
      application,
      terminal,
      signal,
    );
  }

  async focus(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing> {
    const opened =
      (await this.placeOf(terminal)) === undefined ? await this.attach(terminal, signal) : undefined;
    const raised = await this.raise(terminal, signal);
    return {
      application: opened?.application,
      via: opened === undefined ? raised.via : `${opened.via}, ${raised.via}`,
      evidence: [...(opened === undefined ? [] : ['nothing had shown it']), ...raised.evidence],
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
        `Session '${displayTag(terminal.name)}' is shown, but which window that is cannot be told.`,
        { suggestion: 'Look for it yourself.' },
      );
    }
    const { place } = attached;
    const tab = place.focusTab && (await this.control(terminal, place.focusTab));
    const window = await this.windowOf(attached);
    // Their display may be another one than the caller's.
    const raised =
      window && (await this.raiseWindow({ ...environment, ...window.display }, window.id, signal));
    const [first, second] = [tab, raised].filter((showing) => showing !== undefined);
    if (first === undefined) throw nothingShows(terminal);
    return second === undefined
      ? first
      : { via: `${first.via}, ${second.via}`, evidence: [...first.evidence, ...second.evidence] };
  }

  /** The desktop's window: its own or, of an application that runs in the window of another, that of who used it last. */
  private async windowOf({
    place,
    environment,
  }: AttachedPlace): Promise<{ readonly id: string; readonly display: Environment } | undefined> {
    const { machine, environment: own } = this.parts;
    const { applications } = machine;
    if (place.windowId !== undefined)
      return { id: place.windowId, display: applications.displayOf(environment) };
    if (place.viewers === undefined) return undefined;
    const { viewers } = place;
    const { stdout } = await machine.programs.run(viewers.list, {
      environment: await own(),
      limitMs: CONTROL_LIMIT_MS,
    });
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
    const environment = await this.parts.environment();
    const { exitCode, stderr } = await this.parts.machine.programs.run(argv, {
      environment,
      limitMs: CONTROL_LIMIT_MS,
    });
    if (exitCode === 0) return { via: argv[0], evidence: [`${argv[0]} has brought its tab to the front`] };
    throw new DeskterityError(
      'ACTION_FAILED',
      `${argv[0]} has not brought session '${displayTag(name)}' to the front.`,
      {
        suggestion: `Run ${attachCommand(name)} in any terminal.`,
        platformDetail: stderr.slice(0, 500),
      },
    );
  }

  private async raiseWindow(
    environment: Environment,
    id: string,
    signal: AbortSignal,
  ): Promise<TerminalShowing> {
    const { clock, desktopOf } = this.parts;
    const desktop = await desktopOf(environment);
    const end = clock.now() + RAISE_MS;
    const { via } = await desktop.controlWindow(id, { kind: 'focus' }, { deadlineMs: RAISE_MS, signal });
    for (;;) {
      const windows = await desktop.listWindows({ deadlineMs: RAISE_MS, signal });
      const focused = windows.find((window) => window.focused);
      if (focused?.id === id) return { via, evidence: ['its window has the focus'] };
      if (clock.now() > end)
        throw new DeskterityError('ACTION_FAILED', 'The window manager has not given the window the focus.', {
          suggestion: `Try it with ${mentionCommand('focus-window', { window: id })}, or click on it.`,
          delivered: true,
        });
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** The window that has the title of this session. */
  private async titledWindow({ id, name }: TerminalFactsView): Promise<string | undefined> {
    const { desktopOf, attachments, machine } = this.parts;
    const isShown = attachments.of(id).some(({ window }) => window !== undefined);
    if (!isShown) return undefined;
    const environment = await this.parts.environment();
    if (!machine.applications.listsWindows(environment)) return undefined;
    const windows = await (await desktopOf(environment)).listWindows({ deadlineMs: LOOK_MS });
    const hash = projectHash(name.projectPath);
    return windows.find(({ title }) => {
      const facts = parseSessionTitle(title);
      return facts?.projectHash === hash && facts.tag === name.tag;
    })?.id;
  }

  /** Where the one who attached last is shown, of those who are shown somewhere. */
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

/** What shows terminals to somebody with this environment; `undefined` where nothing can. */
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
    `No terminal application is there that could show session '${displayTag(name)}'.`,
    { suggestion: `Run ${attachCommand(name)} in any terminal, also over ssh.` },
  );
}
