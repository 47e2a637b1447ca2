import { closeSync, readSync } from 'node:fs';
import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import type { CapturedImage } from '../../../../../ports/desktop/capture.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { unsupported } from '../../../failures.ts';
import { compose, plainPixels, type Part } from '../compose.ts';
import type { Output } from '../outputs.ts';
import { SHM, type BUFFER } from '../wire/interfaces.ts';
import type { WaylandObject } from '../wire/object-table.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { watchDamage } from './damage-watch.ts';
import { SCREENCOPY, SCREENCOPY_FRAME } from './interfaces.ts';
import { sharedBuffer, usableFormat, type PictureFormat } from './shared-buffer.ts';

const UPSIDE_DOWN = 1;
/** From this version on it says when all kinds of buffers were told. */
const TELLS_BUFFERS = 3;
const NO_CURSOR = 0;

/** Pictures of what the screens show, through shared memory. */
export class Screencopy {
  readonly #wire: WaylandWire;
  readonly #manager: WaylandObject<typeof SCREENCOPY>;
  readonly #shm: WaylandObject<typeof SHM>;
  readonly #version: number;

  private constructor(
    wire: WaylandWire,
    manager: WaylandObject<typeof SCREENCOPY>,
    shm: WaylandObject<typeof SHM>,
  ) {
    this.#wire = wire;
    this.#manager = manager;
    this.#shm = shm;
    const global = wire.globals.find((each) => each.interface === SCREENCOPY.name);
    this.#version = global?.version ?? 0;
  }

  /** `undefined` if the compositor has no such protocol. */
  static open(wire: WaylandWire): Screencopy | undefined {
    const manager = wire.bind(SCREENCOPY);
    const shm = wire.bind(SHM);
    return manager && shm && new Screencopy(wire, manager, shm);
  }

  /** @param area in the layout. @throws DeskterityError ACTION_NOT_SUPPORTED for screens that are turned */
  async take(area: Bounds, outputs: readonly Output[]): Promise<CapturedImage> {
    const shown = outputs.flatMap((output) => {
      const bounds = intersect(area, output.bounds);
      return bounds === undefined ? [] : [{ output, bounds }];
    });
    if (shown.some(({ output }) => output.isTransformed)) throw turned();
    // A compositor cuts in whole pixels of its own, which begin elsewhere than those of the layout if its scale is not whole.
    const parts = await Promise.all(
      shown.map(({ output, bounds }) =>
        this.#part(output, Number.isInteger(output.scale) ? bounds : output.bounds),
      ),
    );
    return compose(area, parts);
  }

  async #part(output: Output, bounds: Bounds): Promise<Part> {
    const frame = this.#wire.create(SCREENCOPY_FRAME);
    let memory: number | undefined;
    let buffer: WaylandObject<typeof BUFFER> | undefined;
    let isUpsideDown = false;
    try {
      const offered = this.#offered(frame);
      if (bounds === output.bounds) this.#manager.send('capture_output', frame.id, NO_CURSOR, output.object);
      else
        this.#manager.send(
          'capture_output_region',
          frame.id,
          NO_CURSOR,
          output.object,
          bounds.x - output.bounds.x,
          bounds.y - output.bounds.y,
          bounds.width,
          bounds.height,
        );
      const format = await offered;
      const bytes = format.stride * format.height;
      memory = this.#wire.descriptors.memory(bytes);
      buffer = sharedBuffer(this.#wire, this.#shm, memory, format);
      const copied = this.#wire.until<void>((resolve, reject) => {
        frame.on('flags', (flags) => {
          isUpsideDown = (flags & UPSIDE_DOWN) !== 0;
        });
        frame.on('ready', () => resolve());
        frame.on('failed', () => reject(copyFailed()));
      });
      frame.send('copy', buffer.id);
      await copied;
      const data = Buffer.alloc(bytes);
      for (let at = 0; at < bytes;) {
        const read = readSync(memory, data, at, bytes - at, at);
        if (read === 0) throw copyFailed();
        at += read;
      }
      const { width, height } = format;
      return {
        bounds,
        scale: output.scale,
        width,
        height,
        bgrx: plainPixels({ ...format, isUpsideDown, data }),
      };
    } finally {
      if (!this.#wire.isLost) {
        frame.end('destroy');
        buffer?.end('destroy');
      }
      if (memory !== undefined) closeSync(memory);
    }
  }

  /** Calls `listener` with where the screens were painted, each time after it happened. @throws DeskterityError ACTION_NOT_SUPPORTED */
  async watch(outputs: readonly Output[], listener: (areas: readonly Bounds[]) => void): Promise<() => void> {
    if (this.#version < TELLS_BUFFERS) throw tooOld();
    return watchDamage(this.#wire, this.#manager, this.#shm, { outputs, listener });
  }

  /** The buffer that the compositor wants. */
  #offered(frame: WaylandObject<typeof SCREENCOPY_FRAME>): Promise<PictureFormat> {
    let offered: PictureFormat | undefined;
    return this.#wire.until<PictureFormat>((resolve, reject) => {
      const finish = (): void => {
        if (offered === undefined) reject(unknownFormat());
        else resolve(offered);
      };
      frame.on('buffer', (format, width, height, stride) => {
        offered = usableFormat({ format, width, height, stride }) ?? offered;
        if (this.#version < TELLS_BUFFERS) finish();
      });
      frame.on('buffer_done', finish);
      frame.on('failed', () => reject(copyFailed()));
    });
  }
}

function copyFailed(): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'The compositor could not copy the picture.', {
    suggestion: 'Repeat the command: a screen may have changed meanwhile.',
    retryable: true,
  });
}

function unknownFormat(): DeskterityError {
  return unsupported(
    'The compositor offers pictures only in a form that Deskterity does not read.',
    'Report it with the name of the compositor and its graphics driver.',
  );
}

function tooOld(): DeskterityError {
  return unsupported(
    'This compositor does not tell when its screens are painted: its screencopy protocol is too old.',
    'Take a screenshot before and after instead.',
  );
}

function turned(): DeskterityError {
  return unsupported(
    'The picture would show a screen that is turned or mirrored, which is not supported.',
    'Take a screenshot of another screen, or turn this one back.',
  );
}
