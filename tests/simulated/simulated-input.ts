import { showKey, showKeyCombination } from '../../src/model/text/key-combination.ts';
import type { KeyCombination, KeyName } from '../../src/model/text/key-combination.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { CallOptions } from '../../src/ports/call-options.ts';
import {
  PERSON,
  type ClickOptions,
  type InputLease,
  type InputPort,
  type MouseButton,
  type Point,
  type PressKeyOptions,
  type StopState,
  type TypingOptions,
} from '../../src/ports/input.ts';
import type { SimulatedNode, SimulatedWorld } from './simulated-world.ts';

const TRY_AGAIN_MS = 20;

/** A keyboard and a pointer over a scripted world: text goes to the focused element, clicks to the innermost one under the pointer. */
export class SimulatedInput implements InputPort {
  /** What reached the display, in order and in words: `key Control+s`, `left down 10,20`. */
  readonly record: string[] = [];
  /** The user is typing until this moment. */
  userActiveUntilMs = 0;
  position: Point = { x: 0, y: 0 };
  holder: string | undefined;
  readonly heldKeys: string[] = [];
  readonly heldButtons = new Set<MouseButton>();
  private readonly world: SimulatedWorld;
  private readonly waiting: { readonly holder: string }[] = [];
  private downAt: SimulatedNode | undefined;
  private stopped: StopState | undefined;
  private ended: { error: DeskterityError | undefined } = { error: undefined };
  private lent = 0;
  /** Ids of windows that their applications are about to show. */
  unshown: readonly string[] = [];
  /** Whether another window comes under the pointer during a click. */
  strays = false;

  constructor(world: SimulatedWorld) {
    this.world = world;
  }

  async pointer(): Promise<Point> {
    return this.position;
  }

  async reportsUserInput(): Promise<boolean> {
    return true;
  }

  private readonly userWatchers = new Set<(who: 'user' | 'unknown' | 'lost') => void>();

  /** The user, or another program, presses a key. */
  pressByUser(who: 'user' | 'unknown' = 'user'): void {
    for (const watcher of this.userWatchers) watcher(who);
  }

  async watchUser(listener: (who: 'user' | 'unknown' | 'lost') => void): Promise<() => void> {
    this.userWatchers.add(listener);
    return () => this.userWatchers.delete(listener);
  }

  async take(holder: string, { deadlineMs, signal }: CallOptions): Promise<InputLease> {
    const end = this.world.clock.now() + deadlineMs;
    const ticket = { holder };
    this.waiting.push(ticket);
    try {
      for (;;) {
        if (signal?.aborted) throw cancelled('waiting for keyboard and pointer');
        if (this.stopped && isRefused(holder, this.stopped)) throw stopped(this.stopped);
        const blocker = this.blocker(ticket);
        if (blocker === undefined) break;
        if (this.world.clock.now() >= end) throw taken(blocker);
        await this.world.clock.sleep(TRY_AGAIN_MS, signal).catch(() => undefined);
      }
    } finally {
      this.waiting.splice(this.waiting.indexOf(ticket), 1);
    }
    if (this.holder === undefined) this.ended = { error: undefined };
    this.holder = holder;
    this.lent++;
    return new SimulatedInputLease(this, this.world, this.ended);
  }

  async release(holder?: string): Promise<readonly string[]> {
    if (holder !== undefined && holder !== this.holder) return [];
    return this.end(takenAway());
  }

  stop(state: StopState): void {
    this.stopped = state;
    if (this.holder === undefined || isRefused(this.holder, state)) this.end(stopped(state));
  }

  resume(): void {
    this.stopped = undefined;
  }

  giveBack(keep: boolean): void {
    this.lent--;
    if (this.lent > 0 || (keep && this.held.length > 0)) return;
    this.end(takenAway());
  }

  private blocker(ticket: { readonly holder: string }): string | undefined {
    if (this.holder !== undefined) return this.holder === ticket.holder ? undefined : this.holder;
    const [first] = this.waiting;
    return first === ticket ? undefined : first?.holder;
  }

