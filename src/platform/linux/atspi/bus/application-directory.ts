import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { CallOptions, DesktopApp } from '../../../../ports/desktop.ts';
import { BusError } from '../../dbus/index.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { Acquaintance } from './acquaintance.ts';
import type { Application } from './application.ts';

/** Who must be met to go on is waited for longer, but not so long that nothing could be said about it. */
const MEETING_SHARE = 0.6;
/** No desktop runs more applications; refs of a dead bus name must not fill the memory. */
const MAX_STRANGERS = 64;
/** The bus itself answers, and nobody waits for it. */
const ROLL_CALL_MS = 5000;

export interface KnownApplication {
  readonly application: Application;
  readonly responsive: boolean;
}

/** The applications on the accessibility bus, remembered by bus name: those are never reused, so only newcomers are asked who they are. */
export class ApplicationDirectory {
  private readonly acquaintances = new Map<string, Acquaintance>();
  private readonly bus: AccessibilityBus;

  constructor(bus: AccessibilityBus) {
    this.bus = bus;
  }

  /**
   * `onFamiliar` is told at once of those who are known and were not silent lately, so that more can be asked in the same round trip.
   * @throws DeskterityError BUS_UNAVAILABLE, TIMEOUT, CANCELLED
   */
  async list(
    options: CallOptions,
    onFamiliar: (application: Application) => void = () => undefined,
  ): Promise<KnownApplication[]> {
    const roots = await this.bus.applications(options);
    const present = new Set(roots.map((root) => root.bus));
    for (const bus of this.acquaintances.keys()) if (!present.has(bus)) void this.forgetDead(bus);
    const listed = await Promise.all([...present].map((bus) => this.introduce(bus, options, onFamiliar)));
    throwIfCancelled(options);
    return listed.filter((entry) => entry !== undefined);
  }

  /** @throws DeskterityError STALE_REF when the process has left the bus, APP_UNRESPONSIVE when it does not say who it is, CANCELLED */
  async require(bus: string, options: CallOptions): Promise<Application> {
    const acquaintance = this.acquaintance(bus);
    if (acquaintance.isFamiliar && acquaintance.application) return acquaintance.application;
    const application = await acquaintance.meet(options);
    throwIfCancelled(options);
    if (!application) {
      this.forget(bus);
      throw applicationEnded();
    }
    if (!(await acquaintance.answers(options, options.deadlineMs * MEETING_SHARE))) {
      throwIfCancelled(options);
      throw applicationSilent(application.name);
    }
    return application;
  }

  close(): void {
    for (const bus of this.acquaintances.keys()) this.forget(bus);
  }

  /** `undefined` for a name without a process: it left between the list and the question. */
  private async introduce(
    bus: string,
    options: CallOptions,
    onFamiliar: (application: Application) => void,
  ): Promise<KnownApplication | undefined> {
    const acquaintance = this.acquaintance(bus);
    const answered = acquaintance.answers(options);
    if (acquaintance.isFamiliar && acquaintance.application) onFamiliar(acquaintance.application);
    const responsive = await answered;
    const application = await acquaintance.meet(options);
    return application && { application, responsive };
  }

  private acquaintance(bus: string): Acquaintance {
    const known = this.acquaintances.get(bus);
    if (known) return known;
    if (this.acquaintances.size >= MAX_STRANGERS) this.forgetStrangers();
    const made = new Acquaintance(this.bus, bus);
    this.acquaintances.set(bus, made);
    return made;
  }

  private forgetStrangers(): void {
    for (const [bus, acquaintance] of this.acquaintances) {
      if (!acquaintance.application) this.forget(bus);
    }
  }

  /** A process that is embedded in another is on the bus without being registered, and somebody may be reading it right now. */
  private async forgetDead(bus: string): Promise<void> {
    const acquaintance = this.acquaintances.get(bus);
    const isDead = await this.bus.processId(bus, { deadlineMs: ROLL_CALL_MS }).then(
      (pid) => pid === 0,
      (error: unknown) => isNobody(error),
    );
    if (isDead && this.acquaintances.get(bus) === acquaintance) this.forget(bus);
  }

  private forget(bus: string): void {
    this.acquaintances.get(bus)?.close();
    this.acquaintances.delete(bus);
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof BusError && error.errorName === 'org.freedesktop.DBus.Error.NameHasNoOwner';
}

function throwIfCancelled({ signal }: CallOptions): void {
  if (!signal?.aborted) return;
  throw new DeskterityError('CANCELLED', 'Looking at the applications was cancelled.', {
    suggestion: 'Repeat the command when you want it.',
    delivered: false,
  });
}

function applicationEnded(): DeskterityError {
  return new DeskterityError('STALE_REF', 'The application of this element has ended.', {
    suggestion: `Start it again with ${mentionCommand('launch')}, then take a new snapshot.`,
    delivered: false,
  });
}

function applicationSilent(name: string): DeskterityError {
  return new DeskterityError('APP_UNRESPONSIVE', `${quote(name)} does not answer.`, {
    suggestion: `Wait until it is idle and retry, raise ${mentionParameter('timeout_ms')}, or look at it with ${mentionCommand('screenshot')}.`,
    retryable: true,
    delivered: false,
  });
}

export function toDesktopApp({ application, responsive }: KnownApplication): DesktopApp {
  return {
    id: application.bus,
    name: application.name,
    pid: application.pid,
    ...(application.toolkitName
      ? { toolkit: application.traits.title, toolkitVersion: application.toolkitVersion }
      : {}),
    accessible: responsive,
    ...(responsive
      ? {}
      : {
          reason: 'It does not answer: it is busy or frozen. Wait and retry, or look at a screenshot of it.',
        }),
    responsive,
  };
}
