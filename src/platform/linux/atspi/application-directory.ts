import { DeskterityError } from '../../../model/errors.ts';
import type { CallOptions, DesktopApp } from '../../../ports/desktop.ts';
import { commandLine } from '../process/facts.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { Application } from './application.ts';
import { ROOT_PATH } from './names.ts';

/** How long one application may take to say its name before it counts as frozen. Everybody is asked at once. */
const INTRODUCTION_MS = 800;
/** One that kept silent a moment ago is asked again, but no longer waited for: else every list of one command would wait anew. */
const SECOND_CHANCE_MS = 60;
const SILENCE_REMEMBERED_MS = 3000;
/** Who must be met to go on is waited for longer, but not so long that nothing could be said about it. */
const MEETING_SHARE = 0.6;

export interface KnownApplication {
  readonly application: Application;
  readonly responsive: boolean;
}

/** The applications on the accessibility bus, remembered by bus name: those are never reused, so only newcomers are asked. */
export class ApplicationDirectory {
  private readonly known = new Map<string, Application>();
  private readonly silentSince = new Map<string, number>();
  private readonly bus: AccessibilityBus;

  constructor(bus: AccessibilityBus) {
    this.bus = bus;
  }

  async list(options: CallOptions): Promise<KnownApplication[]> {
    const roots = await this.bus.applications(options);
    const present = new Set(roots.map((root) => root.bus));
    for (const [bus, application] of this.known) {
      if (present.has(bus)) continue;
      void application.close();
      this.known.delete(bus);
    }
    const listed = await Promise.all([...present].map((bus) => this.introduce(bus, options)));
    return listed.filter((entry) => entry !== undefined);
  }

  /** @throws DeskterityError STALE_REF when the process has left the bus, APP_UNRESPONSIVE when it does not say who it is. */
  async require(bus: string, options: CallOptions): Promise<Application> {
    const known = this.known.get(bus);
    if (known && !known.daemonChannel.connection.closed) return known;
    const patience = { deadlineMs: options.deadlineMs * MEETING_SHARE, signal: options.signal };
    const entry = await this.meet(bus, patience, options);
    if (!entry) throw applicationEnded();
    if (!entry.responsive) throw applicationSilent(entry.application.name);
    return entry.application;
  }

  async close(): Promise<void> {
    await Promise.all([...this.known.values()].map((application) => application.close()));
    this.known.clear();
  }

  /** `undefined` for a name without a process: it left between the list and the question. */
  private async introduce(bus: string, options: CallOptions): Promise<KnownApplication | undefined> {
    const silentSince = this.silentSince.get(bus) ?? Number.NEGATIVE_INFINITY;
    const patience =
      performance.now() - silentSince < SILENCE_REMEMBERED_MS ? SECOND_CHANCE_MS : INTRODUCTION_MS;
    const settings = { deadlineMs: Math.min(patience, options.deadlineMs), signal: options.signal };
    const entry = await this.meet(bus, settings, options);
    if (entry?.responsive === false && !options.signal?.aborted) {
      if (patience === INTRODUCTION_MS) this.silentSince.set(bus, performance.now());
    } else this.silentSince.delete(bus);
    return entry;
  }

  private async meet(
    bus: string,
    settings: CallOptions,
    options: CallOptions,
  ): Promise<KnownApplication | undefined> {
    const known = this.known.get(bus);
    if (known) return { application: known, responsive: await this.answers(bus, settings) };
    const pid = await this.bus.processId(bus, options).catch(() => 0);
    if (pid === 0) return undefined;
    const { connection } = this.bus;
    const templates = this.bus.templates(bus);
    try {
      const [name, toolkitName, toolkitVersion] = await Promise.all([
        connection.invoke(templates.name, ROOT_PATH, settings),
        connection.invoke(templates.toolkitName, ROOT_PATH, settings).catch(() => ''),
        connection.invoke(templates.toolkitVersion, ROOT_PATH, settings).catch(() => ''),
      ]);
      const application = new Application(this.bus, {
        bus,
        pid,
        name: name || commandName(pid),
        toolkitName,
        toolkitVersion,
      });
      this.known.set(bus, application);
      return { application, responsive: true };
    } catch {
      const application = new Application(this.bus, {
        bus,
        pid,
        name: commandName(pid),
        toolkitName: '',
        toolkitVersion: '',
      });
      return { application, responsive: false };
    }
  }

  private async answers(bus: string, settings: CallOptions): Promise<boolean> {
    return this.bus.connection.invoke(this.bus.templates(bus).role, ROOT_PATH, settings).then(
      () => true,
      () => false,
    );
  }
}

function applicationEnded(): DeskterityError {
  return new DeskterityError('STALE_REF', 'The application of this element has ended.', {
    suggestion: 'Start it again with "desk launch", then take a new snapshot.',
    delivered: false,
  });
}

function applicationSilent(name: string): DeskterityError {
  return new DeskterityError('APP_UNRESPONSIVE', `${name} does not answer.`, {
    suggestion: 'Wait until it is idle and retry, raise --timeout, or look at it with "desk screenshot".',
    retryable: true,
    delivered: false,
  });
}

function commandName(pid: number): string {
  return commandLine(pid)[0]?.split('/').pop() ?? `process ${pid}`;
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
          reason:
            'It does not answer: it is busy or frozen. Wait and retry, or look at it with "desk screenshot".',
        }),
    responsive,
  };
}
