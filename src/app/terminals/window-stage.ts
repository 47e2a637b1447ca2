import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';
import { isInPath, runQuickly } from '../../platform/node/run-quickly.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { chooseApplication } from '../../terminal/windows/choose-application.ts';
import { KITTY_TABS } from '../../terminal/windows/kitty-tabs.ts';
import { seatPlace } from '../../terminal/windows/seat-place.ts';
import type { SeatPlace } from '../../terminal/windows/seat-place.ts';
import type { TerminalApplication } from '../../terminal/windows/terminal-application.ts';
import { attachCommand } from '../../terminal/use-cases/terminal-failures.ts';
import { displayTag, projectHash } from '../../terminal/use-cases/terminal-identity.ts';
import type { TerminalSettings } from '../../terminal/use-cases/terminal-settings.ts';
import { parseSessionTitle } from '../../terminal/windows/terminal-title.ts';
import { TMUX_TABS } from '../../terminal/windows/tmux-tabs.ts';
import { WEZTERM_TABS } from '../../terminal/windows/wezterm-tabs.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { placeFor, showInWindow } from './show-window.ts';
import type { TerminalSeats } from './terminal-seats.ts';
import type { TerminalPlace, TerminalShowing, TerminalStage } from './terminal-stage.ts';
import { tmuxWindow } from './tmux-window.ts';

const LOOK_MS = 1500;
const RAISE_MS = 5000;
const CONTROL_LIMIT_MS = 3000;
const LOOK_EVERY_MS = 25;

export interface WindowStageParts {
  /** With what leads to their desktop. */
  readonly environment: () => Promise<Environment>;
  readonly settings: Pick<TerminalSettings, 'app' | 'windowGrouping'>;
  readonly terminals: () => Promise<TerminalsPort>;
  readonly seats: TerminalSeats;
  /** The desktop that this environment is about. @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE */
  readonly desktopOf: (environment: Environment) => Promise<DesktopPort>;
  readonly clock: ClockPort;
  readonly isDaemon: boolean;
  /** What the command line is started by; absent where this runs from source. */
  readonly program: readonly [string, ...string[]] | undefined;
}

/** Shows terminals in the windows of the caller's terminal application. */
export class WindowStage implements TerminalStage {
  private readonly parts: WindowStageParts;

  constructor(parts: WindowStageParts) {
    this.parts = parts;
  }

  async application(): Promise<string | undefined> {
    return applicationTitle(this.parts.settings.app, await this.parts.environment());
  }

  async placeOf(terminal: TerminalFactsView): Promise<TerminalPlace | undefined> {
    const place = this.placeFrom(terminal);
    switch (place?.application) {
      case 'tmux':
        return { windowIdentifier: place.windowId, tabIdentifier: place.paneId };
      case 'kitty':
        return {
          windowIdentifier: place.xWindow === undefined ? null : `x11:${place.xWindow}`,
          tabIdentifier: place.paneId,
        };
      case 'wezterm':
        return { windowIdentifier: null, tabIdentifier: place.paneId };
      case 'window':
        return { windowIdentifier: `x11:${place.xWindow}`, tabIdentifier: null };
      default: {
        const id = await this.titledWindow(terminal).catch(() => undefined);
        return id === undefined ? undefined : { windowIdentifier: id, tabIdentifier: null };
      }
    }
  }