  private end(error: DeskterityError): readonly string[] {
    const released = this.held;
    for (const key of this.heldKeys.toReversed()) this.record.push(`key up ${key}`);
    for (const button of this.heldButtons) this.record.push(`${button} up`);
    this.heldKeys.length = 0;
    this.heldButtons.clear();
    this.holder = undefined;
    this.lent = 0;
    this.ended.error = error;
    return released;
  }

  get held(): readonly string[] {
    return [...this.heldKeys, ...[...this.heldButtons].map((button) => `${button} button`)];
  }

  /** Nothing is sent while the user uses keyboard and pointer. */
  async pause({ deadlineMs, signal }: CallOptions): Promise<boolean> {
    const waitMs = this.userActiveUntilMs - this.world.clock.now();
    if (waitMs <= 0) return false;
    if (waitMs > deadlineMs) throw userActive();
    await this.world.clock.sleep(waitMs, signal);
    return true;
  }

  pressButton(button: MouseButton): void {
    const { x, y } = this.position;
    this.heldButtons.add(button);
    this.record.push(`${button} down ${x},${y}`);
    this.downAt = this.world.elementAt(this.position)?.node;
    this.downAt?.onDown?.(this.world);
  }

  releaseButton(button: MouseButton): void {
    const { x, y } = this.position;
    this.heldButtons.delete(button);
    this.record.push(`${button} up ${x},${y}`);
    const hit = this.world.elementAt(this.position);
    if (!hit) return;
    if (hit.node === this.downAt) {
      const run = hit.node.onPointer?.[button] ?? (button === 'left' ? hit.node.onPress : undefined);
      if (run && !hit.node.states?.includes('disabled')) this.world.clock.after(0, () => run(this.world));
      if (button === 'left' && hit.node.accepts !== undefined) this.world.focus(hit.appId, hit.node.id);
    }
    this.downAt = undefined;
  }

  typeCharacter(character: string): void {
    const focused = this.world.focusedElement();
    if (!focused || focused.node.accepts !== 'text') return;
    this.world.change(focused.appId, focused.node.id, { value: (focused.node.value ?? '') + character });
  }
}

class SimulatedInputLease implements InputLease {
  private readonly input: SimulatedInput;
  private readonly world: SimulatedWorld;
  private readonly ended: { readonly error: DeskterityError | undefined };
  private isBack = false;
  private firstPressMs: number | undefined;

  constructor(
    input: SimulatedInput,
    world: SimulatedWorld,
    ended: { readonly error: DeskterityError | undefined },
  ) {
    this.input = input;
    this.world = world;
    this.ended = ended;
  }

  get held(): readonly string[] {
    return this.ended.error ? [] : this.input.held;
  }

  get pressedAtMs(): number | undefined {
    return this.firstPressMs;
  }

  get releasedAtMs(): number | undefined {
    return this.firstPressMs;
  }

  async press(keys: KeyCombination, { onReleased, ...options }: PressKeyOptions): Promise<void> {
    await this.beforePress(options);
    onReleased?.({ windows: this.input.unshown });
    const combination = showKeyCombination(keys);
    this.input.record.push(`key ${combination}`);
    const focused = this.world.focusedElement();
    const run = focused?.node.onKey ?? this.world.focusedWindow()?.onKey;
    if (run) this.world.clock.after(0, () => run(this.world, combination));
  }

  async keyDown(key: KeyName, options: CallOptions): Promise<void> {
    await this.beforePress(options);
    this.input.heldKeys.push(showKey(key));
    this.input.record.push(`key down ${showKey(key)}`);
  }

  async keyUp(key: KeyName, options: CallOptions): Promise<void> {
    await this.pause(options);
    const index = this.input.heldKeys.indexOf(showKey(key));
    if (index >= 0) this.input.heldKeys.splice(index, 1);
    this.input.record.push(`key up ${showKey(key)}`);
  }

