import type { ScreenRow, TerminalScreen, TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import { cleanCut } from '../../../operations/output/clean-output.ts';
import type { OutputStore } from '../../../operations/output/output-store.ts';
import { drawScreen } from '../../screen/draw-screen.ts';
import { lastLines, readLines, readScreen } from '../../screen/screen.ts';
import { withoutQueries } from '../../screen/without-sequences.ts';
import { TerminalEmulator } from '../../screen/terminal-emulator.ts';
import { screenFacts, type ScreenFacts } from './wait-state.ts';

/** Receives everything that a terminal displays. */
export interface OutputReceiver {
  /** It has not read its output yet; until {@link OutputReceiver.whenCaughtUp} calls back, output is dropped. */
  readonly isBehind: boolean;
  show(bytes: Uint8Array): void;
  /** Calls `then` once when it has caught up. */
  whenCaughtUp(then: () => void): void;
}

/** Output waiting for the emulator; beyond this, writers wait. */
const MAX_PENDING_BYTES = 256 * 1024;

interface Attached {
  readonly receiver: OutputReceiver;
  /** Output was dropped, so it gets a full redraw later. */
  needsRedraw: boolean;
}

/** Sends the output of a terminal to disk, to the emulator and to attached viewers, in order. */
export class TerminalDisplay {
  private readonly emulator: TerminalEmulator;
  private readonly store: OutputStore;
  private readonly onShown: () => void;
  private readonly turns = new Turns();
  private readonly attached = new Map<OutputReceiver, Attached>();
  /** Output that is not on the screen yet. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private feeding: Promise<void> | undefined;
  /** An incomplete character or sequence, which is held back from viewers. */
  private unfinished: Buffer = Buffer.alloc(0);

  /** @param onShown called when the screen may have changed */
  constructor(size: TerminalSize, store: OutputStore, onShown: () => void) {
    this.emulator = new TerminalEmulator({ size });
    this.store = store;
    this.onShown = onShown;
  }

  get size(): TerminalSize {
    return this.emulator.size;
  }

  get title(): string {
    return this.emulator.title;
  }

  get isAlternate(): boolean {
    return this.emulator.isAlternate;
  }

  get attachedCount(): number {
    return this.attached.size;
  }

  /** Resolves when the output is on disk, or lost with a reason in the store, and more can be accepted. Wait for that before the next call. */
  async show(pieces: readonly Uint8Array[]): Promise<void> {
    if (pieces.length === 0) return;
    const bytes = Buffer.concat(pieces);
    const stored = this.store.write('merged', bytes);
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    this.feeding ??= this.turns.take(async () => this.feed());
    if (this.pendingBytes > MAX_PENDING_BYTES) await this.feeding;
    await stored;
  }

  /** Shows bytes that no program wrote; they are not stored. */
  async redraw(make: () => string): Promise<void> {
    await this.turns.take(async () => {
      const bytes = Buffer.from(make());
      this.send(bytes);
      await this.emulator.feed(bytes);
    });
    this.onShown();
  }

  /** Resolves when all earlier output is on the screen. */
  async settled(): Promise<void> {
    await this.turns.take(() => undefined);
  }

  takeAnswers(): Uint8Array {
    return this.emulator.takeAnswers();
  }

  async resize(size: TerminalSize): Promise<void> {
    await this.turns.take(() => this.emulator.resize(size));
    this.onShown();
  }

  /** Sends the current screen and then all further output. */
  async attach(receiver: OutputReceiver): Promise<void> {
    await this.turns.take(() => {
      this.attached.set(receiver, { receiver, needsRedraw: false });
      this.redrawFor(receiver);
    });
  }

  detach(receiver: OutputReceiver): void {
    this.attached.delete(receiver);
  }

  async read(scrollbackLines: number): Promise<{ screen: TerminalScreen; scrollback: ScreenRow[] }> {
    return this.turns.take(() => ({
      screen: readScreen(this.emulator),
      scrollback: readLines(this.emulator, scrollbackLines),
    }));
  }

  /** See {@link lastLines}. */
  async lines(most: number): Promise<string> {
    return this.turns.take(() => lastLines(this.emulator, most));
  }

  /** Clears the screen, except for the cursor line, and the scrollback. */
  async clear(): Promise<void> {
    await this.redraw(() => {
      const above = this.emulator.isAlternate ? 0 : this.emulator.cursor.row;
      return above === 0 ? '\u{1B}[3J' : `\u{1B}[${above}S\u{1B}[${above}A\u{1B}[3J`;
    });
  }

  screenFacts(): ScreenFacts {
    return screenFacts(this.emulator, this.textBeforeCursor());
  }

  /** The text before the cursor in its row. */
  textBeforeCursor(): string {
    const { row, column } = this.emulator.cursor;
    return this.emulator.row(row)?.translateToString(false, 0, column) ?? '';
  }

  dispose(): void {
    this.attached.clear();
    void this.turns.take(() => this.emulator.dispose());
  }

  /** Feeds everything that has accumulated at once, because each call to the emulator has a fixed cost. */
  private async feed(): Promise<void> {
    while (this.pending.length > 0) {
      const bytes = Buffer.concat(this.pending.splice(0));
      this.pendingBytes = 0;
      this.send(bytes);
      await this.emulator.feed(bytes);
      this.onShown();
    }
    this.feeding = undefined;
  }

  private send(bytes: Buffer): void {
    const open = Buffer.concat([this.unfinished, bytes]);
    const cut = cleanCut(open, open.length);
    this.unfinished = Buffer.from(open.subarray(cut));
    if (this.attached.size === 0) return;
    const whole = withoutQueries(open.subarray(0, cut));
    for (const attached of this.attached.values()) {
      if (attached.needsRedraw || whole.length === 0) continue;
      if (attached.receiver.isBehind) this.suspend(attached);
      else attached.receiver.show(whole);
    }
  }

  private suspend(attached: Attached): void {
    const { receiver } = attached;
    attached.needsRedraw = true;
    receiver.whenCaughtUp(() => {
      void this.turns.take(() => {
        if (this.attached.get(receiver) !== attached) return;
        attached.needsRedraw = false;
        this.redrawFor(receiver);
      });
    });
  }

  private redrawFor(receiver: OutputReceiver): void {
    receiver.show(drawScreen(this.emulator));
  }
}

/** Runs steps one after the other. */
class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs a step after those before it. A failed step does not stop later ones. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(step);
    this.last = done.catch(() => undefined);
    return done;
  }
}
