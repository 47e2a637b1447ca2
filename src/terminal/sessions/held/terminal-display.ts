import type { ScreenRow, TerminalScreen, TerminalSize } from '../../../model/terminals/terminal-screen.ts';
import { cleanCut } from '../../../operations/output/clean-output.ts';
import type { OutputStore } from '../../../operations/output/output-store.ts';
import { drawScreen } from '../../screen/draw-screen.ts';
import { lastLines } from '../../screen/screen-text.ts';
import { readLines, readScreen } from '../../screen/screen.ts';
import { withoutQueries } from '../../screen/without-sequences.ts';
import { TerminalEmulator } from '../../screen/terminal-emulator.ts';
import { screenFacts } from './wait-state.ts';
import type { ScreenFacts } from './wait-state.ts';

/** Somebody who is shown all that a terminal shows. */
export interface Onlooker {
  /** It has not taken what it was given yet; until {@link Onlooker.caughtUp} calls, nothing more is kept for it. */
  readonly isBehind: boolean;
  show(bytes: Uint8Array): void;
  /** Calls once, when it is not behind any more. */
  caughtUp(then: () => void): void;
}

/** Before the screen; then whoever writes has to wait. */
const MOST_COMING_BYTES = 256 * 1024;

interface Attached {
  readonly onlooker: Onlooker;
  /** What was shown meanwhile is lost to it: it gets the screen anew. */
  isLate: boolean;
}

/** What a terminal shows: on the disk, on its screen, and to whoever looks on. All in the order in which it came. */
export class TerminalDisplay {
  private readonly emulator: TerminalEmulator;
  private readonly store: OutputStore;
  private readonly onShown: () => void;
  private readonly turns = new Turns();
  private readonly attached = new Map<Onlooker, Attached>();
  /** What is not on the screen yet. */
  private coming: Buffer[] = [];
  private comingBytes = 0;
  private feeding: Promise<void> | undefined;
  /** The beginning of a character or a sequence whose rest has not come: nobody is shown half of one. */
  private unfinished: Buffer = Buffer.alloc(0);

  /** @param onShown called when the screen may be another one */
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

  /** Resolves when it is on the disk, or lost with a reason in the store, and there is room for more before the screen. Wait for that before giving more. */
  async show(pieces: readonly Uint8Array[]): Promise<void> {
    if (pieces.length === 0) return;
    const bytes = Buffer.concat(pieces);
    const stored = this.store.write('merged', bytes);
    this.coming.push(bytes);
    this.comingBytes += bytes.length;
    this.feeding ??= this.turns.take(async () => this.feed());
    if (this.comingBytes > MOST_COMING_BYTES) await this.feeding;
    await stored;
  }

  /** Shows what nobody has written, and the disk does not keep. */
  async redraw(make: () => string): Promise<void> {
    await this.turns.take(async () => {
      const bytes = Buffer.from(make());
      this.tell(bytes);
      await this.emulator.feed(bytes);
    });
    this.onShown();
  }

  /** Resolves when all that was given before is shown. */
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

  /** Shows the screen as it is, and then everything that comes. */
  async attach(onlooker: Onlooker): Promise<void> {
    await this.turns.take(() => {
      this.attached.set(onlooker, { onlooker, isLate: false });
      this.showAll(onlooker);
    });
  }

  detach(onlooker: Onlooker): void {
    this.attached.delete(onlooker);
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

  /** Empties the screen but for the line of the cursor, and what is above it. */
  async clear(): Promise<void> {
    await this.redraw(() => {
      const above = this.emulator.isAlternate ? 0 : this.emulator.cursor.row;
      return above === 0 ? '\u{1B}[3J' : `\u{1B}[${above}S\u{1B}[${above}A\u{1B}[3J`;
    });
  }

  screenFacts(): ScreenFacts {
    return screenFacts(this.emulator, this.textBeforeCursor());
  }

  /** Of its row. */
  textBeforeCursor(): string {
    const { row, column } = this.emulator.cursor;
    return this.emulator.row(row)?.translateToString(false, 0, column) ?? '';
  }

  dispose(): void {
    this.attached.clear();
    void this.turns.take(() => this.emulator.dispose());
  }

  /** Much at once, where much has come: the emulator takes its time for each piece, however small. */
  private async feed(): Promise<void> {
    while (this.coming.length > 0) {
      const bytes = Buffer.concat(this.coming.splice(0));
      this.comingBytes = 0;
      this.tell(bytes);
      await this.emulator.feed(bytes);
      this.onShown();
    }
    this.feeding = undefined;
  }

  private tell(bytes: Buffer): void {
    const open = Buffer.concat([this.unfinished, bytes]);
    const cut = cleanCut(open, open.length);
    this.unfinished = Buffer.from(open.subarray(cut));
    if (this.attached.size === 0) return;
    const whole = withoutQueries(open.subarray(0, cut));
    for (const attached of this.attached.values()) {
      if (attached.isLate || whole.length === 0) continue;
      if (attached.onlooker.isBehind) this.leaveBehind(attached);
      else attached.onlooker.show(whole);
    }
  }

  private leaveBehind(attached: Attached): void {
    const { onlooker } = attached;
    attached.isLate = true;
    onlooker.caughtUp(() => {
      void this.turns.take(() => {
        if (this.attached.get(onlooker) !== attached) return;
        attached.isLate = false;
        this.showAll(onlooker);
      });
    });
  }

  private showAll(onlooker: Onlooker): void {
    onlooker.show(drawScreen(this.emulator));
  }
}

/** Steps one after the other. */
class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves with what the step gives, when those before it are over; or rejects as it does, and others go on. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(step);
    this.last = done.catch(() => undefined);
    return done;
  }
}
