import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { nearest } from '../model/text/nearest.ts';
import type { StopState } from '../ports/input.ts';
import type {
  KilledSession,
  LivePageRequest,
  NewSession,
  PictureRequest,
  SessionInfo,
  SessionPicture,
  SessionsPort,
  TakeOver,
} from '../ports/sessions.ts';
import type { SessionSummary } from '../model/sessions/session-summary.ts';
import type { UndoPort } from '../ports/undo.ts';
import { AutomaticDesktop } from './automatic-desktop.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { ShownAct } from '../model/sessions/shown-act.ts';
import type { DesktopsPort, ScreenSize } from '../ports/desktops.ts';
import { LiveSession, sessionOver, type SharedSessionParts } from './live-session.ts';
import { DEFAULT_SCREEN, SessionViews, type SessionViewsParts } from './live/session-views.ts';
import { loadSessionRecord, namesWithRecord } from './session-memory.ts';
import { sessionName } from '../model/sessions/session-name.ts';
import { SessionSlots, type Slot } from './session-slots.ts';
import type { TerminalEngines } from './terminal-engines.ts';
import { nameTaken, startSession } from './start-session.ts';

export interface SessionRegistryParts extends Omit<SharedSessionParts, 'automatic'>, SessionViewsParts {
  readonly factory: DesktopsPort;
}

/** One session, as used by one call or page. */
export interface SessionPlace {
  readonly name: string;
  engine(): Promise<Engine>;
  /** Makes sure that it exists. @throws DeskterityError SESSION_NOT_FOUND */
  require(): Promise<void>;
  /** The session's terminals, which need no desktop. */
  terminals(): Promise<TerminalEngines>;
  /** `:N` if Deskterity chose or started the desktop of this session; known after {@link engine}. */
  readonly privateDisplay: string | undefined;
  /** The session was killed; a later one with the same name is a different session. */
  readonly isOver: boolean;
  /** Its acts that can be undone. */
  undo(): Promise<UndoPort>;
  /** Shows an act to those who watch the session. */
  noteAct(act: ShownAct): void;
  /** A client watches it for changes until the returned function is called. Known after {@link engine}. */
  noteWatch(): () => void;
}

export interface EnterOptions {
  /** Size of a private desktop, if one is started for it. */
  readonly screen?: ScreenSize | undefined;
  /** Name of a session whose desktop it shares. */
  readonly beside?: string | undefined;
  /** The session is created if there is none of this name; otherwise that is an error, as the name may be mistyped. */
  readonly mayBeNew?: boolean | undefined;
}

/** Exists without being started. */
const DEFAULT_SESSION = 'default';

/** The sessions of this process, and those of others in the state folder. */
export class SessionRegistry implements SessionsPort {
  private readonly parts: SessionRegistryParts;
  private readonly shared: SharedSessionParts;
  private readonly automatic: AutomaticDesktop<LiveSession>;
  private readonly slots = new SessionSlots();
  private readonly views: SessionViews;
  private isClosed = false;

  constructor(parts: SessionRegistryParts) {
    this.parts = parts;
    this.automatic = new AutomaticDesktop(parts.pool, parts.factory);
    this.shared = { ...parts, automatic: this.automatic };
    this.views = new SessionViews(parts, (given) => this.viewed(given));
  }

  /** Enters a session, which the first call that needs a desktop creates. */
  enter(given: string, caller: Caller, options: EnterOptions = {}): SessionPlace {
    const { screen = DEFAULT_SCREEN, beside, mayBeNew = false } = options;
    const name = sessionName(given);
    const isKnown = mayBeNew || name === DEFAULT_SESSION;
    let session: LiveSession | undefined;
    let privateDisplay: string | undefined;
    const own = async (): Promise<LiveSession> => {
      if (session === undefined) {
        session = await this.use(name, isKnown);
        session.noteCall();
      }
      return session;
    };
    return {
      name,
      require: async () => {
        if (!isKnown) await this.require(name);
      },
      terminals: async () => (await own()).terminals,
      engine: async () => {
        const entered = await own();
        const neighbour = beside === undefined ? undefined : await this.use(sessionName(beside), true);
        const shared = neighbour?.sharedDesktop(caller.environment);
        const reached = await entered.reach(shared?.environment ?? caller.environment, screen);
        privateDisplay = shared?.privateDisplay ?? reached.privateDisplay;
        return reached.engine;
      },
      undo: async () => (await own()).undo,
      noteAct: (act) => session?.acts.add(act),
      noteWatch: () => session?.noteWatch() ?? (() => undefined),
      get privateDisplay() {
        return privateDisplay;
      },
      get isOver() {
        return session?.isOver ?? false;
      },
    };
  }

