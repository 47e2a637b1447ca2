import { z } from 'zod';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import type { StopState } from '../../../../../ports/input.ts';
import { textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import { parseJson } from './parse-json.ts';
import { RootProperty } from './root-property.ts';

/** Of a PropertyNotify. */
const WRITTEN = 0;
const LONGEST_NAME = 80;
const Note = z.object({ since: z.iso.datetime().optional(), by: z.string().optional() });

/** Whether acting is stopped on a display, as its root window says: to all processes alike, and for as long as the display lives. */
export class StopNote {
  readonly #wire: X11Wire;
  readonly #property: RootProperty;

  private constructor(wire: X11Wire, property: RootProperty) {
    this.#wire = wire;
    this.#property = property;
  }

  static async open(wire: X11Wire): Promise<StopNote> {
    return new StopNote(wire, await RootProperty.open(wire, '_DESKTERITY_STOPPED'));
  }

  /** Tells when somebody wrote or removed the note. The root's property events must have been asked for. */
  onChange(listener: (isWritten: boolean) => void): void {
    this.#wire.onEvent(({ name, wid, atom, state }) => {
      if (name === 'PropertyNotify' && wid === this.#wire.root && atom === this.#property.atom)
        listener(state === WRITTEN);
    });
  }

  async read(): Promise<StopState> {
    const property = await this.#property.read();
    if (property === undefined) return { stopped: false };
    // Whatever it says and whoever wrote it: that it is there means stop.
    const note = Note.safeParse(parseJson(textOf(this.#wire, property) ?? ''));
    const { since, by } = note.success ? note.data : {};
    return {
      stopped: true,
      ...(since === undefined ? {} : { since }),
      ...(by === undefined ? {} : { by: reveal(clip(by, LONGEST_NAME)) }),
    };
  }

  async write(by: string): Promise<void> {
    await this.#property.writeText(JSON.stringify({ since: new Date().toISOString(), by }));
  }

  remove(): Promise<void> {
    return this.#property.remove();
  }
}
