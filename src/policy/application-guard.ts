import type { ApplicationFacts, Policy, Verdict } from '../model/policy/verdict.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { DesktopApp, DesktopWindow } from '../ports/desktop/windows.ts';
import type { Point } from '../ports/input.ts';
import { policyDenied } from './policy-error.ts';
import { isRefused, type Use } from './is-refused.ts';
import type { Bounds } from '../model/tree/bounds.ts';

/** The path of a running program, as the kernel reports it. */
export type FindExecutable = (pid: number) => Promise<string | undefined>;

/** What applications that have not been listed are known by. */
type Known = Pick<ApplicationFacts, 'name' | 'program' | 'pid'>;

const MOST_KNOWN = 2000;

/** Finds out which application something belongs to, and what the policy says about it. */
export class ApplicationGuard {
  private readonly desktop: DesktopPort;
  private readonly executableOf: FindExecutable;
  private readonly policyNow: () => Policy | undefined;
  private readonly known = new Map<string, Known>();

  constructor(desktop: DesktopPort, executableOf: FindExecutable, policyNow: () => Policy | undefined) {
    this.desktop = desktop;
    this.executableOf = executableOf;
    this.policyNow = policyNow;
  }

  async verdict(facts: ApplicationFacts): Promise<Verdict | undefined> {
    const policy = this.policyNow();
    if (policy === undefined) return undefined;
    // Anew each time: a process may run another program by now.
    const executable =
      facts.executable ??
      (facts.pid === undefined || facts.pid <= 0 ? undefined : await this.executableOf(facts.pid));
    return policy.decide({ application: { ...facts, executable } });
  }

  async isDenied(facts: ApplicationFacts): Promise<boolean> {
    const verdict = await this.verdict(facts);
    return verdict?.decision === 'deny';
  }

  /** @throws DeskterityError POLICY_DENIED */
  async require(facts: ApplicationFacts, use: Use = 'act'): Promise<void> {
    const verdict = await this.verdict(facts);
    const shown = JSON.stringify(shortName(facts));
    if (isRefused(verdict, shown, use)) throw policyDenied(`the application ${shown}`, verdict);
  }

  /** @throws DeskterityError POLICY_DENIED if this application is denied. @param app as in {@link NodeHandle.app} */
  async requireApp(app: string, options: CallOptions, use: Use = 'act'): Promise<void> {
    if (app === '') return;
    if (!this.known.has(app)) await Promise.all([this.windows(options), this.apps(options)]);
    await this.require(this.known.get(app) ?? {}, use);
  }

  async requireWindow(id: string, options: CallOptions, use: Use = 'act'): Promise<void> {
    const window = (await this.windows(options)).find((one) => one.id === id || one.otherId === id);
    if (window !== undefined) await this.require(factsOfWindow(window), use);
  }

  async requireProcess(pid: number, options: CallOptions): Promise<void> {
    const app = (await this.apps(options)).find((one) => one.pid === pid);
    await this.require(app === undefined ? { pid } : factsOfApp(app));
  }

  /** @throws DeskterityError POLICY_DENIED if keys would go to a denied application */
  async requireFocus(options: CallOptions): Promise<void> {
    for (const window of await this.windows(options))
      if (window.focused || window.hasInput === true) await this.require(factsOfWindow(window));
  }

  /** @throws DeskterityError POLICY_DENIED if a window or popup of a denied application is at a point */
  async requirePoint(point: Point, options: CallOptions): Promise<void> {
    const { windowId, pid } = await this.desktop.contentAt(point, options);
    if (windowId !== undefined) await this.requireWindow(windowId, options);
    else if (pid !== undefined) await this.requireProcess(pid, options);
  }

  /** Where windows and popups of denied applications are. */
  async deniedPlaces(options: CallOptions): Promise<Bounds[]> {
    const [windows, popups] = await Promise.all([this.windows(options), this.desktop.listPopups(options)]);
    const denied: DesktopWindow[] = [];
    for (const window of windows) if (await this.isDenied(factsOfWindow(window))) denied.push(window);
    const pids = new Set(denied.map(({ pid }) => pid));
    return [
      ...denied.flatMap(({ bounds, minimized }) => (bounds === undefined || minimized ? [] : [bounds])),
      ...popups.filter(({ pid }) => pid !== undefined && pids.has(pid)).map(({ bounds }) => bounds),
    ];
  }

  async windows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    const windows = await this.desktop.listWindows(options);
    for (const window of windows) this.remember(window.appId, factsOfWindow(window));
    return windows;
  }

  async apps(options: CallOptions): Promise<DesktopApp[]> {
    const apps = await this.desktop.listApps(options);
    for (const app of apps) this.remember(app.id, factsOfApp(app));
    return apps;
  }

  private remember(app: string, facts: Known): void {
    if (app === '') return;
    const [oldest] = this.known.keys();
    if (this.known.size >= MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.set(app, { ...this.known.get(app), ...facts });
  }
}

export function factsOfWindow({ appName, pid }: DesktopWindow): Known {
  return { name: appName, pid };
}

function factsOfApp({ name, pid, program }: DesktopApp): Known {
  return { name, pid, ...(program === undefined ? {} : { program }) };
}

const LONGEST_NAME = 80;

function shortName({ name, program, executable, pid }: ApplicationFacts): string {
  return (name ?? program ?? executable ?? `process ${pid ?? 'unknown'}`).slice(0, LONGEST_NAME);
}
