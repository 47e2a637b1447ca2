import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Engine } from '../engine/engine.ts';
import { Session } from '../engine/refs/session.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { parseRef } from '../model/refs/ref.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { TerminalsPort, TerminalView } from '../ports/terminals.ts';
import { createMemoryStore } from './memory-store.ts';

export interface TerminalEngineParts {
  /** A terminal as a desktop. */
  readonly terminalDesktop: (view: TerminalView) => Promise<DesktopPort>;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    sessionName: string;
  }) => Promise<Engine>;
}

interface Opened {
  readonly view: TerminalView;
  readonly desktop: DesktopPort;
  readonly engine: Engine;
}

/** Terminals whose engines are kept, those that were used last; one that is used again later gets a new one. */
const MAX_OPEN = 16;
/** Shared with the desktop and with other processes; all else that an engine keeps is of one terminal. */
const REF_DOCUMENT = 'refs';

/** The engines of one session on its terminals, which share the refs of the session. */
export class TerminalEngines {
  private readonly parts: TerminalEngineParts;
  private readonly name: string;
  private readonly store: SessionStore;
  /** For naming terminals only: what is shown of them is known by their engines. */
  private readonly session: Session;
  private readonly opened = new Map<string, Promise<Opened>>();
  private isClosed = false;

  constructor(parts: TerminalEngineParts, name: string, store: SessionStore) {
    this.parts = parts;
    this.name = name;
    this.store = store;
    this.session = new Session(store, { screenId: '' });
  }

  /** References of terminals, in the order of their ids: the same for the same terminal, and none is given again. */
  async refs(ids: readonly string[]): Promise<readonly string[]> {
    const table = await this.session.read();
    const known = ids.map((id) => table.refOfScreen(id));
    const all = known.filter((ref) => ref !== undefined);
    if (all.length === ids.length) return all;
    return this.session.edit((now) => ids.map((id) => now.giveScreen(id)));
  }

  /**
   * The terminal that a ref is of: `@t2`, or `@e7` where that was read from a terminal; `undefined` for any other text.
   * @throws DeskterityError TERMINAL_NOT_FOUND for a terminal that was never given out
   */
  async idOf(text: string): Promise<string | undefined> {
    const parsed = parseRef(text);
    if (parsed === undefined || parsed.kind === 'w') return undefined;
    const table = await this.session.read();
    const id = table.screenOf(parsed.ref);
    if (id !== undefined || parsed.kind === 'e') return id;
    const why = table.wasGiven(parsed.ref)
      ? `${parsed.ref} was given out too long ago.`
      : `${parsed.ref} was never given out in this session.`;
    throw new DeskterityError('TERMINAL_NOT_FOUND', why, {
      suggestion: `Run ${mentionCommand('terminal list')} to see the terminals there are; check ${mentionParameter('session')} if you use several.`,
    });
  }

  /** The terminal that was read at a cursor. */
  async idAt(cursor: string): Promise<string | undefined> {
    return (await this.session.read()).screenAt(cursor.trim());
  }

  /** The engine of a terminal; of one that has ended, an engine that says so to everything. */
  async engine(id: string, terminals: TerminalsPort): Promise<Engine> {
    const known = this.opened.get(id);
    if (known !== undefined) {
      const opened = await known.catch(() => undefined);
      if (opened?.view.isAlive() === true) {
        if (this.opened.get(id) === known) {
          this.opened.delete(id);
          this.opened.set(id, known);
        }
        return opened.engine;
      }
      await this.drop(id, known);
    }
    const opening = this.opened.get(id) ?? this.open(id, terminals);
    this.opened.set(id, opening);
    opening.catch(() => this.drop(id, opening));
    for (const [oldest, other] of this.opened) {
      if (this.opened.size <= MAX_OPEN) break;
      await this.drop(oldest, other);
    }
    return (await opening).engine;
  }

  /** Nothing is typed any more, and nobody watches. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.opened].map(([id, opening]) => this.drop(id, opening)));
  }

  private async open(id: string, terminals: TerminalsPort): Promise<Opened> {
    const view = await terminals.view(id).catch((error: unknown) => {
      if (!(error instanceof DeskterityError) || error.code !== 'TERMINAL_NOT_FOUND') throw error;
      return ended(id, error);
    });
    const desktop = await this.parts.terminalDesktop(view);
    const engine = await this.parts.createEngine({
      desktop,
      session: withRefsOf(this.store),
      sessionName: this.name,
    });
    if (this.isClosed) await desktop.close();
    return { view, desktop, engine };
  }

  private async drop(id: string, opening: Promise<Opened>): Promise<void> {
    if (this.opened.get(id) === opening) this.opened.delete(id);
    await (await opening.catch(() => undefined))?.desktop.close();
  }
}

/** What was read of a terminal is forgotten with its engine. */
function withRefsOf(store: SessionStore): SessionStore {
  const own = createMemoryStore();
  const of = (name: string): SessionStore => (name === REF_DOCUMENT ? store : own);
  return {
    load: (name) => of(name).load(name),
    update: (name, change) => of(name).update(name, change),
    clear: () => own.clear(),
  };
}

/** A terminal that is no more. */
function ended(id: string, why: DeskterityError): TerminalView {
  const refuse = async (): Promise<never> => {
    throw why;
  };
  return {
    id,
    name: '',
    pid: 0,
    read: refuse,
    write: refuse,
    resize: refuse,
    watch: () => () => undefined,
    isAlive: () => false,
  };
}
