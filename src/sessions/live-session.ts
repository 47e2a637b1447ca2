import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { SessionFacts } from '../ports/sessions.ts';
import type { TerminalView } from '../ports/terminals.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { AutomaticDesktop } from './automatic-desktop.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { OwnDesktop, ScreenSize } from '../ports/desktops.ts';
import type { DesktopPool, PooledDesktop } from './desktop-pool.ts';
import { forgetSession, markKilled, whileItLives } from './session-memory.ts';
import type { RecordPlace } from './session-memory.ts';
import { environmentOfRecord, SESSION_DOCUMENT } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import { TerminalEngines } from './terminal-engines.ts';

/** What all sessions of a process share. */
export interface SessionSurroundings extends RecordPlace {
  readonly pool: DesktopPool;
  readonly automatic: AutomaticDesktop<LiveSession>;
  readonly clock: ClockPort;
  readonly terminalDesktop: (view: TerminalView) => Promise<DesktopPort>;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    sessionName: string;
  }) => Promise<Engine>;
  /** Whether this process lives on when a call has been answered: only then can it own a desktop. */
  readonly outlivesCalls: boolean;
}

export interface Reached {
  readonly engine: Engine;
  /** `:N` where Deskterity and not the caller chose the desktop. */
  readonly privateDisplay: string | undefined;
}

const CONNECT_DEADLINE_MS = 5000;
const LOOK_DEADLINE_MS = 1000;
/** Desktops whose engines are kept; whoever comes back to an older one gets a new engine. */
const MAX_ENGINES = 8;

/** One session as this process knows it. */
export class LiveSession {
  readonly name: string;
  private readonly around: SessionSurroundings;
  private readonly kept: SessionStore;
  private readonly store: SessionStore;
  private record: SessionRecord;
  private readonly own: OwnDesktop | undefined;
  /** By desktop; an engine belongs to one generation of it. */
  private readonly engines = new Map<
    string,
    { readonly desktopId: string; readonly engine: Promise<Engine> }
  >();
  readonly terminals: TerminalEngines;
  private ended: Promise<void> | undefined;
  private calls = 0;
  private lastUsedAt: Date | undefined;
  private lastCaller: Environment | undefined;
  private isOnAutomatic = false;
  private isLeaving = false;
  private display: string | undefined;

  constructor(
    around: SessionSurroundings,
    state: Pick<LiveSession, 'name'> & {
      readonly store: SessionStore;
      readonly record: SessionRecord;
      readonly own?: OwnDesktop | undefined;
    },
  ) {
    this.around = around;
    this.name = state.name;
    this.record = state.record;
    this.own = state.own;
    this.display = state.record.display;
    this.kept = state.store;
    this.store = whileItLives(this.kept, () => this.isOver);
    this.terminals = new TerminalEngines(around, this.name, this.store);
  }

  get facts(): SessionFacts {
    const { name, record, display, lastUsedAt, calls } = this;
    return {
      name,
      desktop: record.desktop,
      ...(display === undefined ? {} : { display }),
      hasEnded: record.ended === true,
      createdAt: record.created_at,
      ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
      calls,
    };
  }

  /** It was killed. */
  get isOver(): boolean {
    return this.ended !== undefined;
  }

  get isPrivate(): boolean {
    return this.record.desktop === 'private';
  }

  /** Its desktop was started by this process. */
  get ownsDesktop(): boolean {
    return this.own !== undefined;
  }

  /** Where its calls went, and whether Deskterity started that. */
  get place(): { readonly display: string; readonly private: boolean } | undefined {
    if (this.display === undefined || this.record.ended === true) return undefined;
    return { display: this.display, private: this.isPrivate || this.isOnAutomatic };
  }

  noteCall(): void {
    this.calls++;
    this.lastUsedAt = new Date();
  }

  /**
   * The engine of this session on the desktop that a call of this caller is about.
   * @throws DeskterityError SESSION_NOT_FOUND when it or its private desktop has ended; never another desktop instead
   */
  async reach(caller: Environment, screen: ScreenSize): Promise<Reached> {
    this.requireLiving();
    const { environment, privateDisplay } = await this.environmentFor(caller, screen);
    if (this.isPrivate && !(await this.hasDesktop(environment, CONNECT_DEADLINE_MS)))
      throw desktopGone(this.name);
    this.requireLiving();
    const pooled = await this.around.pool.get(environment);
    const engine = await this.engineOf(pooled);
    if (this.isOver && this.isPrivate) await this.around.pool.forget(environment);
    this.requireLiving();
    this.display = this.around.pool.displayIn(environment);
    this.lastCaller = caller;
    this.isOnAutomatic = !this.isPrivate && privateDisplay !== undefined;
    return { engine, privateDisplay };
  }

