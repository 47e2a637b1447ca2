import type { CallOptions } from '../../../../ports/call-options.ts';
import { within } from '../../dbus/index.ts';
import { commandLine } from '../../process/facts.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { Application } from './application.ts';
import { isRefusal } from './call-failures.ts';
import { ROOT_PATH } from '../tree/names.ts';

/** Time for an application to return its name before it counts as frozen. All applications are queried in parallel. */
const RESPONSE_MS = 800;
/** Time for an application that has been silent longer than that: otherwise every list of a command would wait again. */
const SILENT_RESPONSE_MS = 60;
/** A query stays open this long: when a frozen application resumes, it is known immediately. */
const QUERY_MS = 600_000;
/** A silent application gets the usual time again after this interval. */
const FULL_WAIT_EVERY_MS = 3000;
/**
 * A silent application is queried again after this interval, because calls may be lost while it starts. After several
 * attempts the interval doubles each time: the bus stores every unanswered call and disconnects us at 50,000.
 */
const REPEAT_MS = 700;
const FREQUENT_REPEATS = 20;
const LAST_REPEAT_MS = 300_000;

/** A query without a reply so far. */
interface Query {
  readonly sentAt: number;
  readonly replied: Promise<void>;
}

/** The owner of one bus name, and whether it responds. Names are not reused while the bus runs, so facts are kept. */
export class BusPeer {
  private readonly accessibilityBus: AccessibilityBus;
  private readonly bus: string;
  private identifying: Promise<Application | undefined> | undefined;
  private known: Application | undefined;
  private query: Query | undefined;
  private repeats = 0;
  /** When the first query without a reply was sent. */
  private silentSince: number | undefined;
  private fullWaitSince = 0;

  constructor(accessibilityBus: AccessibilityBus, bus: string) {
    this.accessibilityBus = accessibilityBus;
    this.bus = bus;
  }

  get application(): Application | undefined {
    return this.known;
  }

  /** Its toolkit is known, and no query has been pending for longer than usual. */
  get isKnownResponsive(): boolean {
    const isSilent = this.silentSince !== undefined && performance.now() - this.silentSince >= RESPONSE_MS;
    return this.hasToolkit && !isSilent;
  }

  private get hasToolkit(): boolean {
    return this.known !== undefined && this.known.toolkitName !== '';
  }

  /** The process behind the name; `undefined` if it has left, or the bus does not reply in time. */
  async identify(options: CallOptions): Promise<Application | undefined> {
    if (this.known) return this.known;
    this.identifying ??= this.findProcess();
    return within(this.identifying, options).catch(() => undefined);
  }

  /** Whether it replies within `waitMs`; by default the usual time, which is short if it has been silent recently. */
  async responds(options: CallOptions, waitMs?: number): Promise<boolean> {
    const { replied } = this.send();
    const usualMs = Math.max(SILENT_RESPONSE_MS, this.fullWaitSince + RESPONSE_MS - performance.now());
    const settings = {
      deadlineMs: Math.min(waitMs ?? usualMs, options.deadlineMs),
      signal: options.signal,
    };
    return within(replied, settings).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.known?.close();
  }

  private async findProcess(): Promise<Application | undefined> {
    const pid = await this.accessibilityBus.processId(this.bus, { deadlineMs: RESPONSE_MS }).catch(() => 0);
    this.identifying = undefined;
    if (pid === 0) return undefined;
    const facts = { name: commandName(pid), toolkitName: '', toolkitVersion: '' };
    this.known ??= new Application(this.accessibilityBus, this.bus, pid, facts);
    return this.known;
  }

  /** All callers share one pending query. */
  private send(): Query {
    const now = performance.now();
    const pending = this.query;
    const isFullWaitDue = now - this.fullWaitSince >= FULL_WAIT_EVERY_MS;
    if (this.silentSince === undefined || isFullWaitDue) this.fullWaitSince = now;
    const doublings = Math.max(0, this.repeats - FREQUENT_REPEATS);
    if (pending && now - pending.sentAt < Math.min(REPEAT_MS * 2 ** doublings, LAST_REPEAT_MS))
      return pending;
    if (pending) this.repeats++;
    this.silentSince ??= now;
    const query = { sentAt: now, replied: this.readFacts() };
    this.query = query;
    void this.conclude(query);
    return query;
  }

  private async conclude(query: Query): Promise<void> {
    try {
      await query.replied;
      this.repeats = 0;
    } catch {
      if (this.query !== query) return;
    }
    this.query = undefined;
    this.silentSince = undefined;
  }

  /** Reads its name, which also shows that it responds; and its toolkit, until that is known. */
  private async readFacts(): Promise<void> {
    const { connection } = this.accessibilityBus;
    const application = await this.identify({ deadlineMs: RESPONSE_MS });
    if (!application) throw new Error('The application has left the bus.');
    const { templates } = application.daemonChannel;
    const settings = { deadlineMs: QUERY_MS };
    // A refusal leaves the fact unknown, but is still a response.
    const read = (template: typeof templates.name): Promise<string> =>
      connection.invoke(template, ROOT_PATH, settings).catch((error: unknown) => {
        if (isRefusal(error)) return '';
        throw error;
      });
    const [name, toolkitName = '', toolkitVersion = ''] = await Promise.all([
      read(templates.name),
      ...(this.hasToolkit ? [] : [read(templates.toolkitName), read(templates.toolkitVersion)]),
    ]);
    application.learn({ name, toolkitName, toolkitVersion });
  }
}

function commandName(pid: number): string {
  return commandLine(pid)[0]?.split('/').pop() ?? `process ${pid}`;
}
