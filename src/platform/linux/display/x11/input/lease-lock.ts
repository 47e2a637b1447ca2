import { z } from 'zod';
import { parseJson } from '../../../../../model/parse-json.ts';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import { readProperty, REPLACE, textOf } from '../properties.ts';
import type { HolderName } from '../../lease-errors.ts';
import type { X11Wire } from '../wire.ts';
import { takeIfFree } from './take-if-free.ts';

const LONGEST_NAME = 80;

const Holder = z.object({ holder: z.string(), pid: z.int().positive() });

/**
 * The lock for acting on a display: ownership of a selection. The server clears it when the owning client disconnects, so a
 * process that exited never holds it.
 */
export class LeaseLock {
  readonly #wire: X11Wire;
  readonly #window: number;
  readonly #selection: number;
  #isOwner = false;

  /** @param window one of ours, whose property names the holder */
  constructor(wire: X11Wire, window: number) {
    this.#wire = wire;
    this.#window = window;
    this.#selection = wire.atom('_DESKTERITY_INPUT');
  }

  /** Calls `listener` when another client takes the lock from us, until the returned function is called. */
  onStolen(listener: () => void): () => void {
    return this.#wire.onEvent(({ name, selection }) => {
      if (name !== 'SelectionClear' || selection !== this.#selection || !this.#isOwner) return;
      this.#isOwner = false;
      listener();
    });
  }

  /** Takes the lock, or returns its current holder. */
  async tryTake(holder: string): Promise<HolderName | undefined> {
    const owner = await this.#owner();
    if (owner !== 0) return this.#nameOf(owner);
    await this.#writeHolder(holder);
    const found = await takeIfFree(this.#wire, this.#selection, this.#window);
    if (found !== 0) return this.#nameOf(found);
    this.#isOwner = true;
    return undefined;
  }

  /** Whether another client has it. */
  async isHeldElsewhere(): Promise<boolean> {
    return !this.#isOwner && (await this.#owner()) !== 0;
  }

  async release(): Promise<void> {
    if (!this.#isOwner) return;
    this.#isOwner = false;
    await this.#wire.tryCall('SetSelectionOwner', 0, this.#selection, 0);
  }

  #owner(): Promise<number> {
    return this.#wire.call('GetSelectionOwner', this.#selection);
  }

  async #writeHolder(holder: string): Promise<void> {
    const text = Buffer.from(JSON.stringify({ holder, pid: process.pid }));
    const name = this.#wire.atom('_DESKTERITY_HOLDER');
    const type = this.#wire.atom('UTF8_STRING');
    await this.#wire.tryCall('ChangeProperty', REPLACE, this.#window, name, type, 8, text);
  }

  /** The owner may be any program, with any content. */
  async #nameOf(window: number): Promise<HolderName> {
    const text = textOf(this.#wire, await readProperty(this.#wire, window, '_DESKTERITY_HOLDER')) ?? '';
    const parsed = Holder.safeParse(parseJson(text));
    if (!parsed.success) return {};
    const { holder, pid } = parsed.data;
    return { holder: reveal(clip(holder, LONGEST_NAME)), ...(pid === process.pid ? {} : { pid }) };
  }
}