  /** What leads another session to this one's private desktop; `undefined` where it has none. */
  seatFor(
    caller: Environment,
  ): { readonly environment: Environment; readonly privateDisplay: string } | undefined {
    return this.isPrivate
      ? { environment: this.privateEnvironment(caller), privateDisplay: this.display ?? '' }
      : undefined;
  }

  /** The same for somebody who looks at the session from outside, and does not count as its user. */
  look(caller: Environment, screen: ScreenSize): Promise<Reached> {
    return this.reach(this.lastCaller ?? caller, screen);
  }

  /** Whether its private desktop is there, as far as that can be said quickly; facts know it afterwards. */
  hasDesktopNow(): Promise<boolean> {
    return this.hasDesktop(this.privateEnvironment({}), LOOK_DEADLINE_MS);
  }

  /** Forgets everything and ends its desktop. May be called again. */
  end(): Promise<void> {
    this.ended ??= this.finish();
    return this.ended;
  }

  /** The process ends, and with it the desktop; the record stays and says so. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    this.ended ??= this.letGo().then(() => this.stopOwn());
    await this.ended.catch(() => undefined);
  }

  private async finish(): Promise<void> {
    await this.letGo();
    try {
      if (this.own !== undefined) {
        await this.around.pool.forget(this.own.environment);
        await this.own.stop();
      }
    } finally {
      await this.around.automatic.release(this);
      // The mark first: whatever happens in between, it must not fall back to the desktop of whoever calls.
      if (this.isPrivate) await markKilled(this.around, this.name, this.record.created_at);
      await forgetSession(this.kept);
    }
  }

  /** No key or button stays down that this session holds. */
  private async letGo(): Promise<void> {
    await Promise.allSettled([
      ...[...this.engines.values()].map(async ({ engine }) => (await engine).releaseInput()),
      this.terminals.close(),
    ]);
  }

  private async stopOwn(): Promise<void> {
    const { own } = this;
    if (own === undefined) return;
    this.record = { ...this.record, ended: true };
    await this.around.pool.forget(own.environment);
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
    const isNamed = this.around.pool.displayIn(caller) !== undefined;
    if (isNamed || !this.around.outlivesCalls) return { environment: caller, privateDisplay: undefined };
    const { environment, display } = await this.around.automatic.acquire(this, caller, screen);
    return { environment, privateDisplay: display };
  }

  private privateEnvironment(caller: Environment): Environment {
    return this.own?.environment ?? environmentOfRecord(this.record, caller);
  }

  private async hasDesktop(environment: Environment, deadlineMs: number): Promise<boolean> {
    if (!this.isPrivate) return true;
    if (this.record.ended === true) return false;
    if (await this.around.pool.isAlive(environment, deadlineMs)) return true;
    // What is left of it, its programs and its folder, goes too. Another process sees to its own.
    if (this.own === undefined) this.record = { ...this.record, ended: true };
    else if (!this.isOver) await this.stopOwn();
    return false;
  }

  private async engineOf({ key, port }: PooledDesktop): Promise<Engine> {
    // Where nothing can be reached the engine still answers what needs no desktop, and says what is wrong with the rest.
    const desktopId = await port.desktopId({ deadlineMs: CONNECT_DEADLINE_MS }).catch(() => undefined);
    const known = this.engines.get(key);
    if (known !== undefined && known.desktopId === desktopId) return known.engine;
    const engine = this.around.createEngine({
      desktop: port,
      session: this.store,
      sessionName: this.name,
    });
    if (desktopId === undefined) return engine;
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

/** A session that was ended, or could not be started. */
export function sessionOver(name: string, cause?: unknown): DeskterityError {
  return new DeskterityError('SESSION_NOT_FOUND', `The session "${name}" has ended.`, {
    suggestion: `Start it anew: ${mentionCommand('session new', { name })}, with ${mentionParameter('private')} for a desktop of its own.`,
    cause,
  });
}

function desktopGone(name: string): DeskterityError {
  return new DeskterityError('SESSION_NOT_FOUND', `The private desktop of session "${name}" has ended.`, {
    suggestion: `Start a new one: ${mentionCommand('session new', { name, private: true })}. Its references and applications are gone.`,
  });
}
