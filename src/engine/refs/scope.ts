import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError, type Candidate } from '../../model/effects/errors.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopApp, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Scope } from '../requests/reading.ts';
import { modalDialogOver } from '../acting/modal.ts';
import { firstMatching } from '../tree/option-search.ts';
import { connectedProcess, type Connections } from './connections.ts';
import type { Session } from './session.ts';
import { hasWindowKey } from './window-identity.ts';

/** The process with a name or pid: exact names first, then parts of names, then names of programs. */
export function chooseApp(apps: readonly DesktopApp[], wanted: string): { pid: number; name: string } {
  const text = wanted.trim().toLowerCase();
  const matches = firstMatching(
    apps,
    ({ pid }) => /^\d+$/.test(text) && pid === Number(text),
    ({ name }) => name.toLowerCase() === text,
    ({ name }) => text !== '' && name.toLowerCase().includes(text),
    ({ program }) => program !== undefined && program.toLowerCase() === text,
  );
  // One process may be registered more than once.
  const byProcess = new Map(matches.map((app) => [app.pid, app]));
  const [only] = byProcess.values();
  if (only && byProcess.size === 1) return { pid: only.pid, name: only.name };
  if (only)
    throw new DeskterityError(
      'AMBIGUOUS_APP',
      `${byProcess.size} applications match ${quoteClipped(wanted)}.`,
      {
        suggestion: `Give the pid of the one you mean: ${mentionParameter('app', 'PID')}.`,
        candidates: [...byProcess.values()].slice(0, 10).map(appCandidate),
      },
    );
  throw new DeskterityError('APP_NOT_FOUND', `No running application is called ${quoteClipped(wanted)}.`, {
    suggestion: `Run ${mentionCommand('list-apps')} to see what is running, or start it with ${mentionCommand('launch')}.`,
    candidates: apps.slice(0, 10).map(appCandidate),
    retryable: true,
  });
}

function appCandidate(app: DesktopApp): Candidate {
  return { name: clip(app.name, LONGEST_TITLE), pid: app.pid };
}

function windowCandidate(window: DesktopWindow): Candidate {
  return {
    name: clip(window.title, LONGEST_TITLE),
    pid: window.pid,
    detail: `${window.id} of ${clip(window.appName, LONGEST_TITLE)}`,
  };
}

export class ScopeResolver {
  private readonly desktop: DesktopPort;
  private readonly session: Session;
  private readonly connections: Connections;

  constructor(desktop: DesktopPort, session: Session, connections: Connections) {
    this.desktop = desktop;
    this.session = session;
    this.connections = connections;
  }

  /** The process of an application, by alias, name or pid. */
  async app(wanted: string, options: CallOptions): Promise<{ readonly pid: number; readonly name: string }> {
    return this.appAmong(await this.desktop.listApps(options), wanted);
  }

  /** {@link app} of applications that were listed just now. */
  async appAmong(
    apps: readonly DesktopApp[],
    wanted: string,
  ): Promise<{ readonly pid: number; readonly name: string }> {
    const connection = await this.connections.find(wanted);
    if (connection === undefined) return chooseApp(apps, wanted);
    return connectedProcess(connection, apps, (pid) => this.desktop.isProcessAlive(pid));
  }

  /** The window that `scope` selects; by default the active window, else the topmost. */
  async window(scope: Scope, options: CallOptions): Promise<DesktopWindow> {
    return (await this.windowAmong(scope, options)).window;
  }

  /** The window that `scope` selects, and all windows of its application. */
  async windowAmong(
    scope: Scope,
    options: CallOptions,
  ): Promise<{ readonly window: DesktopWindow; readonly siblings: readonly DesktopWindow[] }> {
    const windows = await this.windowsOf(scope.app, options);
    const window = await this.choose(windows, scope);
    return { window, siblings: siblingsOf(window, windows) };
  }

  /** The windows of an application by alias, name or pid, or all. Both lists are asked for at once, so that the platform looks once for both. */
  private async windowsOf(app: string | undefined, options: CallOptions): Promise<readonly DesktopWindow[]> {
    if (app === undefined) return this.desktop.listWindows(options);
    const [apps, windows] = await Promise.all([
      this.desktop.listApps(options),
      this.desktop.listWindows(options),
    ]);
    const { pid } = await this.appAmong(apps, app);
    return windows.filter((window) => window.pid === pid);
  }

  private async choose(windows: readonly DesktopWindow[], scope: Scope): Promise<DesktopWindow> {
    if (scope.window !== undefined) return this.byName(windows, scope.window);
    const chosen = frontmost(windows);
    // wxWidgets leaves the window active that its modal dialog blocks.
    const dialog = chosen && modalDialogOver(chosen, windows);
    if (chosen) return dialog?.accessible === true ? dialog : chosen;
    throw new DeskterityError(
      'WINDOW_NOT_FOUND',
      scope.app === undefined ? 'No window is open.' : `${quote(scope.app)} has no open window.`,
      {
        suggestion:
          scope.app === undefined
            ? `Start an application with ${mentionCommand('launch', { app: 'NAME', wait: true })}.`
            : `Run ${mentionCommand('list-windows')} to see what is open.`,
        retryable: true,
      },
    );
  }

  private async byName(windows: readonly DesktopWindow[], wanted: string): Promise<DesktopWindow> {
    const key = await this.windowKey(wanted);
    const byKey = windows.find((window) =>
      key === undefined ? window.id === wanted || window.otherId === wanted : hasWindowKey(window, key),
    );
    if (byKey) return byKey;
    const text = wanted.trim().toLowerCase();
    const matches = firstMatching(
      windows,
      ({ title }) => title.toLowerCase() === text,
      ({ title }) => text !== '' && key === undefined && title.toLowerCase().includes(text),
    );
    const [only] = matches;
    if (only && matches.length === 1) return only;
    if (only)
      throw new DeskterityError(
        'AMBIGUOUS_TARGET',
        `${matches.length} windows match ${quoteClipped(wanted)}.`,
        {
          suggestion: `Give the id of the one you mean, such as ${mentionParameter('window', only.id)}.`,
          candidates: matches.slice(0, 10).map(windowCandidate),
        },
      );
    throw new DeskterityError('WINDOW_NOT_FOUND', `No window matches ${quoteClipped(wanted)}.`, {
      suggestion: `Run ${mentionCommand('list-windows')} to see what is open.`,
      candidates: windows.slice(0, 10).map(windowCandidate),
      retryable: true,
    });
  }

  /** The key of the window of a ref; `undefined` if the text is not a ref. */
  private async windowKey(wanted: string): Promise<string | undefined> {
    const parsed = parseRef(wanted);
    if (parsed === undefined || parsed.kind === 'e') return undefined;
    return (await this.session.read()).windowKey(parsed.ref) ?? parsed.ref;
  }
}

/** The windows of the application that a window belongs to. */
export function siblingsOf(window: DesktopWindow, windows: readonly DesktopWindow[]): DesktopWindow[] {
  return windows.filter(({ pid }) => pid === window.pid);
}

/** The focused window, else the topmost that is not minimized, readable ones first. */
export function frontmost(windows: readonly DesktopWindow[]): DesktopWindow | undefined {
  const rank = (window: DesktopWindow): number =>
    (window.focused ? 1_000_000 : 0) +
    (window.minimized ? -500_000 : 0) +
    (window.accessible ? 100_000 : 0) +
    (window.stacking ?? -1);
  return windows.toSorted((a, b) => rank(b) - rank(a))[0];
}
