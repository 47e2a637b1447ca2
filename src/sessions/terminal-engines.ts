import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Engine } from '../engine/engine.ts';
import { Session } from '../engine/refs/session.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { parseRef } from '../model/refs/ref.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { TerminalsPort, TerminalView } from '../ports/terminals.ts';
import { createMemoryStore } from './memory-store.ts';

export interface TerminalEngineParts {
  /** Presents a terminal as a desktop. */
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

/** The most recently used terminals, whose engines are kept; others get a new engine. */
const MAX_OPEN = 16;
/** Shared with the desktop and other processes; all other documents belong to one terminal. */
const REF_DOCUMENT = 'refs';

/** The engines of one session for its terminals, which share the session's refs. */
export class TerminalEngines {
  private readonly parts: TerminalEngineParts;
  private readonly name: string;
  private readonly store: SessionStore;
  /** Only for refs of terminals; their engines know the refs of their content. */
  private readonly session: Session;
  private readonly opened = new Map<string, Promise<Opened>>();
  private isClosed = false;

  constructor(parts: TerminalEngineParts, name: string, store: SessionStore) {
    this.parts = parts;
    this.name = name;
    this.store = store;
    this.session = new Session(store, { screenId: '' });
  }

  /** References of terminals, in the order of the ids. A terminal always has the same one, and none is reused. */
  async refs(ids: readonly string[]): Promise<readonly string[]> {
    const table = await this.session.read();
    const known = ids.map((id) => table.refOfScreen(id));
    const all = known.filter((ref) => ref !== undefined);
    if (all.length === ids.length) return all;
    return this.session.edit((now) => ids.map((id) => now.refForScreen(id)));
  }

  /**
   * The terminal of a ref: `@t2`, or `@e7` if that was read from a terminal; `undefined` for any other text.
   * @throws DeskterityError TERMINAL_NOT_FOUND for an unknown terminal ref
   */
  async idOf(text: string): Promise<string | undefined> {
    const parsed = parseRef(text);
    if (parsed === undefined || parsed.kind === 'w') return undefined;
    const table = await this.session.read();
    const id = table.screenOf(parsed.ref);
    if (id !== undefined || parsed.kind === 'e') return id;
    const why = table.wasIssued(parsed.ref)
      ? `${parsed.ref} is too old.`
      : `${parsed.ref} does not exist in this session.`;
    throw new DeskterityError('TERMINAL_NOT_FOUND', why, {
      suggestion: `Run ${mentionCommand('terminal list')} to see all terminals; check ${mentionParameter('session')} if you use several sessions.`,
    });
  }

  /** The terminal that a cursor belongs to. */
  async idAt(cursor: string): Promise<string | undefined> {
    return (await this.session.read()).screenAt(cursor.trim());
  }

  /** The engine of a terminal; for one that has ended, every call reports that. */
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

  /** Stops all typing and watching. */
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

/** Everything but refs is forgotten with the engine. */
function withRefsOf(store: SessionStore): SessionStore {
  const own = createMemoryStore();
  const of = (name: string): SessionStore => (name === REF_DOCUMENT ? store : own);
  return {
    load: (name) => of(name).load(name),
    update: (name, change, options) => of(name).update(name, change, options),
    clear: () => own.clear(),
  };
}

/** A view of a terminal that no longer exists. */
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
