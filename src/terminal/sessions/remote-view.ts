import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { TerminalFactsView, TerminalReading, TerminalView } from '../../ports/terminals.ts';
import type { ScreenEvents } from '../desktop/screen-events.ts';
import type { TerminalAnswers } from '../../wire/terminal-protocol.ts';
import type { SingleTerminalRequest, TerminalHolders } from './terminal-holders.ts';
import { displayName } from '../../model/terminals/session-name.ts';

/** The screen of a terminal in a holder. */
export class RemoteView implements TerminalView {
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  private readonly holders: TerminalHolders;
  private readonly events: ScreenEvents;
  private isOver = false;

  constructor(holders: TerminalHolders, events: ScreenEvents, facts: TerminalFactsView) {
    this.holders = holders;
    this.events = events;
    this.id = facts.id;
    this.name = displayName(facts.name);
    this.pid = facts.pid;
  }

  async read(options: CallOptions & { readonly scrollbackLines: number }): Promise<TerminalReading> {
    const { scrollbackLines } = options;
    return this.ask({ do: 'read', terminal: this.id, scrollbackLines }, options);
  }

  async write(bytes: Uint8Array, options: CallOptions): Promise<void> {
    await this.ask({ do: 'write', terminal: this.id, bytes, byPerson: false }, options);
  }

  async resize(size: TerminalSize, options: CallOptions): Promise<void> {
    await this.ask({ do: 'resize', terminal: this.id, size }, options);
  }

  watch(listener: () => void): () => void {
    return this.events.listen(this.id, {
      onShown: listener,
      onExit: () => {
        this.isOver = true;
        listener();
      },
    });
  }

  isAlive(): boolean {
    return !this.isOver;
  }

  private async ask<Ask extends SingleTerminalRequest>(
    ask: Ask,
    { deadlineMs, signal }: CallOptions,
  ): Promise<TerminalAnswers[Ask['do']]> {
    try {
      return await this.holders.ask(this.id, ask, deadlineMs, signal);
    } catch (error) {
      if (error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND') this.isOver = true;
      throw error;
    }
  }
}
