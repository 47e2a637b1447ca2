import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const Spot = z.tuple([z.number(), z.number()]);
const Places = z.object({ text: Spot, area: Spot, menu: Spot });

/** What the window of the user writes down; see `USER_WINDOW`. */
export class UserRecord {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether the window has told where things are in it. */
  get hasPlaces(): boolean {
    return existsSync(this.#places);
  }

  get text(): string {
    return readFileSync(this.#file, 'utf8');
  }

  /** Where things are on the screen. */
  get spots(): z.output<typeof Places> {
    return Places.parse(JSON.parse(readFileSync(this.#places, 'utf8')));
  }

  /** How often something happened so far: a drag ended, Shift was pressed, or the menu opened. */
  count(kind: 'release' | 'shift' | 'show'): number {
    return this.#path.split('\n').filter((line) => line.startsWith(kind)).length;
  }

  get isMenuOpen(): boolean {
    const path = this.#path;
    return path.lastIndexOf('show') > path.lastIndexOf('hide');
  }

  get #places(): string {
    return `${this.#file}.places`;
  }

  get #path(): string {
    return readFileSync(`${this.#file}.path`, 'utf8');
  }
}
