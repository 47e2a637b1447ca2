import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import { CONNECTIONS_DOCUMENT, readConnections, type Connection } from '../model/sessions/connection.ts';
import type { HomeFiles, SessionSummary } from '../model/sessions/session-summary.ts';
import type { UndoPort } from '../ports/undo.ts';
import type { TerminalView } from '../ports/terminals.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { AutomaticDesktop } from './automatic-desktop.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { OwnDesktop, ScreenSize } from '../ports/desktops.ts';
import type { DesktopPool, PooledDesktop } from './desktop-pool.ts';
import { ActLog } from './live/act-log.ts';
import { forgetSession, markKilled, storeUntilOver, type RecordPlace } from './session-memory.ts';
import { environmentOfRecord, SESSION_DOCUMENT, type SessionRecord } from './session-record.ts';
import { TerminalEngines } from './terminal-engines.ts';
import { actsIn, undoStack } from './undo-stack.ts';

/** Shared by all sessions of a process. */
export interface SharedSessionParts extends RecordPlace {
  readonly pool: DesktopPool;
  readonly automatic: AutomaticDesktop<LiveSession>;
  readonly clock: ClockPort;
  readonly terminalDesktop: (view: TerminalView) => Promise<DesktopPort>;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    sessionName: string;
  }) => Promise<Engine>;
  /** Whether this process continues after a call is answered, and so can own a desktop. */
  readonly outlivesCalls: boolean;
}

export interface Reached {
  readonly engine: Engine;
  /** `:N` if Deskterity, not the caller, chose the desktop. */
  readonly privateDisplay: string | undefined;
  readonly desktop: DesktopPort;
}

const CONNECT_DEADLINE_MS = 5000;
const LOOK_DEADLINE_MS = 1000;
/** Desktops whose engines are kept; an older desktop gets a new engine. */
const MAX_ENGINES = 8;

/** One session in this process. */
export class LiveSession {
  readonly name: string;
  private readonly shared: SharedSessionParts;
  private readonly kept: SessionStore;
  private readonly store: SessionStore;
  private record: SessionRecord;
  private readonly own: OwnDesktop | undefined;
  /** By desktop; an engine belongs to one run of a desktop. */
  private readonly engines = new Map<
    string,
    { readonly desktopId: string; readonly engine: Promise<Engine> }
  >();
  readonly terminals: TerminalEngines;
  readonly undo: UndoPort;
  /** For those who watch it. */
  readonly acts = new ActLog();
  private readonly watches = new Set<object>();
  private ended: Promise<void> | undefined;
  private calls = 0;
  private lastUsedAt: Date | undefined;
  private lastCaller: Environment | undefined;
  private isOnAutomatic = false;
  private automaticHome: Pick<SessionSummary, 'home' | 'home_kept'> | undefined;
  private isLeaving = false;
  private display: string | undefined;

  constructor(
    shared: SharedSessionParts,
    state: Pick<LiveSession, 'name'> & {
      readonly store: SessionStore;
      readonly record: SessionRecord;
      readonly own?: OwnDesktop | undefined;
    },
  ) {
    this.shared = shared;
    this.name = state.name;
    this.record = state.record;
    this.own = state.own;
    this.display = state.record.display;
    this.kept = state.store;
    this.store = storeUntilOver(this.kept, () => this.isOver);
    this.undo = undoStack(this.store);
    this.terminals = new TerminalEngines(shared, this.name, this.store);
  }

  get facts(): SessionSummary {
    const { name, record, display, lastUsedAt, calls } = this;
    return {
      name,
      desktop: this.isOnAutomatic ? 'shared' : record.desktop,
      ...(display === undefined ? {} : { display }),
      ...this.homeFacts,
      ...(record.ended === true ? { ended: true } : {}),
      created_at: record.created_at,
      ...(lastUsedAt === undefined ? {} : { last_used_at: lastUsedAt.toISOString() }),
      calls,
    };
  }

  private get homeFacts(): Pick<SessionSummary, 'home' | 'home_kept'> {
    const { home, home_kept } = this.isOnAutomatic ? (this.automaticHome ?? {}) : this.record;
    return home === undefined ? {} : { home, home_kept: home_kept === true };
  }

