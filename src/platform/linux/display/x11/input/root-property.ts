import { z } from 'zod';
import { parseJson } from '../../../../../model/parse-json.ts';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import type { StopState } from '../../../../../ports/input.ts';
import type { AtomName } from '../atoms.ts';
import { numbersOf, readPropertyOf, REPLACE, textOf, words } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import type { PropertyReply } from '../x11-requests.ts';

/** Predefined in the X protocol. */
const CARDINAL = 6;

/** State of a PropertyNotify event. */
const WRITTEN = 0;
const LONGEST_NAME = 80;
const Content = z.object({
  since: z.iso.datetime().optional(),
  by: z.string().optional(),
  takeover: z.literal(true).optional(),
});

/** A property of the root window: it outlives the client that wrote it, and any client may write it. */
export class RootProperty {
  readonly atom: number;
  readonly #wire: X11Wire;

  constructor(wire: X11Wire, name: AtomName) {
    this.#wire = wire;
    this.atom = wire.atom(name);
  }

  /** `undefined` if it is not set. */
  read(): Promise<PropertyReply | undefined> {
    return readPropertyOf(this.#wire, this.#wire.root, this.atom);
  }

  async readNumbers(): Promise<readonly number[]> {
    return numbersOf(await this.read());
  }

  /** Sent before this returns, ahead of all later requests. */
  writeNumbers(numbers: readonly number[]): Promise<void> {
    return this.writeData(words(numbers));
  }

  /** Bytes of 32-bit numbers. */
  writeData(data: Buffer): Promise<void> {
    return this.#write(CARDINAL, 32, data);
  }

  writeText(text: string): Promise<void> {
    return this.#write(this.#wire.atom('UTF8_STRING'), 8, Buffer.from(text));
  }

  async remove(): Promise<void> {
    await this.#wire.call('DeleteProperty', this.#wire.root, this.atom);
  }

  async #write(type: number, format: 8 | 32, data: Buffer): Promise<void> {
    await this.#wire.call('ChangeProperty', REPLACE, this.#wire.root, this.atom, type, format, data);
  }
}

/** Whether acting is stopped on a display: a property of its root window, shared by all processes while the display runs. */
export class StopProperty {
  readonly #wire: X11Wire;
  readonly #property: RootProperty;

  constructor(wire: X11Wire) {
    this.#wire = wire;
    this.#property = new RootProperty(wire, '_DESKTERITY_STOPPED');
  }

  /** Reports when it is written or removed. Property events of the root window must be selected. */
  onChange(listener: (isWritten: boolean) => void): void {
    this.#wire.onEvent(({ name, wid, atom, state }) => {
      if (name === 'PropertyNotify' && wid === this.#wire.root && atom === this.#property.atom)
        listener(state === WRITTEN);
    });
  }

  async read(): Promise<StopState> {
    const property = await this.#property.read();
    if (property === undefined) return { stopped: false };
    // If the property exists, acting is stopped; neither its value nor its writer matters.
    const content = Content.safeParse(parseJson(textOf(this.#wire, property) ?? ''));
    const { since, by, takeover } = content.success ? content.data : {};
    return {
      stopped: true,
      ...(since === undefined ? {} : { since }),
      ...(by === undefined ? {} : { by: reveal(clip(by, LONGEST_NAME)) }),
      ...(takeover === undefined ? {} : { takeover }),
    };
  }

  async write(
    by: string,
    { isTakeover }: { readonly isTakeover: boolean } = { isTakeover: false },
  ): Promise<void> {
    const content = { since: new Date().toISOString(), by, ...(isTakeover ? { takeover: true } : {}) };
    await this.#property.writeText(JSON.stringify(content));
  }

  remove(): Promise<void> {
    return this.#property.remove();
  }
}