  async attach(terminal: TerminalFactsView, signal: AbortSignal): Promise<TerminalShowing> {
    const place = await this.placeOf(terminal);
    if (place !== undefined) {
      const where = [place.windowIdentifier, place.tabIdentifier].filter((id) => id !== null).join(', ');
      return { via: 'none', evidence: [`it is shown already: ${where}`] };
    }
    const { parts } = this;
    const { program } = parts;
    const environment = await parts.environment();
    const application = choose(parts.settings.app, environment);
    if (application === undefined || program === undefined) throw nothingShows(terminal);
    return showInWindow(
      {
        environment,
        grouping: parts.settings.windowGrouping,
        seats: parts.seats,
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
    const place = this.placeFrom(terminal);
    switch (place?.application) {
      case 'tmux': {
        const control = { ...placeFor(environment), socket: place.socket };
        const tab = await this.control(terminal, TMUX_TABS.focus(control, place.paneId));
        const around = await tmuxWindow({ socket: place.socket, session: place.windowId }, environment);
        if (around === undefined) return tab;
        return both(
          tab,
          await this.raiseWindow(
            { ...environment, ...displayOf(around.environment) },
            around.xWindow,
            signal,
          ),
        );
      }
      case 'kitty': {
        const tab = await this.control(
          terminal,
          KITTY_TABS.focus({ ...placeFor(environment), socket: place.socket }, place.paneId),
        );
        if (place.xWindow === undefined) return tab;
        return both(tab, await this.raiseWindow(await this.environmentOf(terminal), place.xWindow, signal));
      }
      case 'wezterm':
        return this.control(terminal, WEZTERM_TABS.focus(placeFor(environment), place.paneId));
      case 'window':
        return this.raiseWindow(await this.environmentOf(terminal), place.xWindow, signal);
      default: {
        const id = await this.titledWindow(terminal);
        if (id !== undefined) return this.raiseWindow(environment, id, signal);
        throw new DeskterityError(
          'ACTION_FAILED',
          `Session '${displayTag(terminal.name)}' is shown, but which window that is cannot be told.`,
          { suggestion: 'Look for it yourself.' },
        );
      }
    }
  }

  private async control(
    { name }: TerminalFactsView,
    argv: readonly [string, ...string[]],
  ): Promise<TerminalShowing> {
    const environment = await this.parts.environment();
    const { exitCode, stderr } = await runQuickly(argv, { environment, limitMs: CONTROL_LIMIT_MS });
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
    window: string,
    signal: AbortSignal,
  ): Promise<TerminalShowing> {
    const { clock, desktopOf } = this.parts;
    const id = window.startsWith('0x') ? `x11:${window}` : window;
    const desktop = await desktopOf(environment);
    const end = clock.now() + RAISE_MS;
    const { via } = await desktop.controlWindow(id, { kind: 'focus' }, { deadlineMs: RAISE_MS, signal });
    for (;;) {
      const windows = await desktop.listWindows({ deadlineMs: RAISE_MS, signal });
      const focused = windows.find((window) => window.focused);
      if (focused?.id === id) return { via, evidence: ['its window has the focus'] };
      if (clock.now() > end)
        throw new DeskterityError('ACTION_FAILED', 'The window manager has not given the window the focus.', {
          suggestion: `Try it with "desk focus-window --window ${id}", or click on it.`,
          delivered: true,
        });
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** The window that has the title of this session. */
  private async titledWindow({ id, name }: TerminalFactsView): Promise<string | undefined> {
    const { desktopOf, seats } = this.parts;
    const isShown = seats.before(id).some(({ window }) => window !== undefined);
    if (!isShown) return undefined;
    const environment = await this.parts.environment();
    if (!environment['DISPLAY']) return undefined;
    const windows = await (await desktopOf(environment)).listWindows({ deadlineMs: LOOK_MS });
    const hash = projectHash(name.projectPath);
    return windows.find(({ title }) => {
      const facts = parseSessionTitle(title);
      return facts?.projectHash === hash && facts.tag === name.tag;
    })?.id;
  }

  private placeFrom({ id }: TerminalFactsView): SeatPlace | undefined {
    return this.parts.seats
      .before(id)
      .map(({ environment }) => seatPlace(environment))
      .findLast((place) => place !== undefined);
  }

  /** Of whoever sits before it: their display may be another one than the caller's. */
  private async environmentOf({ id }: TerminalFactsView): Promise<Environment> {
    const seat = this.parts.seats
      .before(id)
      .findLast(({ environment }) => seatPlace(environment) !== undefined);
    return { ...(await this.parts.environment()), ...displayOf(seat?.environment ?? {}) };
  }
}

/** What shows terminals to somebody with this environment; `undefined` where nothing can. */
export function applicationTitle(app: TerminalAppChoice, environment: Environment): string | undefined {
  try {
    return choose(app, environment)?.title;
  } catch {
    return undefined;
  }
}

function choose(app: TerminalAppChoice, environment: Environment): TerminalApplication | undefined {
  return chooseApplication(app, { environment, isThere: (program) => isInPath(program, environment) });
}

function both(first: TerminalShowing, second: TerminalShowing): TerminalShowing {
  return { via: `${first.via}, ${second.via}`, evidence: [...first.evidence, ...second.evidence] };
}

function displayOf({ DISPLAY, XAUTHORITY }: Environment): Environment {
  return { ...(DISPLAY && { DISPLAY }), ...(XAUTHORITY && { XAUTHORITY }) };
}

function nothingShows({ name }: TerminalFactsView): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `No terminal application is there that could show session '${displayTag(name)}'.`,
    { suggestion: `Run ${attachCommand(name)} in any terminal, also over ssh.` },
  );
}
