import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isModifier, type KeyCombination, type KeyName } from '../../model/text/key-combination.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type {
  ClickOptions,
  InputLease,
  InputPort,
  MouseButton,
  Point,
  StopState,
  StopSwitchPort,
  TypingOptions,
} from '../../ports/input.ts';
import { keyBytes, typedBytes } from '../screen/key-bytes.ts';
import { mouseBytes, type MouseAction } from '../screen/mouse-bytes.ts';
import { cellAt } from './screen-tree.ts';
import type { TerminalView } from '../../ports/terminals.ts';

const RETRY_MS = 20;
/** Characters typed between two checks whether to continue. */
const TYPED_AT_ONCE = 64;

/** Keyboard and pointer of one terminal, which send bytes to it. They are leased like those of a display. */
export class TerminalInput implements InputPort {
  readonly view: TerminalView;
  readonly clock: ClockPort;
  position: Point = { x: 0, y: 0 };
  private holder: string | undefined;
  private lease: TerminalInputLease | undefined;
  private lent = 0;
  private stopped: StopState | undefined;

  constructor(view: TerminalView, clock: ClockPort) {
    this.view = view;
    this.clock = clock;
  }

  async pointer(): Promise<Point> {
    return this.position;
  }

  /** Typing here does not use the user's keyboard. */
  async reportsUserInput(): Promise<boolean> {
    return true;
  }

  async take(holder: string, { deadlineMs, signal }: CallOptions): Promise<InputLease> {
    const end = this.clock.now() + deadlineMs;
    for (;;) {
      if (this.stopped !== undefined) throw stoppedBy(this.stopped);
      if (this.holder === undefined || this.holder === holder) break;
      if (this.clock.now() >= end)
        throw new DeskterityError('CONFLICT', `${this.holder} is typing in this terminal.`, {
          suggestion: 'Repeat the command when that session has finished.',
          retryable: true,
          delivered: false,
        });
      await this.clock.sleep(RETRY_MS, signal);
    }
    this.holder = holder;
    this.lent += 1;
    this.lease ??= new TerminalInputLease(this);
    return this.lease;
  }

  async release(holder?: string): Promise<readonly string[]> {
    if (holder === undefined || holder === this.holder) this.end(takenAway());
    return [];
  }

  stop(state: StopState): void {
    this.stopped = state;
    this.end(stoppedBy(state));
  }

  resume(): void {
    this.stopped = undefined;
  }

  /** Ends the lease with the last of its holders. */
  giveBack(): void {
    this.lent -= 1;
    if (this.lent <= 0) this.end(takenAway());
  }

  private end(reason: DeskterityError): void {
    this.lease?.end(reason);
    this.lease = undefined;
    this.holder = undefined;
    this.lent = 0;
  }
}

class TerminalInputLease implements InputLease {
  readonly held: readonly string[] = [];
  readonly pressedAtMs = undefined;
  readonly releasedAtMs = undefined;
  private readonly input: TerminalInput;
  private ended: DeskterityError | undefined;

  constructor(input: TerminalInput) {
    this.input = input;
  }

  async press(keys: KeyCombination, options: CallOptions): Promise<void> {
    const { screen } = await this.read(options);
    await this.write(keyBytes(keys, screen.modes), options);
  }

  /** A terminal receives a key once and cannot hold it down. */
  async keyDown(key: KeyName, options: CallOptions): Promise<void> {
    if (isModifier(key)) throw notHeld();
    await this.press([key], options);
  }

  async keyUp(): Promise<void> {}

  async type(text: string, options: TypingOptions): Promise<void> {
    const characters = Array.from(text);
    const step = options.delayMs > 0 ? 1 : TYPED_AT_ONCE;
    for (let at = 0; at < characters.length; at += step) {
      if (at > 0 && options.delayMs > 0) await this.input.clock.sleep(options.delayMs, options.signal);
      await options.check();
      const part = characters.slice(at, at + step);
      await this.write(typedBytes(part.join('')), options);
      options.onTyped?.(at + part.length);
    }
  }

