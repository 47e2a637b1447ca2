import { DeskterityError } from '../../model/effects/errors.ts';
import { parseKey, type KeyName } from '../../model/text/key-combination.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import { PERSON, type InputLease } from '../../ports/input.ts';
import { pixelAt, type InputEvent, type Modifier } from './page-events.ts';

const CALL = { deadlineMs: 5000 };

/**
 * Keyboard and pointer of a person who has taken over, leased for as long as they are used from one page. Characters are typed as text, whatever the
 * person's keyboard; modifiers are held only for pointer and key combinations.
 */
export class PersonInput {
  private readonly desktop: DesktopPort;
  private lease: InputLease | undefined;
  private held: readonly Modifier[] = [];
  private size: { readonly width: number; readonly height: number } = { width: 1, height: 1 };
  private turn: Promise<unknown> = Promise.resolve();

  constructor(desktop: DesktopPort) {
    this.desktop = desktop;
  }

  /** Carries out events in order, after those before them. @throws DeskterityError */
  send(
    events: readonly InputEvent[],
    size: { readonly width: number; readonly height: number },
  ): Promise<void> {
    return this.inTurn(async () => {
      this.size = size;
      for (const event of events) await this.perform(await this.leased(), event);
    });
  }

  /** Releases everything that is held. Never rejects. */
  end(): Promise<void> {
    return this.inTurn(() => this.endLease());
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async leased(): Promise<InputLease> {
    this.lease ??= await this.desktop.input.take(PERSON, CALL);
    return this.lease;
  }

  private async endLease(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    this.held = [];
    await lease?.endLease();
  }

  private async perform(lease: InputLease, event: InputEvent): Promise<void> {
    try {
      await this.carryOut(lease, event);
    } catch (error) {
      // Whatever it was that failed, nothing stays down.
      await this.endLease();
      throw error;
    }
  }

  private async carryOut(lease: InputLease, event: InputEvent): Promise<void> {
    switch (event.type) {
      case 'release':
        return this.endLease();
      case 'text':
        await this.hold(lease, []);
        return lease.type(event.text, { ...CALL, delayMs: 0, check: async () => undefined });
      case 'key':
        return this.press(lease, event);
      default:
        // Moving alone presses no modifier: the next key may be a character.
        await this.hold(lease, event.type === 'move' ? this.stillDown(event.mods) : event.mods);
        await lease.moveTo(pixelAt(event, this.size), CALL);
        if (event.type === 'down') await lease.buttonDown(event.button, CALL);
        if (event.type === 'up') await lease.buttonUp(event.button, CALL);
        if (event.type === 'wheel') await lease.wheel({ x: event.across, y: event.down }, CALL);
    }
  }

  private stillDown(mods: readonly Modifier[]): readonly Modifier[] {
    return this.held.filter((held) => mods.includes(held));
  }

  private async press(
    lease: InputLease,
    { key, mods }: Extract<InputEvent, { readonly type: 'key' }>,
  ): Promise<void> {
    const name = keyOf(key, mods);
    // A browser reports keys that no desktop has, such as that of an input method.
    if (name === undefined) return;
    await this.hold(lease, []);
    const others = mods.filter((mod) => mod !== key).map((mod): KeyName => ({ kind: 'named', name: mod }));
    const [first, ...rest] = [...others, name];
    await lease.press([first ?? name, ...rest], CALL);
  }

  /** Presses and releases modifiers until exactly these are down. */
  private async hold(lease: InputLease, wanted: readonly Modifier[]): Promise<void> {
    for (const name of this.held.filter((held) => !wanted.includes(held)))
      await lease.keyUp({ kind: 'named', name }, CALL);
    for (const name of wanted.filter((mod) => !this.held.includes(mod)))
      await lease.keyDown({ kind: 'named', name }, CALL);
    this.held = wanted;
  }
}

function keyOf(key: string, mods: readonly Modifier[]): KeyName | undefined {
  try {
    // Shift is one of the modifiers, so the key is that of the small letter.
    return parseKey(mods.length > 0 && key.length === 1 ? key.toLowerCase() : key);
  } catch (error) {
    if (error instanceof DeskterityError) return undefined;
    throw error;
  }
}
