import type { PictureConsent } from '../../model/effects/picture-consent.ts';
import type { ApplicationFacts, Policy, Verdict } from '../../model/policy/verdict.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopApp, DesktopPopup, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import type { ProgramFactsPort } from '../../ports/policy/program-facts.ts';
import type { CallerHosts } from './caller-hosts.ts';
import { mayTakeInput } from '../rules/default-denied.ts';
import { isRefused, type Use } from './is-refused.ts';
import { policyDenied } from '../policy-error.ts';

/** An application as something names it: by what the kernel knows where that is told, and by what the application says. */
export interface Suspect {
  readonly name?: string | undefined;
  readonly program?: string | undefined;
  readonly otherNames?: readonly string[] | undefined;
  /** The process that the application, or its window, names. */
  readonly pid?: number | undefined;
  /** The process that the kernel names. */
  readonly clientPid?: number | undefined;
}

export interface GuardParts {
  readonly desktop: DesktopPort;
  readonly programs: ProgramFactsPort;
  readonly hosts: Pick<CallerHosts, 'isHost'>;
  readonly policyNow: () => Policy | undefined;
  /** How the call that is running wants pictures to be taken. */
  readonly pictureConsentNow?: (() => PictureConsent | undefined) | undefined;
}

const MOST_KNOWN = 2000;

/** Finds out which application something belongs to, and what the policy says about it. */
export class ApplicationGuard {
  private readonly parts: GuardParts;
  /** What applications said of themselves when they were listed, by {@link NodeHandle.app}. */
  private readonly known = new Map<string, Suspect>();
  /** Processes that had a window when they were listed last. */
  private windowed: ReadonlySet<number> = new Set();
  /** Windows and applications of our own, with which the desktop is tried. */
  readonly probes = new Set<string>();

  constructor(parts: GuardParts) {
    this.parts = parts;
  }

  async verdict(suspect: Suspect): Promise<Verdict | undefined> {
    return (await this.judge(suspect))?.verdict;
  }

  async isDenied(suspect: Suspect): Promise<boolean> {
    return (await this.verdict(suspect))?.decision === 'deny';
  }

  /** @throws DeskterityError POLICY_DENIED, CONFIRMATION_REQUIRED */
  async require(suspect: Suspect, use: Use = 'act'): Promise<void> {
    const judged = await this.judge(suspect);
    if (judged === undefined) return;
    const { verdict, facts } = judged;
    const shown = shortName(suspect);
    if (isRefused(verdict, { shown, facts }, use))
      throw policyDenied(`the application ${shown}`, verdict, facts);
  }

  /** @throws DeskterityError POLICY_DENIED if this application is denied. @param app as in {@link NodeHandle.app} */
  async requireApp(app: string, options: CallOptions, use: Use = 'act'): Promise<void> {
    if (app !== '' && !this.probes.has(app)) await this.require(await this.suspectOf(app, options), use);
  }

  async isDeniedApp(app: string, options: CallOptions): Promise<boolean> {
    if (app === '' || this.probes.has(app)) return false;
    return this.isDenied(await this.suspectOf(app, options));
  }

  async requireWindow(id: string, options: CallOptions, use: Use = 'act'): Promise<void> {
    await this.requireAmong(await this.windows(options), id, use);
  }

  /** @param windows that were just listed */
  async requireAmong(windows: readonly DesktopWindow[], id: string, use: Use): Promise<void> {
    const window = windows.find((one) => one.id === id || one.otherId === id);
    // The desktop itself says that there is no such window.
    if (window !== undefined && !this.isProbe(window)) await this.require(suspectIn(window), use);
  }

  async requireProcess(pid: number, options: CallOptions, use: Use = 'act'): Promise<void> {
    const apps = (await this.apps(options)).filter((one) => one.pid === pid);
    if (apps.length === 0) await this.require({ pid, clientPid: pid }, use);
    for (const app of apps) if (!this.probes.has(app.id)) await this.require(suspectOf(app), use);
  }

  /** @throws DeskterityError POLICY_DENIED if keys might go to a denied application */
  async requireFocus(options: CallOptions): Promise<void> {
    const [windows, popups] = await Promise.all([
      this.windows(options),
      this.parts.desktop.listPopups(options),
    ]);
    for (const window of windows) {
      if (this.isProbe(window)) continue;
      const hasFocus = window.focused || window.hasInput === true;
      if (hasFocus || (!window.minimized && (await this.takesInput(suspectIn(window)))))
        await this.require(suspectIn(window));
    }
    // Menus and screen lockers take all keys, whatever window has the focus.
    for (const popup of popups) if (!popup.isTooltip) await this.require(suspectOfPopup(popup));
  }

  /** @throws DeskterityError POLICY_DENIED if a window or popup of a denied application is at a point */
  async requirePoint(point: Point, options: CallOptions): Promise<void> {
    const { windowId, pid, clientPids = [] } = await this.parts.desktop.contentAt(point, options);
    if (windowId !== undefined) await this.requireWindow(windowId, options);
    else if (pid !== undefined) await this.requireProcess(pid, options);
    for (const one of clientPids)
      if (one !== pid || windowId !== undefined) await this.require(ofProcess(one));
  }

