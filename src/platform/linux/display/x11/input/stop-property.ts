import { z } from 'zod';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import type { StopState } from '../../../../../ports/input.ts';
import { textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import { parseJson } from './parse-json.ts';
import { RootProperty } from './root-property.ts';

/** State of a PropertyNotify event. */
const WRITTEN = 0;
const LONGEST_NAME = 80;
const Content = z.object({ since: z.iso.datetime().optional(), by: z.string().optional() });

/** Whether acting is stopped on a display: a property of its root window, shared by all processes while the display runs. */
export class StopProperty {
  readonly #wire: X11Wire;
  readonly #property: RootProperty;

  private constructor(wire: X11Wire, property: RootProperty) {
    this.#wire = wire;
    this.#property = property;
  }

  static async open(wire: X11Wire): Promise<StopProperty> {
    return new StopProperty(wire, await RootProperty.open(wire, '_DESKTERITY_STOPPED'));
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
    // Its existence means stop, whatever its content and whoever wrote it.
    const content = Content.safeParse(parseJson(textOf(this.#wire, property) ?? ''));
    const { since, by } = content.success ? content.data : {};
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
