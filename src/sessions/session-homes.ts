import type { SessionsPort } from '../ports/sessions.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { once } from './once.ts';
import type { Once } from './once.ts';
import { SessionRegistry } from './session-registry.ts';
import type { SessionPlace, SessionRegistryParts } from './session-registry.ts';

/** Shows sessions live. */
export interface LiveViewer {
  /** The address of a page that shows a session's desktop. */
  show(name: string, place: SessionPlace): Promise<string>;
  /** Whether somebody has a page open, or has just been given the address of one. */
  readonly isWatched: boolean;
  close(): Promise<void>;
}

export interface SessionHomesParts extends Omit<
  SessionRegistryParts,
  'openStore' | 'storedNames' | 'showLive'
> {
  /** The folder that holds the sessions of whoever has this environment. */
  readonly folderOf: (environment: Environment) => string;
  readonly openStore: (folder: string, name: string) => ReturnType<SessionRegistryParts['openStore']>;
  readonly storedNames: (folder: string) => Promise<readonly string[]>;
  /** Called when the first page is wanted. */
  readonly openLiveView: () => Promise<LiveViewer>;
}

interface Home {
  readonly sessions: SessionRegistry;
  readonly liveView: Once<LiveViewer>;
  viewer: LiveViewer | undefined;
}

/** The sessions of every caller. A session is a name in a state folder: callers with another one mean other sessions by the same names. */
export class SessionHomes {
  private readonly parts: SessionHomesParts;
  private readonly homes = new Map<string, Home>();

  constructor(parts: SessionHomesParts) {
    this.parts = parts;
  }

  of({ environment }: Pick<Caller, 'environment'>): SessionRegistry & SessionsPort {
    const folder = this.parts.folderOf(environment);
    const known = this.homes.get(folder) ?? this.open(folder);
    this.homes.set(folder, known);
    return known.sessions;
  }

  /** The desktops that sessions have used, and who uses them. */
  desktops(): ReturnType<SessionRegistry['desktops']> {
    return [...this.homes.values()].flatMap(({ sessions }) => sessions.desktops());
  }

  get isWatched(): boolean {
    return [...this.homes.values()].some(({ viewer }) => viewer?.isWatched === true);
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
      openStore: (name) => parts.openStore(folder, name),
      storedNames: () => parts.storedNames(folder),
      showLive: async (name, place) => (await liveView.get()).show(name, place),
    });
    const home: Home = { sessions, liveView, viewer: undefined };
    return home;
  }
}