  async moveTo(point: Point): Promise<void> {
    this.requireLease();
    this.input.position = point;
  }

  async under(): Promise<undefined> {}

  async click(button: MouseButton, count: number, options: ClickOptions): Promise<void> {
    for (let time = 0; time < count; time += 1) {
      if (time === 0) await options.check?.();
      await this.mouse(
        [
          { kind: 'down', button },
          { kind: 'up', button },
        ],
        options,
      );
    }
  }

  async buttonDown(button: MouseButton, options: CallOptions): Promise<void> {
    await this.mouse([{ kind: 'down', button }], options);
  }

  async buttonUp(button: MouseButton, options: CallOptions): Promise<void> {
    await this.mouse([{ kind: 'up', button }], options);
  }

  async wheel({ y }: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void> {
    const action: MouseAction = { kind: 'wheel', direction: y > 0 ? 'down' : 'up' };
    await this.mouse(
      Array.from({ length: Math.min(100, Math.abs(Math.trunc(y))) }, () => action),
      options,
    );
  }

  async endLease(): Promise<void> {
    if (this.ended === undefined) this.input.giveBack();
  }

  end(reason: DeskterityError): void {
    this.ended = reason;
  }

  private async mouse(actions: readonly MouseAction[], options: CallOptions): Promise<void> {
    const { screen } = await this.read(options);
    const cell = cellAt(this.input.position, screen.size);
    if (cell === undefined)
      throw new DeskterityError('NOT_ACTIONABLE', 'The pointer is outside the terminal.', {
        suggestion: 'Use an element of the terminal as the target.',
        delivered: false,
      });
    const bytes = actions.map((action) => mouseBytes(action, cell, screen.modes));
    await this.write(Buffer.concat(bytes), options);
  }

  private read(options: CallOptions) {
    this.requireLease();
    return this.input.view.read({ ...options, scrollbackLines: 0 });
  }

  private async write(bytes: Uint8Array, options: CallOptions): Promise<void> {
    this.requireLease();
    await this.input.view.write(bytes, options);
  }

  private requireLease(): void {
    if (this.ended !== undefined) throw this.ended;
  }
}

function stoppedBy({ by = 'a person' }: StopState): DeskterityError {
  return new DeskterityError('CANCELLED', `Input was stopped by ${by}.`, {
    suggestion: `To allow it again, run ${mentionCommand('resume')}.`,
    delivered: false,
  });
}

function takenAway(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The input lease of the terminal was revoked.', {
    suggestion: 'Repeat the command.',
    retryable: true,
  });
}

function notHeld(): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', 'A terminal cannot hold keys down.', {
    suggestion: 'Press the keys together: ctrl+c.',
    delivered: false,
  });
}

/** Stops all input of this process to one terminal. */
export class TerminalStopSwitch implements StopSwitchPort {
  private readonly input: TerminalInput;
  private readonly listeners = new Set<(state: StopState) => void>();
  private current: StopState = { stopped: false };

  constructor(input: TerminalInput) {
    this.input = input;
  }

  async state(): Promise<StopState> {
    return this.current;
  }

  async stop(by: string): Promise<StopState> {
    if (this.current.stopped) return this.current;
    this.current = { stopped: true, since: new Date().toISOString(), by };
    this.input.stop(this.current);
    for (const listener of this.listeners) listener(this.current);
    return this.current;
  }

  async resume(): Promise<StopState> {
    this.current = { stopped: false };
    this.input.resume();
    return this.current;
  }

  /** A terminal has no picture that a person could take over. */
  async takeOver(): Promise<StopState> {
    return this.current;
  }

  async handBack(): Promise<StopState> {
    return this.current;
  }

  onChange(): () => void {
    return () => undefined;
  }

  onStop(listener: (state: StopState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async hotKey(): Promise<undefined> {
    return undefined;
  }
}
