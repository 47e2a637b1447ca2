import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { parseJson } from '../../../../../model/parse-json.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import { byPerson } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { BusConnection, watchName, type MethodCallMessage, type MethodReply } from '../../../dbus/index.ts';
import type { DisplayWindowEvent } from '../../display.ts';
import { sessionBusOf } from '../session-bus.ts';
import { asDeskterityError, displayUnavailable, withinDeadline } from '../wire/wayland-errors.ts';
import { socketOf } from '../wire/wayland-wire.ts';
import { scriptSource } from './script-source.ts';

export const KWIN_NAME = 'org.kde.KWin';
const SCRIPTING = {
  destination: KWIN_NAME,
  path: '/Scripting',
  interface: 'org.kde.kwin.Scripting',
} as const;
const INTERFACE = 'io.deskterity.KWinScript';
/** KWin gives a call 25 seconds. */
const WAIT_MS = 10_000;
/** A script asks again at once; one that does not for this long is gone. */
const SILENT_MS = 3000;
const LONGEST_ANSWER = 4 * 1024 * 1024;

const Answer = z.looseObject({
  number: z.int(),
  complaint: z.string().optional(),
  isMissing: z.boolean().optional(),
});
export type ScriptAnswer = z.output<typeof Answer>;

const EventKind = z.enum(['window-opened', 'window-closed', 'window-changed', 'active-changed']);

/** A request to the script; see `script-source.ts`. */
export type ScriptRequest = { readonly kind: string } & Readonly<Record<string, unknown>>;

interface Waiting {
  readonly number: number;
  readonly request: ScriptRequest;
  readonly resolve: (answer: ScriptAnswer) => void;
}

/**
 * A script of ours inside KWin: the only way to its windows. It waits for requests by a call to us that we answer when there is one, so that a request takes
 * about a millisecond. It ends with this host; that of a killed process stays until KWin ends, but does nothing more.
 */
export class ScriptHost {
  readonly bus: BusConnection;
  readonly #display: string;
  readonly #name = `deskterity-${process.pid}-${randomBytes(4).toString('hex')}`;
  readonly #path = `/io/deskterity/${randomBytes(16).toString('hex')}`;
  readonly #queue: Waiting[] = [];
  readonly #sent = new Map<number, Waiting>();
  readonly #listeners = new Set<(event: DisplayWindowEvent) => void>();
  readonly #lossListeners = new Set<(reason: DeskterityError) => void>();
  #owner: string | undefined;
  #number = 0;
  /** Answers the script's call, which waits. */
  #poll: ((text: string) => void) | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #heardAt = 0;
  #loss: DeskterityError | undefined;
  #isClosed = false;

