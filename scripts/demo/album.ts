import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crop } from '../../src/image/crop.ts';
import { changedRegions } from '../../src/image/difference.ts';
import { encodePng } from '../../src/image/png.ts';
import type { RawImage } from '../../src/image/raw-image.ts';
import { intersect, type Bounds } from '../../src/model/tree/bounds.ts';
import { decodePng } from '../../tests/image/decode-png.ts';
import { encodeApng, type Frame } from './apng.ts';
import { lit } from './light.ts';

/** Less than this differs between two pictures of the same thing: a blinking caret. */
const SAME_PIXELS = 40;
/** Around a window in a picture of it: its title bar and border. */
const MARGIN = { top: 22, side: 2 };

const SHOWN_MS = { change: 700, press: 600, last: 3000 };

/** File names of the pictures of one step; absent where nothing new is to be seen. */
export interface StepPictures {
  /** Before an act, with the element that it is about lit. */
  readonly before?: string;
  readonly after?: string;
}

/** The pictures of the story: for each step what changed, and all of them as one animation. */
export class Album {
  readonly #folder: string;
  readonly #shoot: (path: string) => Promise<unknown>;
  readonly #frames: Frame[] = [];
  #last: RawImage | undefined;

  /** @param shoot saves a picture of the whole screen */
  constructor(folder: string, shoot: (path: string) => Promise<unknown>) {
    this.#folder = folder;
    this.#shoot = shoot;
  }

  /**
   * Takes a picture after a step.
   * @param name beginning of the file names
   * @param window the part of the screen that the step is about
   * @param target what was pressed
   */
  async add(name: string, window: Bounds | undefined, target: Bounds | undefined): Promise<StepPictures> {
    const previous = this.#last;
    const now = await this.#picture();
    this.#last = now;
    const view = window && withMargin(window, now);
    const pictures: { before?: string; after?: string } = {};
    if (previous !== undefined && target !== undefined) {
      const picture = lit(previous, target);
      this.#frames.push({ image: picture, milliseconds: SHOWN_MS.press });
      pictures.before = await this.#save(`${name}-before.png`, picture, view);
    }
    if (previous === undefined || isDifferent(previous, now)) {
      this.#frames.push({ image: now, milliseconds: SHOWN_MS.change });
      pictures.after = await this.#save(`${name}.png`, now, view);
    }
    return pictures;
  }

  /** Writes the animation and its last frame, for readers who want nothing to move. */
  async finish(): Promise<{ readonly story?: string; readonly still?: string }> {
    const last = this.#frames.at(-1);
    if (last === undefined) return {};
    // The animation repeats, so it may begin with its end: that is all that viewers without animation show, and the screen is empty at first.
    const frames = [{ ...last, milliseconds: SHOWN_MS.last }, ...this.#frames.slice(0, -1)];
    await writeFile(join(this.#folder, 'story.png'), encodeApng(frames));
    return { story: 'story.png', still: await this.#save('story-still.png', last.image, undefined) };
  }

  async #picture(): Promise<RawImage> {
    const path = join(this.#folder, 'screen.png');
    await this.#shoot(path);
    const image = decodePng(await readFile(path));
    await rm(path);
    return image;
  }

  async #save(name: string, image: RawImage, view: Bounds | undefined): Promise<string> {
    await writeFile(join(this.#folder, name), encodePng(view === undefined ? image : crop(image, view)));
    return name;
  }
}

function isDifferent(before: RawImage, after: RawImage): boolean {
  const regions = changedRegions(before, after);
  return regions === undefined || regions.reduce((sum, { pixels }) => sum + pixels, 0) > SAME_PIXELS;
}

function withMargin({ x, y, width, height }: Bounds, image: RawImage): Bounds | undefined {
  const { top, side } = MARGIN;
  const wide = { x: x - side, y: y - top, width: width + 2 * side, height: height + top + side };
  return intersect(wide, { x: 0, y: 0, width: image.width, height: image.height });
}