  async type(text: string, { delayMs, check, onTyped, ...options }: TypingOptions): Promise<void> {
    await check();
    let count = 0;
    for (const character of text) {
      if (await this.beforePress(options)) await check();
      if (options.signal?.aborted) throw cancelled('typing');
      this.input.record.push(`type ${character}`);
      this.input.typeCharacter(character);
      onTyped?.(++count);
      if (delayMs > 0) await this.world.clock.sleep(delayMs, options.signal);
    }
  }

  async moveTo(point: Point, options: CallOptions & { readonly durationMs?: number }): Promise<void> {
    await this.pause(options);
    if (options.durationMs) await this.world.clock.sleep(options.durationMs, options.signal);
    this.input.position = point;
    this.input.record.push(`move ${point.x},${point.y}`);
    const run = this.world.elementAt(point)?.node.onHover;
    if (run) this.world.clock.after(0, () => run(this.world));
  }

  async under(): Promise<string | undefined> {
    return undefined;
  }

  async click(
    button: MouseButton,
    count: number,
    { check, onReleased, ...options }: ClickOptions,
  ): Promise<void> {
    await this.beforePress(options);
    for (let press = 0; press < count; press++) {
      this.input.pressButton(button);
      if (press === 0)
        await check?.().catch((error: unknown) => {
          this.input.position = { x: 0, y: 0 };
          this.input.releaseButton(button);
          throw error;
        });
      this.input.releaseButton(button);
    }
    onReleased?.({ windows: this.input.unshown, hasStrayed: this.input.strays });
  }

  async buttonDown(button: MouseButton, options: CallOptions): Promise<void> {
    await this.beforePress(options);
    this.input.pressButton(button);
  }

  async buttonUp(button: MouseButton, options: CallOptions): Promise<void> {
    await this.pause(options);
    this.input.releaseButton(button);
  }

  async wheel({ x, y }: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void> {
    await this.pause(options);
    this.input.record.push(`wheel ${x},${y}`);
    const run = this.world.elementAt(this.input.position)?.node.onWheel;
    if (run) this.world.clock.after(0, () => run(this.world, { x, y }));
  }

  async endLease({ keep }: { readonly keep: boolean } = { keep: false }): Promise<void> {
    if (this.isBack || this.ended.error) return;
    this.isBack = true;
    this.input.giveBack(keep);
  }

  private async beforePress(options: CallOptions): Promise<boolean> {
    const hasWaited = await this.pause(options);
    this.firstPressMs ??= this.world.clock.now();
    return hasWaited;
  }

  private async pause(options: CallOptions): Promise<boolean> {
    const hasWaited = await this.input.pause(options);
    if (this.ended.error) throw this.ended.error;
    return hasWaited;
  }
}

function taken(by: string): DeskterityError {
  return new DeskterityError('CONFLICT', `Keyboard and pointer are in use by session "${by}".`, {
    suggestion: 'Repeat the command when it has finished.',
    retryable: true,
    delivered: false,
  });
}

function takenAway(): DeskterityError {
  return new DeskterityError('CONFLICT', 'The lease of keyboard and pointer has ended.', {
    suggestion: 'Repeat the command.',
    retryable: true,
    delivered: false,
  });
}

function stopped({ by }: StopState): DeskterityError {
  return new DeskterityError('CANCELLED', `Acting was stopped by ${by}.`, {
    suggestion: 'To allow it again, run "desk resume".',
    delivered: false,
  });
}

function cancelled(what: string): DeskterityError {
  return new DeskterityError('CANCELLED', `Cancelled while ${what}.`, {
    suggestion: 'Repeat the command if you still need it.',
  });
}

function userActive(): DeskterityError {
  return new DeskterityError('CONFLICT', 'The user is using the keyboard or the pointer.', {
    suggestion: 'Repeat the command when the user is idle.',
    retryable: true,
    delivered: false,
  });
}

function isRefused(holder: string, { takeover }: StopState): boolean {
  return takeover !== true || holder !== PERSON;
}
