import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './x-server.ts';

/** Numbers of the header of an XWD file. */
const HEADER_SIZE = 0;
const BYTES_PER_LINE = 12;
const COLOURS = 19;
const BYTES_PER_COLOUR = 12;
const BYTES_PER_PIXEL = 4;

/**
 * What a person at the display would see, with all pointers: pictures that clients take are without them.
 * @param server started with `framebuffer`
 */
export class Framebuffer {
  readonly #file: string;

  constructor({ folder }: TestServer) {
    this.#file = join(folder, 'Xvfb_screen0');
  }

  /** How many pixels of an area have a colour. */
  count(
    colour: number,
    area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): number {
    const bytes = readFileSync(this.#file);
    const field = (index: number): number => bytes.readUInt32BE(4 * index);
    const start = field(HEADER_SIZE) + BYTES_PER_COLOUR * field(COLOURS);
    let count = 0;
    for (let y = area.y; y < area.y + area.height; y++) {
      for (let x = area.x; x < area.x + area.width; x++) {
        const at = start + y * field(BYTES_PER_LINE) + x * BYTES_PER_PIXEL;
        if (bytes.readUIntLE(at, 3) === colour) count++;
      }
    }
    return count;
  }
}
