import { numbersOf, readPropertyOf } from '../properties.ts';
import { words } from '../clipboard/selection-client.ts';
import type { X11Wire } from '../wire.ts';
import type { PropertyReply } from '../x11-library.ts';

const REPLACE = 0;
/** Predefined in the X protocol. */
const CARDINAL = 6;

/** A property of the root window: it outlives the client that wrote it, and any client may write it. */
export class RootProperty {
  readonly atom: number;
  readonly #wire: X11Wire;

  private constructor(wire: X11Wire, atom: number) {
    this.#wire = wire;
    this.atom = atom;
  }

  static async open(wire: X11Wire, name: string): Promise<RootProperty> {
    return new RootProperty(wire, await wire.internAtom(name));
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
    return this.#write(CARDINAL, 32, words(numbers));
  }

  writeText(text: string): Promise<void> {
    return this.#write(this.#wire.atom('UTF8_STRING'), 8, Buffer.from(text));
  }

  async remove(): Promise<void> {
    await this.#wire.request<undefined>((client, done) => {
      client.DeleteProperty(this.#wire.root, this.atom, done);
    });
  }

  async #write(type: number, format: 8 | 32, data: Buffer): Promise<void> {
    await this.#wire.request<undefined>((client, done) => {
      client.ChangeProperty(REPLACE, this.#wire.root, this.atom, type, format, data, done);
    });
  }
}