  async isDeniedPopup(popup: DesktopPopup, denied: ReadonlySet<string>): Promise<boolean> {
    const { transientFor } = popup;
    return (transientFor !== undefined && denied.has(transientFor)) || this.isDenied(suspectOfPopup(popup));
  }

  /** The verdict that denies the application of a window; `undefined` if none does. */
  async denialOfWindow(window: DesktopWindow): Promise<Verdict | undefined> {
    const verdict = this.isProbe(window) ? undefined : await this.verdict(suspectIn(window));
    return verdict?.decision === 'deny' ? verdict : undefined;
  }

  async windows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    const windows = await this.parts.desktop.listWindows(options);
    if (options.pid === undefined)
      this.windowed = new Set(windows.map(({ pid, clientPid }) => clientPid ?? pid));
    // A window that names the process of another application says nothing about that one.
    for (const { appId, appName, otherNames, pid, clientPid = pid } of windows)
      if (pid === clientPid) this.remember(appId, { name: appName, otherNames });
    return windows;
  }

  async apps(options: CallOptions): Promise<DesktopApp[]> {
    const apps = await this.parts.desktop.listApps(options);
    for (const app of apps) this.remember(app.id, suspectOf(app));
    return apps;
  }

  isProbe({ id, appId }: Pick<DesktopWindow, 'id' | 'appId'>): boolean {
    return this.probes.has(id) || this.probes.has(appId);
  }

  /** What it said when it was listed, and the process that the kernel names. */
  private async suspectOf(app: string, options: CallOptions): Promise<Suspect> {
    if (!this.known.has(app)) await Promise.all([this.windows(options), this.apps(options)]);
    const known = this.known.get(app) ?? {};
    if (known.clientPid !== undefined) return known;
    // It belongs to another application, into whose window it is put.
    const clientPid = await this.parts.desktop.processOf(app, options);
    this.remember(app, { clientPid });
    return { ...known, clientPid };
  }

  private async judge(
    suspect: Suspect,
  ): Promise<{ readonly verdict: Verdict; readonly facts: ApplicationFacts } | undefined> {
    const policy = this.parts.policyNow();
    if (policy === undefined) return undefined;
    const facts = await this.factsOf(suspect, needsAll(policy));
    return { facts, verdict: policy.decide({ application: facts }) };
  }

  private async factsOf(suspect: Suspect, isFull: boolean): Promise<ApplicationFacts> {
    const { name, program, otherNames = [], pid, clientPid } = suspect;
    const { programs } = this.parts;
    const real = clientPid ?? pid ?? 0;
    const claimed = pid === undefined || pid === real ? 0 : pid;
    const [facts, other, ...relations] = await Promise.all([
      programs.ofProcess(real, isFull),
      // The process that a window names can deny it, not allow it.
      programs.ofProcess(claimed, false),
      this.isHost(real),
      this.isHost(claimed),
    ]);
    const relation = facts.isOurDialog === true ? 'own' : relations.includes(true) ? 'host' : undefined;
    const claims = claimed === 0 ? [] : [other.executable, ...other.otherNames];
    return {
      name,
      program,
      executable: facts.executable,
      isInstalled: facts.isInstalled,
      desktopIds: facts.desktopIds,
      otherNames: [...facts.otherNames, ...otherNames, ...claims.filter((one) => one !== undefined)],
      ...(relation === undefined ? {} : { relation }),
      pid: real,
    };
  }

  private async isHost(pid: number): Promise<boolean> {
    return pid > 1 && this.parts.hosts.isHost(pid, (nearer) => this.windowed.has(nearer));
  }

  private async takesInput(suspect: Suspect): Promise<boolean> {
    return mayTakeInput(await this.factsOf(suspect, false));
  }

  private remember(app: string, suspect: Suspect): void {
    if (app === '') return;
    const known = this.known.get(app);
    const [oldest] = this.known.keys();
    if (known === undefined && this.known.size >= MOST_KNOWN && oldest !== undefined)
      this.known.delete(oldest);
    const given = Object.fromEntries(Object.entries(suspect).filter(([, value]) => value !== undefined));
    this.known.set(app, { ...known, ...given });
  }
}

export function ofProcess(pid: number): Suspect {
  return { pid, clientPid: pid };
}

export function suspectIn({ appName, pid, clientPid, otherNames }: DesktopWindow): Suspect {
  return { name: appName, pid, clientPid, otherNames };
}

export function suspectOf({ name, pid, program, id }: DesktopApp): Suspect {
  // Its windows name the process of one that has no tree.
  return { name, pid, program, clientPid: id === '' ? undefined : pid };
}

function suspectOfPopup({ pid, clientPid }: DesktopPopup): Suspect {
  return { pid, clientPid };
}

/** Rules of people may name applications in more ways than the built-in ones. */
function needsAll({ lists }: Policy): boolean {
  return lists.some(({ source }) => source !== 'built in');
}

const LONGEST_NAME = 80;

function shortName({ name, program, clientPid, pid }: Suspect): string {
  const text = name ?? program;
  return text === undefined || text === ''
    ? `of process ${clientPid ?? pid ?? 'unknown'}`
    : JSON.stringify(text.slice(0, LONGEST_NAME));
}