  /** The files in its HOME, if that ends with it. */
  async homeFiles(): Promise<HomeFiles | undefined> {
    const home = this.own?.home;
    return home === undefined || home.isKept || this.record.ended === true ? undefined : home.files();
  }

  /** How many acts it carried out, and how many undo knows. */
  actsSoFar(): ReturnType<typeof actsIn> {
    return actsIn(this.store);
  }

  /** How many clients watch it for changes. */
  get subscriptions(): number {
    return this.watches.size;
  }

  /** A client watches it until the returned function is called. */
  noteWatch(): () => void {
    const watch = {};
    this.watches.add(watch);
    return () => void this.watches.delete(watch);
  }

  /** The names it has given to applications. */
  async connections(): Promise<Connection[]> {
    const stored = readConnections(await this.kept.load(CONNECTIONS_DOCUMENT));
    return stored.map(({ alias, app, pid }) => ({ alias, app, pid }));
  }

  /** Whether it was killed. */
  get isOver(): boolean {
    return this.ended !== undefined;
  }

  get isPrivate(): boolean {
    return this.record.desktop === 'private';
  }

  /** Whether this process started its desktop. */
  get ownsDesktop(): boolean {
    return this.own !== undefined;
  }

  /** The display its calls went to, and whether Deskterity started it. */
  get place(): { readonly display: string; readonly private: boolean } | undefined {
    if (this.display === undefined || this.record.ended === true) return undefined;
    return { display: this.display, private: this.isPrivate || this.isOnAutomatic };
  }

  noteCall(): void {
    this.calls++;
    this.lastUsedAt = new Date();
  }

  /**
   * The engine of this session for the caller's desktop.
   * @throws DeskterityError SESSION_NOT_FOUND if the session or its private desktop has ended; never falls back to another desktop
   */
  async reach(caller: Environment, screen: ScreenSize): Promise<Reached> {
    this.requireLiving();
    const { environment, privateDisplay } = await this.environmentFor(caller, screen);
    if (this.isPrivate && !(await this.hasDesktop(environment, CONNECT_DEADLINE_MS)))
      throw desktopGone(this.name);
    this.requireLiving();
    const pooled = await this.shared.pool.get(environment);
    const engine = await this.engineOf(pooled);
    if (this.isOver && this.isPrivate) await this.shared.pool.forget(environment);
    this.requireLiving();
    this.display = this.shared.pool.displayIn(environment);
    this.lastCaller = caller;
    this.isOnAutomatic = !this.isPrivate && privateDisplay !== undefined;
    return { engine, privateDisplay, desktop: pooled.port };
  }

  /** The environment with which another session can share this one's private desktop; `undefined` if it has none. */
  sharedDesktop(
    caller: Environment,
  ): { readonly environment: Environment; readonly privateDisplay: string } | undefined {
    return this.isPrivate
      ? { environment: this.privateEnvironment(caller), privateDisplay: this.display ?? '' }
      : undefined;
  }

  /** Like {@link reach}, for a viewer that does not count as a user of the session. */
  reachAsViewer(caller: Environment, screen: ScreenSize): Promise<Reached> {
    return this.reach(this.lastCaller ?? caller, screen);
  }

  /** Quickly checks whether its private desktop is running, and updates the facts. */
  hasDesktopNow(): Promise<boolean> {
    return this.hasDesktop(this.privateEnvironment({}), LOOK_DEADLINE_MS);
  }

  /** Forgets everything and ends its desktop. Idempotent. */
  end(): Promise<void> {
    this.ended ??= this.finish();
    return this.ended;
  }

