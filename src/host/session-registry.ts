import { randomBytes } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { NewSession, SessionFacts, SessionsPort } from '../ports/sessions.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Caller, Environment } from './caller.ts';
import type { DesktopFactory, DesktopPool, OwnDesktop, PooledDesktop } from './desktop-pool.ts';
import { once } from './once.ts';
import { readSessionRecord, SESSION_DOCUMENT } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

export interface SessionRegistryParts {
  readonly pool: DesktopPool;
  readonly factory: DesktopFactory;
  readonly openStore: (name: string) => SessionStore;
  /** Names of sessions that were kept, also by other processes. */
  readonly storedNames: () => Promise<readonly string[]>;
  readonly createEngine: (parts: { desktop: DesktopPort; session: SessionStore }) => Promise<Engine>;
  /** Whether this process lives on when a call has been answered: only then can it own a desktop. */
  readonly outlivesCalls: boolean;
  readonly showLive: (name: string, place: SessionPlace) => Promise<string>;
}

/** One session as one call uses it. */
export interface SessionPlace {
  readonly name: string;
  engine(): Promise<Engine>;
  /** `:N` when the calls of this session went to a desktop that Deskterity chose or started; known once {@link engine} was asked for. */
  readonly privateDisplay: string | undefined;
}

interface Live {
  readonly name: string;
  readonly store: SessionStore;
  record: SessionRecord;
  own: OwnDesktop | undefined;
  calls: number;
  lastUsedAt: Date | undefined;
  display: string | undefined;
  usesAutomatic: boolean;
  /** By desktop; an engine belongs to one generation of it. */
  readonly engines: Map<string, { readonly desktopId: string; readonly engine: Promise<Engine> }>;
}

const SESSION_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const AUTOMATIC_DEADLINE_MS = 20_000;
const CONNECT_DEADLINE_MS = 5000;

/** The sessions of this process, and those that others have left in the state folder. */
export class SessionRegistry implements SessionsPort {
  private readonly parts: SessionRegistryParts;
  private readonly live = new Map<string, Promise<Live>>();
  /** Those of {@link live} that have been opened. */
  private readonly entered = new Map<string, Live>();
  /** The desktop of callers that have none. */
  private automatic = once(() => this.startAutomatic());

  constructor(parts: SessionRegistryParts) {
    this.parts = parts;
  }

  /** Takes part in a session; it comes into being with the first call that needs a desktop. */
  enter(name: string, caller: Caller): SessionPlace {
    requireSessionName(name);
    let counted = false;
    let privateDisplay: string | undefined;
    return {
      name,
      engine: async () => {
        const session = await this.liveOrNew(name);
        if (!counted) session.calls++;
        counted = true;
        session.lastUsedAt = new Date();
        const { environment, chosen } = await this.environmentOf(session, caller.environment);
        privateDisplay = chosen;
        const pooled = await this.desktopOf(session, environment);
        session.display = environment['DISPLAY'];
        return this.engineOf(session, pooled);
      },
      get privateDisplay() {
        return privateDisplay;
      },
    };
  }

