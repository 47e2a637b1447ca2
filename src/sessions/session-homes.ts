import { randomBytes } from 'node:crypto';
import type { ScreenSize } from '../ports/desktops.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { SessionsPort } from '../ports/sessions.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { LivePlace } from './live/shown-session.ts';
import { createMemoryStore } from './memory-store.ts';
import { once, type Once } from './once.ts';
import { SessionRegistry, type SessionPlace, type SessionRegistryParts } from './session-registry.ts';

/** Shows sessions live. */
export interface LiveViewer {
  /** Returns the address of a page that shows a session's desktop, and lets a person take over with `control`. */
  show(name: string, place: LivePlace, use: 'watch' | 'control'): Promise<string>;
  /** Whether a page is open, or its address was just returned. */
  readonly isWatched: boolean;
  close(): Promise<void>;
}

export interface SessionHomesParts extends Omit<
  SessionRegistryParts,
  'openStore' | 'storedNames' | 'showLive'
> {
  /** The folder for sessions of callers with this environment. */
  readonly folderOf: (environment: Environment) => string;
  /** The store of one session; `note` receives messages for the user. */
  readonly openStore: (folder: string, name: string, note: (message: string) => void) => SessionStore;
  readonly storedNames: (folder: string) => Promise<readonly string[]>;
  /** Called for the first page. */
  readonly openLiveView: () => Promise<LiveViewer>;
}

/** A session that ends with a client's connection. */
export interface TemporarySession {
  readonly name: string;
  /** Ends it, with its references and private desktop. Never rejects. */
  end(): Promise<void>;
}

interface Passing {
  readonly store: SessionStore;
  /** The session whose desktop it shares. */
  readonly beside: string | undefined;
}

interface Home {
  readonly sessions: SessionRegistry;
  readonly liveView: Once<LiveViewer>;
  viewer: LiveViewer | undefined;
}

/** The sessions of all callers. Session names belong to a state folder: with another one, the same names are other sessions. */
export class SessionHomes {
  private readonly parts: SessionHomesParts;
  private readonly homes = new Map<string, Home>();
  /** The sessions without files. */
  private readonly passing = new Map<string, Passing>();
  /** Messages of stores, kept for the next call of their session. */
  private readonly notes = new Map<string, Set<string>>();

  constructor(parts: SessionHomesParts) {
    this.parts = parts;
  }

  of({ environment }: Pick<Caller, 'environment'>): SessionRegistry & SessionsPort {
    const folder = this.parts.folderOf(environment);
    const known = this.homes.get(folder) ?? this.open(folder);
    this.homes.set(folder, known);
    return known.sessions;
  }

  /** Enters a session. @param screen size of a private desktop, if one is started for it @param mayBeNew see {@link EnterOptions} */
  enter(session: string, caller: Caller, screen: ScreenSize, mayBeNew: boolean): SessionPlace {
    const passing = this.passing.get(this.keyOf(caller, session));
    const options = { screen, beside: passing?.beside, mayBeNew: mayBeNew || passing !== undefined };
    return this.of(caller).enter(session, caller, options);
  }

  /** Opens a session with a new name and without files. @param beside a session whose desktop it shares, private or not */
  openTemporary(prefix: string, caller: Caller, beside: string | undefined): TemporarySession {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    const key = this.keyOf(caller, name);
    this.passing.set(key, { store: createMemoryStore(), beside });
    return {
      name,
      end: async () => {
        // It may have been killed, or never used.
        await this.of(caller)
          .kill(name)
          .catch(() => undefined);
        this.passing.delete(key);
      },
    };
  }

  /** The messages of a session's store since the last call. */
  takeNotes(session: string, caller: Caller): readonly string[] {
    const key = this.keyOf(caller, session);
    const notes = this.notes.get(key) ?? [];
    this.notes.delete(key);
    return [...notes];
  }

  /** The desktops that sessions have used, with their sessions. */
  desktops(): ReturnType<SessionRegistry['desktops']> {
    return [...this.homes.values()].flatMap(({ sessions }) => sessions.desktops());
  }

  /** Why the process is still needed, as phrases. */
  get reasons(): readonly string[] {
    const count = this.desktops().filter((desktop) => desktop.private).length;
    const isWatched = [...this.homes.values()].some(({ viewer }) => viewer?.isWatched === true);
    return [
      ...(count === 0 ? [] : [`${count} private ${count === 1 ? 'desktop' : 'desktops'}`]),
      ...(isWatched ? ['a live page'] : []),
    ];
  }

  async close(): Promise<void> {
    const homes = [...this.homes.values()];
    await Promise.all(homes.map(async ({ liveView }) => (await liveView.current())?.close()));
    await Promise.all(homes.map(({ sessions }) => sessions.close()));
  }

  private open(folder: string): Home {
    const { parts } = this;
    const liveView = once(async () => {
      home.viewer = await parts.openLiveView();
      return home.viewer;
    });
    const sessions = new SessionRegistry({
      ...parts,
      openStore: (name) => {
        const key = keyIn(folder, name);
        const note = (message: string) =>
          void this.notes.set(key, (this.notes.get(key) ?? new Set()).add(message));
        return this.passing.get(key)?.store ?? parts.openStore(folder, name, note);
      },
      storedNames: () => parts.storedNames(folder),
      showLive: async (name, place, use) => (await liveView.get()).show(name, place, use),
    });
    const home: Home = { sessions, liveView, viewer: undefined };
    return home;
  }

  private keyOf({ environment }: Caller, session: string): string {
    return keyIn(this.parts.folderOf(environment), session);
  }
}

function keyIn(folder: string, session: string): string {
  return JSON.stringify([folder, session.toLowerCase()]);
}