  /** Ends its desktop because the process exits; the record remains and notes this. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    this.ended ??= this.releaseAll().then(() => this.stopOwn());
    await this.ended.catch(() => undefined);
  }

  private async finish(): Promise<void> {
    await this.releaseAll();
    try {
      if (this.own !== undefined) {
        await this.shared.pool.forget(this.own.environment);
        await this.own.stop();
      }
    } finally {
      await this.shared.automatic.release(this);
      // Mark first: if this fails halfway, the name must not fall back to the caller's desktop.
      if (this.isPrivate) await markKilled(this.shared, this.name, this.record.created_at);
      await forgetSession(this.kept);
    }
  }

  /** Releases all keys and buttons that this session holds. */
  private async releaseAll(): Promise<void> {
    await Promise.allSettled([
      ...[...this.engines.values()].map(async ({ engine }) => (await engine).releaseInput()),
      this.terminals.close(),
    ]);
  }

  private async stopOwn(): Promise<void> {
    const { own } = this;
    if (own === undefined) return;
    this.record = { ...this.record, ended: true };
    await this.shared.pool.forget(own.environment);
    await own.stop().catch(() => undefined);
    if (this.isOver && !this.isLeaving) return;
    await this.kept.update(SESSION_DOCUMENT, () => this.record).catch(() => undefined);
  }

  private async environmentFor(
    caller: Environment,
    screen: ScreenSize,
  ): Promise<{ environment: Environment; privateDisplay: string | undefined }> {
    if (this.isPrivate)
      return { environment: this.privateEnvironment(caller), privateDisplay: this.display ?? '' };
    const isNamed = this.shared.pool.displayIn(caller) !== undefined;
    if (isNamed || !this.shared.outlivesCalls) return { environment: caller, privateDisplay: undefined };
    const { environment, display, home } = await this.shared.automatic.acquire(this, caller, screen);
    this.automaticHome = home && { home: home.path, home_kept: home.isKept };
    return { environment, privateDisplay: display };
  }

  private privateEnvironment(caller: Environment): Environment {
    return this.own?.environment ?? environmentOfRecord(this.record, caller);
  }

  private async hasDesktop(environment: Environment, deadlineMs: number): Promise<boolean> {
    if (!this.isPrivate) return true;
    if (this.record.ended === true) return false;
    // One whose owner was killed with its supervisor runs without anybody who could end it.
    if (this.own === undefined) await this.shared.pool.endLeftovers();
    if (await this.shared.pool.isAlive(environment, deadlineMs)) return true;
    // Clean up its remaining programs and folder, unless it belongs to another process.
    if (this.own === undefined) this.record = { ...this.record, ended: true };
    else if (!this.isOver) await this.stopOwn();
    return false;
  }

  private async engineOf({ key, port }: PooledDesktop): Promise<Engine> {
    // Without a reachable desktop, the engine still answers calls that need none, and reports errors for the others.
    const desktopId = await port.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
    const known = this.engines.get(key);
    if (known !== undefined && known.desktopId === desktopId) return known.engine;
    const engine = this.shared.createEngine({
      desktop: port,
      session: this.store,
      sessionName: this.name,
    });
    if (desktopId === undefined) return engine;
    engine.then(
      (made) =>
        this.acts.onAdd(({ command, span }) => {
          if (span !== undefined) made.noteAct(command, span.fromMs, span.toMs);
        }),
      () => undefined,
    );
    const entry = { desktopId, engine };
    this.engines.delete(key);
    this.engines.set(key, entry);
    const [oldest] = this.engines.keys();
    if (this.engines.size > MAX_ENGINES && oldest !== undefined) this.engines.delete(oldest);
    engine.catch(() => {
      if (this.engines.get(key) === entry) this.engines.delete(key);
    });
    return engine;
  }

  private requireLiving(): void {
    if (this.isOver) throw sessionOver(this.name);
  }
}

/** The session was ended, or could not be started. */
export function sessionOver(name: string, cause?: unknown): DeskterityError {
  return new DeskterityError('SESSION_NOT_FOUND', `The session "${name}" has ended.`, {
    suggestion: `Start it again: ${mentionCommand('session new', { name })}, with ${mentionParameter('private')} for its own desktop.`,
    cause,
  });
}

function desktopGone(name: string): DeskterityError {
  return new DeskterityError('SESSION_NOT_FOUND', `The private desktop of session "${name}" has ended.`, {
    suggestion: `Start a new one: ${mentionCommand('session new', { name, private: true })}. Its references and applications no longer exist.`,
  });
}