  async create(request: NewSession): Promise<SessionFacts> {
    const name = request.name ?? (await this.freeName());
    requireSessionName(name);
    if (await this.isKnown(name)) {
      throw new DeskterityError('CONFLICT', `There is a session "${name}" already.`, {
        suggestion: `Choose another name, or end it first: desk session kill ${name}.`,
      });
    }
    if (request.isPrivate && !this.parts.outlivesCalls) {
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'A private desktop would end with this call.', {
        suggestion: 'Repeat it without --no-daemon, so that the daemon owns the desktop.',
      });
    }
    const own = request.isPrivate ? await this.parts.factory.startPrivate(request) : undefined;
    const store = this.parts.openStore(name);
    const record: SessionRecord = {
      created_at: new Date().toISOString(),
      desktop: own ? 'private' : 'user',
      ...(own ? { environment: definedOnly(own.environment), display: own.display } : {}),
    };
    await store.clear();
    await store.update(SESSION_DOCUMENT, () => record);
    const session = { ...newLive(name, store, record), own };
    this.live.set(name, Promise.resolve(session));
    this.entered.set(name, session);
    return factsOf(session);
  }

  async list(): Promise<readonly SessionFacts[]> {
    const stored = await this.parts.storedNames();
    const names = [...new Set([...this.live.keys(), ...stored])].toSorted();
    const all = await Promise.all(names.map((name) => this.known(name)));
    return all.filter((session) => session !== undefined).map(factsOf);
  }

  async info(name: string): Promise<SessionFacts> {
    return factsOf(await this.require(name));
  }

  async kill(name: string): Promise<SessionFacts> {
    const session = await this.require(name);
    this.live.delete(name);
    this.entered.delete(name);
    const facts = factsOf(session);
    const environment = session.own?.environment;
    if (environment !== undefined) await this.parts.pool.forget(environment);
    await session.own?.stop();
    await session.store.clear();
    if (session.usesAutomatic && !(await this.isAutomaticUsed())) await this.stopAutomatic();
    return facts;
  }

  async livePage(name: string): Promise<{ url: string }> {
    await this.require(name);
    if (!this.parts.outlivesCalls) {
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'A live page would end with this call.', {
        suggestion: 'Repeat it without --no-daemon, or take one picture: desk session view.',
      });
    }
    const place = this.enter(name, { environment: {}, cwd: '/' });
    return { url: await this.parts.showLive(name, place) };
  }

  /** The desktops that sessions of this process have used, and who uses them. */
  desktops(): { display: string; private: boolean; sessions: string[] }[] {
    const byDisplay = new Map<string, { display: string; private: boolean; sessions: string[] }>();
    for (const { name, display, own, usesAutomatic } of this.entered.values()) {
      if (display === undefined) continue;
      const entry = byDisplay.get(display) ?? {
        display,
        private: own !== undefined || usesAutomatic,
        sessions: [],
      };
      entry.sessions.push(name);
      byDisplay.set(display, entry);
    }
    return [...byDisplay.values()];
  }

  /** Ends every desktop that this process started. */
  async close(): Promise<void> {
    const own = [...this.entered.values()]
      .map((session) => session.own)
      .filter((desktop) => desktop !== undefined);
    this.live.clear();
    this.entered.clear();
    await Promise.all(own.map((desktop) => desktop.stop()));
    await this.stopAutomatic();
  }

  private async liveOrNew(name: string): Promise<Live> {
    const known = this.live.get(name);
    if (known !== undefined) return known;
    const opened = this.open(name);
    this.live.set(name, opened);
    try {
      const session = await opened;
      // Killed meanwhile, it is nobody's any more.
      if (this.live.get(name) === opened) this.entered.set(name, session);
      return session;
    } catch (error) {
      this.live.delete(name);
      throw error;
    }
  }

  private async open(name: string): Promise<Live> {
    const store = this.parts.openStore(name);
    const record = readSessionRecord(await store.load(SESSION_DOCUMENT));
    if (record !== undefined) return newLive(name, store, record);
    const fresh: SessionRecord = { created_at: new Date().toISOString(), desktop: 'user' };
    await store.update(SESSION_DOCUMENT, () => fresh);
    return newLive(name, store, fresh);
  }

  private async known(name: string): Promise<Live | undefined> {
    const live = this.live.get(name);
    if (live !== undefined) return live;
    if (!SESSION_NAME.test(name)) return undefined;
    const store = this.parts.openStore(name);
    const record = readSessionRecord(await store.load(SESSION_DOCUMENT));
    return record && newLive(name, store, record);
  }

  private async isKnown(name: string): Promise<boolean> {
    return (await this.known(name)) !== undefined;
  }

  private async require(name: string): Promise<Live> {
    const session = await this.known(name);
    if (session !== undefined) return session;
    const names = [...this.live.keys(), ...(await this.parts.storedNames())];
    const close = nearest(name, names);
    throw new DeskterityError(
      'SESSION_NOT_FOUND',
      `There is no session ${JSON.stringify(name.slice(0, 80))}.`,
      {
        suggestion: close === undefined ? 'Run "desk session list" to see them.' : `Did you mean ${close}?`,
      },
    );
  }

  /** The environment that reaches the session's desktop, and its display where Deskterity and not the caller chose it. */
  private async environmentOf(
    session: Live,
    callers: Environment,
  ): Promise<{ environment: Environment; chosen: string | undefined }> {
    const { own, record } = session;
    if (own) return { environment: own.environment, chosen: own.display };
    if (record.desktop === 'private')
      return { environment: record.environment ?? {}, chosen: record.display ?? '' };
    const hasDisplay = Boolean(callers['DISPLAY']) || Boolean(callers['WAYLAND_DISPLAY']);
    if (hasDisplay || !this.parts.outlivesCalls) return { environment: callers, chosen: undefined };
    if (this.automatic.current() === undefined) await this.parts.pool.requireNoOther(callers);
    const { environment, display } = await this.automatic.get();
    session.usesAutomatic = true;
    return { environment, chosen: display };
  }

  private async desktopOf(session: Live, environment: Environment): Promise<PooledDesktop> {
    const pooled = await this.parts.pool.get(environment);
    if (session.record.desktop === 'private') await requireAlive(session.name, pooled.port);
    return pooled;
  }

  private async engineOf(session: Live, { key, port }: PooledDesktop): Promise<Engine> {
    // Where nothing can be reached the engine still answers what needs no desktop, and says what is wrong with the rest.
    const desktopId = await port.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
    const known = session.engines.get(key);
    if (known !== undefined && known.desktopId === desktopId) return known.engine;
    const engine = this.parts.createEngine({ desktop: port, session: session.store });
    if (desktopId !== undefined) session.engines.set(key, { desktopId, engine });
    return engine;
  }

  private async startAutomatic(): Promise<OwnDesktop> {
    return this.parts.factory.startPrivate({ width: 1920, height: 1080, deadlineMs: AUTOMATIC_DEADLINE_MS });
  }

  private async isAutomaticUsed(): Promise<boolean> {
    return (await Promise.all(this.live.values())).some(({ usesAutomatic }) => usesAutomatic);
  }

  private async stopAutomatic(): Promise<void> {
    const desktop = await this.automatic.current()?.catch(() => undefined);
    this.automatic = once(() => this.startAutomatic());
    if (desktop === undefined) return;
    await this.parts.pool.forget(desktop.environment);
    await desktop.stop();
  }

  private async freeName(): Promise<string> {
    for (;;) {
      const name = `s-${randomBytes(3).toString('hex')}`;
      if (!(await this.isKnown(name))) return name;
    }
  }
}

function newLive(name: string, store: SessionStore, record: SessionRecord): Live {
  return {
    name,
    store,
    record,
    own: undefined,
    calls: 0,
    lastUsedAt: undefined,
    display: record.display,
    usesAutomatic: false,
    engines: new Map(),
  };
}

function factsOf({ name, record, display, lastUsedAt, calls }: Live): SessionFacts {
  return {
    name,
    desktop: record.desktop,
    ...(display === undefined ? {} : { display }),
    createdAt: record.created_at,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
    calls,
  };
}

async function requireAlive(name: string, port: DesktopPort): Promise<void> {
  try {
    await port.desktopId({ deadlineMs: CONNECT_DEADLINE_MS });
  } catch (error) {
    throw new DeskterityError('SESSION_NOT_FOUND', `The private desktop of session "${name}" has ended.`, {
      suggestion: `Start a new one: desk session kill ${name}, then desk session new ${name} --private.`,
      cause: error,
    });
  }
}

function definedOnly(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function requireSessionName(session: string): void {
  if (SESSION_NAME.test(session)) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(session.slice(0, 80))} cannot be a session name.`,
    {
      suggestion:
        'Use letters, digits, dots, dashes and underscores, at most 64, starting with a letter or digit.',
    },
  );
}
