import { confinementKey } from '../../../model/tools/confinement.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { RUN_LIMITS } from '../../../operations/operation-parts.ts';
import type { TerminalFactsView, TerminalStart } from '../../../ports/terminals.ts';
import type { HeldTerminalParts } from './held-session.ts';
import { HeldTerminal } from './held-terminal.ts';
import { displayTag } from '../../../model/terminals/session-name.ts';
import { sessionKey } from '../../session-key.ts';
import { unknownTerminal } from '../../failures.ts';

/** Only a faulty client opens more. */
const MAX_TERMINALS = 256;

export interface HeldTerminalsParts extends HeldTerminalParts {
  /** Called when a terminal has ended. */
  readonly onEnd: () => void;
}

/** The terminals of one holder. */
export class HeldTerminals {
  private readonly parts: HeldTerminalsParts;
  /** By project and tag. */
  private readonly named = new Map<string, Promise<HeldTerminal>>();
  private readonly byId = new Map<string, HeldTerminal>();

  constructor(parts: HeldTerminalsParts) {
    this.parts = parts;
  }

  /** Number of terminals that are open or being opened. */
  get count(): number {
    return Math.max(this.named.size, this.byId.size);
  }

  /** Returns the terminal of that name, started if there is none. @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED, CONFLICT, RATE_LIMITED */
  async open(start: TerminalStart): Promise<HeldTerminal> {
    const key = sessionKey(start.name);
    const before = this.named.get(key);
    if (before !== undefined) {
      const terminal = await before;
      if (!terminal.isOver) {
        terminal.keepRecord();
        return requireSameConfinement(terminal, start);
      }
      await terminal.ended;
      return this.open(start);
    }
    if (this.count >= MAX_TERMINALS) throw tooMany();
    const opening = HeldTerminal.open(this.parts, start);
    this.named.set(key, opening);
    try {
      const terminal = await opening;
      this.byId.set(terminal.id, terminal);
      void terminal.ended.finally(() => {
        this.byId.delete(terminal.id);
        this.release(key, opening);
        this.parts.onEnd();
      });
      return terminal;
    } catch (error) {
      this.release(key, opening);
      this.parts.onEnd();
      throw error;
    }
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  find(id: string): HeldTerminal {
    const terminal = this.byId.get(id);
    if (terminal === undefined || terminal.isOver) throw unknownTerminal(id);
    return terminal;
  }

  async list(): Promise<readonly TerminalFactsView[]> {
    const living = [...this.byId.values()].filter(({ isOver }) => !isOver);
    return Promise.all(living.map((terminal) => terminal.facts()));
  }

  /** Writes the records again that clients can no longer read. */
  keepRecords(): void {
    for (const terminal of this.byId.values()) if (!terminal.isOver) terminal.keepRecord();
  }

  /** Resolves when all have ended. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.named.values());
    await Promise.all(
      [...this.byId.values()].map((terminal) => terminal.close(RUN_LIMITS.leftoverWaits, 'holder')),
    );
  }

  private release(key: string, opening: Promise<HeldTerminal>): void {
    if (this.named.get(key) === opening) this.named.delete(key);
  }
}

/** @throws DeskterityError CONFLICT */
function requireSameConfinement(terminal: HeldTerminal, { confinement, name }: TerminalStart): HeldTerminal {
  if (confinementKey(terminal.start.confinement) === confinementKey(confinement)) return terminal;
  throw new DeskterityError(
    'CONFLICT',
    `Session '${displayTag(name)}' already exists with a different confinement.`,
    { suggestion: 'Close it first or use another tag.', delivered: false },
  );
}

function tooMany(): DeskterityError {
  return new DeskterityError('RATE_LIMITED', `This project already has ${MAX_TERMINALS} terminals.`, {
    suggestion: 'Close some of them with action "close".',
    delivered: false,
  });
}