  async create(request: NewSession): Promise<SessionSummary> {
    this.requireOpen();
    if (request.isPrivate && !this.parts.outlivesCalls) {
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'A private desktop would end with this call.', {
        suggestion: `${byPerson('Start this without --no-daemon')}, so that the daemon owns the desktop.`,
      });
    }
    const name = request.name === undefined ? await this.freeName() : sessionName(request.name);
    for (let slot = this.slots.get(name); slot !== undefined; slot = this.slots.get(name))
      await this.untilFree(name, slot);
    // Nothing is awaited from here to the claim, so only one of two concurrent calls succeeds.
    this.requireOpen();
    const createdAt = new Date().toISOString();
    const desktop = request.isPrivate ? 'private' : 'user';
    const abort = new AbortController();
    const facts = { name, desktop, created_at: createdAt, calls: 0 } as const;
    const slot = this.slots.take(name, { abort, facts }, () =>
      startSession(this.shared, this.parts.factory, { ...request, name, createdAt, abort: abort.signal }),
    );
    return (await slot.opened).facts;
  }

  async list(): Promise<readonly SessionSummary[]> {
    const names = [...new Set([...this.slots.names, ...(await namesWithRecord(this.parts))])].toSorted();
    const all = await Promise.all(names.map((name) => this.listed(name)));
    return all.filter((facts) => facts !== undefined);
  }

  async info(given: string): Promise<SessionInfo> {
    const session = await this.require(sessionName(given));
    await session.hasDesktopNow();
    const files = await session.homeFiles();
    const [acts, connections] = await Promise.all([session.actsSoFar(), session.connections()]);
    return {
      ...session.facts,
      ...acts,
      subscriptions: session.subscriptions,
      ...(files === undefined ? {} : { home_files: files }),
      ...(connections.length === 0 ? {} : { connections }),
    };
  }

  async homeOf(given: string): Promise<string | undefined> {
    return (await this.require(sessionName(given))).facts.home;
  }

  async kill(given: string): Promise<KilledSession> {
    this.requireOpen();
    const name = sessionName(given);
    const known = this.slots.get(name);
    if (known?.requested !== undefined && known.session === undefined) {
      known.requested.abort.abort();
      const started = await known.opened.catch(() => undefined);
      if (started === undefined) return known.requested.facts;
    }
    const slot = known ?? this.slots.take(name, undefined, () => this.stored(name));
    const session = await slot.opened;
    const { facts } = session;
    if (session.isPrivate && !session.ownsDesktop && (await session.hasDesktopNow())) {
      this.slots.drop(name, slot);
      throw new DeskterityError(
        'CONFLICT',
        `The private desktop of session "${name}" belongs to the daemon.`,
        {
          suggestion: `End it there: ${byPerson(`Run ${mentionCommand('session kill', { name })} without --no-daemon`)}.`,
        },
      );
    }
    const files = await session.homeFiles();
    await this.slots.end(name, session);
    const { home } = facts;
    return {
      ...facts,
      ...(files === undefined || home === undefined ? {} : { deleted: { home, ...files } }),
    };
  }

  picture(given: string, request: PictureRequest): Promise<SessionPicture> {
    return this.views.picture(given, request);
  }

  livePage(given: string, request: LivePageRequest): ReturnType<SessionsPort['livePage']> {
    return this.views.livePage(given, request);
  }

  takeOver(given: string, environment: Environment): Promise<TakeOver> {
    return this.views.takeOver(given, environment);
  }

  handBack(given: string, environment: Environment): Promise<StopState> {
    return this.views.handBack(given, environment);
  }

  /** The desktops that sessions of this process have used, with their sessions. */
  desktops(): { display: string; private: boolean; sessions: string[] }[] {
    const byDisplay = new Map<string, { display: string; private: boolean; sessions: string[] }>();
    for (const { session } of this.slots.all) {
      const place = session?.isOver === false ? session.place : undefined;
      if (session === undefined || place === undefined) continue;
      const entry = byDisplay.get(place.display) ?? { ...place, sessions: [] };
      entry.sessions.push(session.name);
      byDisplay.set(place.display, entry);
    }
    for (const { sessions } of byDisplay.values()) sessions.sort();
    return [...byDisplay.values()];
  }

  /** Ends every desktop that this process started or is starting. */
  async close(): Promise<void> {
    this.isClosed = true;
    const slots = this.slots.all;
    for (const { requested } of slots) requested?.abort.abort();
    const opened = await Promise.allSettled(slots.map((slot) => slot.opened));
    const sessions = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(sessions.map((session) => session.leave()));
    await this.automatic.close();
    this.slots.clear();
  }

  /** The session for a call, created if it may be new. @throws DeskterityError SESSION_NOT_FOUND */
  private async use(name: string, mayBeNew: boolean): Promise<LiveSession> {
    for (;;) {
      this.requireOpen();
      const slot = this.slots.get(name);
      if (slot === undefined) break;
      const session = await slot.opened.catch((error: unknown) => {
        // A requested session that could not be started must not become one on the caller's desktop.
        if (slot.requested !== undefined) throw sessionOver(name, error);
      });
      if (session?.isOver === false) return session;
      await slot.freed?.catch(() => undefined);
    }
    if (this.slots.isLost(name)) throw sessionOver(name);
    return this.slots.take(name, undefined, async () =>
      mayBeNew ? startSession(this.shared, this.parts.factory, { name }) : this.stored(name),
    ).opened;
  }

  /** The session that a person looks at; the one that always exists may not have been used yet. @throws DeskterityError SESSION_NOT_FOUND */
  private viewed(given: string): Promise<LiveSession> {
    const name = sessionName(given);
    return name === DEFAULT_SESSION ? this.use(name, true) : this.require(name);
  }

  /** An existing session, open or stored. @throws DeskterityError SESSION_NOT_FOUND */
  private async require(name: string): Promise<LiveSession> {
    this.requireOpen();
    const slot = this.slots.get(name);
    if (slot === undefined) {
      const stored = this.slots.take(name, undefined, () => this.stored(name));
      return stored.opened;
    }
    const session = await slot.opened;
    if (session.isOver) throw sessionOver(name);
    return session;
  }

  private async stored(name: string): Promise<LiveSession> {
    const session = await this.storedQuietly(name);
    if (session === 'killed') throw sessionOver(name);
    if (session !== undefined) return session;
    // Do not wait for another call, which may be waiting for this one.
    const names = [DEFAULT_SESSION, ...this.slots.names, ...(await namesWithRecord(this.parts))];
    const close = nearest(
      name,
      names.filter((other) => other !== name),
    );
    throw new DeskterityError('SESSION_NOT_FOUND', `Session "${name}" does not exist.`, {
      suggestion:
        close === undefined
          ? `Run ${mentionCommand('session list')} to see all sessions, or start this one with ${mentionCommand('session new', { name })}.`
          : `Did you mean ${close}? A new session is started with ${mentionCommand('session new', { name })}.`,
    });
  }

  private async listed(name: string): Promise<SessionSummary | undefined> {
    const slot = this.slots.get(name);
    if (slot?.requested !== undefined && slot.session === undefined) return undefined;
    const session = await (slot?.opened ?? this.storedQuietly(name))?.catch(() => undefined);
    if (session === undefined || session === 'killed' || session.isOver) return undefined;
    await session.hasDesktopNow();
    return session.facts;
  }

  private async storedQuietly(name: string): Promise<LiveSession | 'killed' | undefined> {
    const store = this.parts.openStore(name);
    const record = await loadSessionRecord(this.parts, name, store);
    return typeof record === 'object' ? new LiveSession(this.shared, { name, store, record }) : record;
  }

  /** Waits for a session that is ending, and ends one whose desktop has ended. @throws DeskterityError CONFLICT for any other */
  private async untilFree(name: string, slot: Slot): Promise<void> {
    const { session, freed } = slot;
    if (freed !== undefined) await freed.catch(() => undefined);
    else if (session === undefined || (await session.hasDesktopNow())) throw nameTaken(name);
    else await this.slots.end(name, session);
  }

  private requireOpen(): void {
    if (!this.isClosed) return;
    throw new DeskterityError('CANCELLED', 'Deskterity is shutting down.', {
      suggestion: 'Repeat the command.',
      retryable: true,
    });
  }

  private async freeName(): Promise<string> {
    for (;;) {
      const name = `s-${randomBytes(3).toString('hex')}`;
      if (this.slots.get(name) !== undefined || this.slots.isLost(name)) continue;
      if ((await loadSessionRecord(this.parts, name)) === undefined) return name;
    }
  }
}