  private constructor(bus: BusConnection, display: string) {
    this.bus = bus;
    this.#display = display;
    bus.onMethodCall((call) => this.#served(call));
    bus.onClose(() => this.#lose('the session bus closed the connection'));
  }

  /** Resolves once the script answers. @throws DeskterityError */
  static async start(environment: Environment, display: string, options: CallOptions): Promise<ScriptHost> {
    let bus: BusConnection;
    try {
      bus = await BusConnection.connect(sessionBusOf(environment), options);
    } catch (error) {
      throw noScripts(error);
    }
    const host = new ScriptHost(bus, display);
    try {
      await host.#load(socketOf(environment), options);
      return host;
    } catch (error) {
      host.close();
      throw error instanceof DeskterityError ? error : noScripts(error);
    }
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#isClosed;
  }

  /** @throws DeskterityError */
  async ask(request: ScriptRequest, doing: string, options: CallOptions): Promise<ScriptAnswer> {
    if (this.#loss) throw this.#loss;
    if (this.#isClosed) throw displayUnavailable(this.#display, 'the connection was closed', true);
    const number = ++this.#number;
    const answer = new Promise<ScriptAnswer>((resolve) => {
      this.#queue.push({ number, request, resolve });
      this.#next();
    });
    const lost = new Promise<never>((_resolve, reject) => this.onLoss(reject));
    lost.catch(() => undefined);
    try {
      return await withinDeadline(Promise.race([answer, lost]), this.#display, doing, options);
    } catch (error) {
      const at = this.#queue.findIndex((each) => each.number === number);
      if (at >= 0) this.#queue.splice(at, 1);
      this.#sent.delete(number);
      if (this.#poll === undefined && performance.now() - this.#heardAt > SILENT_MS)
        this.#lose('its script does not answer');
      throw error;
    }
  }

  /** Its name and version. */
  async compositor(options: CallOptions): Promise<string> {
    const call = {
      destination: KWIN_NAME,
      path: '/KWin',
      interface: 'org.kde.KWin',
      member: 'supportInformation',
    };
    const [text] = await this.bus.call(call, options).catch(() => ['']);
    const version = typeof text === 'string' ? /^KWin version: ([\d.]{1,20})$/m.exec(text)?.[1] : undefined;
    return version === undefined ? 'KWin' : `KWin ${version}`;
  }

  /** Calls `listener` until the returned function is called. */
  onEvent(listener: (event: DisplayWindowEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    if (this.#loss) listener(this.#loss);
    else this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lossListeners.clear();
    clearTimeout(this.#pollTimer);
    this.#answer('{"kind":"end"}');
    if (this.bus.closed) return;
    const call = { ...SCRIPTING, member: 'unloadScript', signature: 's', args: [this.#name] };
    void this.bus
      .call(call, { deadlineMs: 2000 })
      .catch(() => undefined)
      .finally(() => this.bus.close());
  }

  async #load(socket: string, options: CallOptions): Promise<void> {
    await watchName(this.bus, KWIN_NAME, (owner) => this.#ownedBy(owner), options);
    if (this.#owner === undefined) throw new Error('nobody owns the name org.kde.KWin');
    const service = this.bus.uniqueName ?? '';
    const file = `${socket}.${this.#name}.js`;
    writeFileSync(file, scriptSource({ service, path: this.#path, interface: INTERFACE }), {
      mode: 0o600,
      flag: 'wx',
    });
    try {
      const args = [file, this.#name];
      const [id] = await this.bus.call(
        { ...SCRIPTING, member: 'loadScript', signature: 'ss', args },
        options,
      );
      if (typeof id !== 'number' || id < 0) throw new Error('KWin did not load our script');
      await this.#run(id, options);
      // KWin reads the file after it has answered.
      await this.ask({ kind: 'list' }, 'starting a script in KWin', options);
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Where a script is depends on the version of KWin. */
  async #run(id: number, options: CallOptions): Promise<void> {
    const call = { destination: KWIN_NAME, interface: 'org.kde.kwin.Script', member: 'run' };
    try {
      await this.bus.call({ ...call, path: `/Scripting/Script${id}` }, options);
    } catch {
      await this.bus.call({ ...call, path: `/${id}` }, options);
    }
  }

  #ownedBy(owner: string | undefined): void {
    if (this.#owner !== undefined && owner !== this.#owner) this.#lose('KWin has ended');
    this.#owner = owner;
  }

  /** Only KWin knows the path, and only KWin may use it. */
  #served(call: MethodCallMessage): MethodReply | Promise<MethodReply> | undefined {
    if (call.path !== this.#path || call.sender !== this.#owner || this.#isClosed) return undefined;
    const [first, second] = call.body;
    if (typeof first !== 'string' || first.length > LONGEST_ANSWER) return undefined;
    if (call.member === 'Event') {
      const kind = EventKind.safeParse(first);
      const id = typeof second === 'string' && second !== '' ? windowId(second) : undefined;
      if (kind.success) for (const listener of this.#listeners) listener({ kind: kind.data, id });
      return {};
    }
    if (call.member !== 'Next') return undefined;
    this.#heardAt = performance.now();
    const answer = Answer.safeParse(parseJson(first));
    if (answer.success) {
      this.#sent.get(answer.data.number)?.resolve(answer.data);
      this.#sent.delete(answer.data.number);
    }
    return new Promise((resolve) => {
      this.#poll = (text) => resolve({ signature: 's', values: [text] });
      this.#pollTimer = setTimeout(() => this.#answer('{"kind":"wait"}'), WAIT_MS).unref();
      this.#next();
    });
  }

  #next(): void {
    if (this.#poll === undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#sent.set(next.number, next);
    this.#answer(JSON.stringify({ ...next.request, number: next.number }));
  }

  #answer(text: string): void {
    clearTimeout(this.#pollTimer);
    const answer = this.#poll;
    this.#poll = undefined;
    this.#heardAt = performance.now();
    answer?.(text);
  }

  #lose(reason: string): void {
    if (this.isLost) return;
    this.#loss = displayUnavailable(this.#display, reason, true);
    for (const listener of this.#lossListeners) listener(this.#loss);
    this.#lossListeners.clear();
    clearTimeout(this.#pollTimer);
    this.bus.close();
  }
}

/** The public id of a window of KWin, which has braces around it. */
export function windowId(internalId: string): string {
  return `kwin:${internalId.replaceAll(/[{}]/g, '').slice(0, 40)}`;
}

function noScripts(cause: unknown): DeskterityError {
  return new DeskterityError('DISPLAY_UNAVAILABLE', 'KWin on this Wayland display does not run our script.', {
    suggestion: `${byPerson('Check that DBUS_SESSION_BUS_ADDRESS is the session bus of this KDE Plasma session')}.`,
    platformDetail: cause instanceof Error ? cause.message : String(cause),
    retryable: true,
    cause: asDeskterityError(cause, 'starting a script in KWin'),
  });
}
