import { byPerson } from '../../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ShownAct } from '../../model/sessions/shown-act.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ActLog } from './act-log.ts';
import { Control } from './control.ts';
import { InputBudget } from './input-budget.ts';
import type { PageMessage } from './page-events.ts';
import { ScreenFeed } from './screen-feed.ts';
import { Watcher } from './watcher.ts';

/** A session as its pages see it. */
export interface LivePlace {
  readonly name: string;
  /** The session was killed; a later one with the same name is a different session. */
  readonly isOver: boolean;
  readonly acts: ActLog;
  desktop(): Promise<DesktopPort>;
}

/** Pages of one session. */
const MOST_WATCHERS = 16;
const LOOK_MS = 2000;
/** A page is asked for a sign of life at every fifth look. */
const LOOKS_PER_PING = 5;
/** A page that has not answered for this long has lost its connection. */
const SILENT_MS = 25_000;

/** One session with its open pages, which share one capture of its screen. */
export class ShownSession {
  readonly place: LivePlace;
  /** In the address of the page: one only to watch, and one to take over as well. */
  readonly tokens = { watch: randomBytes(16).toString('hex'), control: randomBytes(16).toString('hex') };
  private readonly watchers = new Map<string, { readonly watcher: Watcher; readonly budget: InputBudget }>();
  private readonly feed: ScreenFeed;
  private readonly control: Control;
  private problem: string | undefined;
  private stopActs: (() => void) | undefined;
  private looking: NodeJS.Timeout | undefined;

  constructor(place: LivePlace) {
    this.place = place;
    this.control = new Control(
      place.name,
      () => place.desktop(),
      () => this.tellAll((watcher) => this.controlFor(watcher)),
    );
    this.feed = new ScreenFeed(() => place.desktop(), {
      changed: (areas, size) => {
        const { width } = size;
        const isWhole = areas.length === 1 && areas[0]?.width === width && areas[0].height === size.height;
        // A canvas whose size is set is cleared, which only a whole picture makes good.
        if (isWhole) this.tellAll(() => ({ kind: 'size', ...size }));
        for (const { watcher } of this.watchers.values()) watcher.changed(areas);
      },
      failed: (reason) => {
        this.problem = reason;
        this.tellAll(() => ({ kind: 'problem', text: reason ?? '' }));
      },
    });
  }

  get isWatched(): boolean {
    return this.watchers.size > 0;
  }

  /** Streams to a page until it closes. Returns whether there is room for it. */
  watch(response: ServerResponse, mayControl: boolean): boolean {
    if (this.watchers.size >= MOST_WATCHERS) return false;
    const watcher = new Watcher(response, { mayControl, encode: (area) => this.feed.encode(area) });
    this.watchers.set(watcher.id, { watcher, budget: new InputBudget() });
    response.once('close', () => void this.leave(watcher.id));
    watcher.tell({ kind: 'hello', page: watcher.id, session: this.place.name });
    watcher.tell(this.controlFor(watcher));
    for (const act of this.place.acts.recent) watcher.tell({ kind: 'act', ...shown(act) });
    if (this.problem !== undefined) watcher.tell({ kind: 'problem', text: this.problem });
    const { size } = this.feed;
    if (size !== undefined) {
      watcher.tell({ kind: 'size', ...size });
      watcher.changed([{ x: 0, y: 0, ...size }]);
    }
    if (this.watchers.size === 1) this.begin();
    return true;
  }

  /** Carries out what a page sent. @throws DeskterityError */
  async receive(page: string, messages: readonly PageMessage[]): Promise<void> {
    const entry = this.watchers.get(page);
    if (entry === undefined) throw notConnected();
    const { watcher, budget } = entry;
    watcher.lastHeardAt = performance.now();
    for (const message of messages) {
      if (message.type === 'seen') {
        watcher.acknowledge(message.number);
        continue;
      }
      if (!watcher.mayControl) throw watchOnly();
      if (!budget.spend(message.type === 'input' ? message.events.length : 1)) throw tooMuch();
      if (message.type === 'take-over') await this.takeOver(page);
      else if (message.type === 'hand-back') await this.control.handBack();
      else await this.control.send(page, message.events, this.feed.size ?? { width: 1, height: 1 });
    }
  }

  async close(): Promise<void> {
    this.end();
    for (const { watcher } of this.watchers.values()) {
      watcher.tell({ kind: 'over' });
      watcher.end();
    }
    this.watchers.clear();
    await this.control.close();
  }

  private async takeOver(page: string): Promise<void> {
    await this.control.takeOver(page);
    if (this.watchers.has(page)) return;
    // It closed meanwhile: nobody would release what it still sends.
    await this.control.leave(page);
    throw notConnected();
  }

  private begin(): void {
    this.feed.start();
    this.stopActs = this.place.acts.onAdd((act) => this.tellAll(() => ({ kind: 'act', ...shown(act) })));
    // The picture reports a desktop that cannot be reached.
    this.control.follow().catch(() => undefined);
    let looks = 0;
    this.looking = setInterval(() => {
      looks += 1;
      if (this.place.isOver) void this.close();
      else if (looks % LOOKS_PER_PING === 0) this.ping();
    }, LOOK_MS);
    this.looking.unref();
  }

  private end(): void {
    clearInterval(this.looking);
    this.stopActs?.();
    this.feed.stop();
  }

  private ping(): void {
    const oldest = performance.now() - SILENT_MS;
    for (const { watcher } of this.watchers.values()) {
      if (watcher.lastHeardAt < oldest) void this.drop(watcher);
      else watcher.tell({ kind: 'ping' });
    }
  }

  private async drop(watcher: Watcher): Promise<void> {
    watcher.end();
    await this.leave(watcher.id);
  }

  private async leave(id: string): Promise<void> {
    if (!this.watchers.delete(id)) return;
    await this.control.leave(id);
    if (this.watchers.size > 0) return;
    this.end();
    await this.control.close();
  }

  private controlFor({ id, mayControl }: Watcher): Readonly<Record<string, unknown>> {
    const { state, driverPage, isPrivate } = this.control;
    const { stopped, takeover, since, by } = state;
    const isPerson = takeover === true;
    return {
      kind: 'control',
      who: isPerson ? (driverPage === id ? 'you' : 'person') : stopped ? 'nobody' : 'agent',
      since,
      by,
      mayTakeOver: mayControl && isPrivate && (isPerson || !stopped),
      mayHandBack: mayControl && isPerson,
    };
  }

  private tellAll(message: (watcher: Watcher) => Readonly<Record<string, unknown>>): void {
    for (const { watcher } of this.watchers.values()) watcher.tell(message(watcher));
  }
}

/** Names come from applications: what cannot be seen in them is made visible. */
function shown({ name, ...act }: ShownAct): Readonly<Record<string, unknown>> {
  return { ...act, ...(name === undefined ? {} : { name: reveal(name) }) };
}

function notConnected(): DeskterityError {
  return new DeskterityError('SESSION_NOT_FOUND', 'This page is not connected.', {
    suggestion: 'Reload it.',
  });
}

function watchOnly(): DeskterityError {
  return new DeskterityError('POLICY_DENIED', 'This address is only for watching.', {
    suggestion: `For taking over: ${byPerson('Use desk session view NAME --live')}.`,
  });
}

function tooMuch(): DeskterityError {
  return new DeskterityError('RATE_LIMITED', 'The page sends too much at once.', {
    suggestion: 'Send it more slowly.',
    retryable: true,
  });
}
