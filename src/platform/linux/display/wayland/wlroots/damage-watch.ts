import { closeSync } from 'node:fs';
import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { Output } from '../outputs.ts';
import type { BUFFER, SHM } from '../wire/interfaces.ts';
import type { WaylandObject } from '../wire/object-table.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { SCREENCOPY_FRAME, type SCREENCOPY } from './interfaces.ts';
import { sharedBuffer, usableFormat, type PictureFormat } from './shared-buffer.ts';

const NO_CURSOR = 0;
/** Beyond this, the whole screen counts as painted. */
const MOST_AREAS = 100;

interface Watched {
  readonly outputs: readonly Output[];
  readonly listener: (areas: readonly Bounds[]) => void;
}

/**
 * Asks for copies of the screens that are due only when something is painted: what each says about where is kept, the copy is not looked at. Resolves
 * once the first copies, which are due at once, are there. The returned function ends it.
 */
export async function watchDamage(
  wire: WaylandWire,
  manager: WaylandObject<typeof SCREENCOPY>,
  shm: WaylandObject<typeof SHM>,
  { outputs, listener }: Watched,
): Promise<() => void> {
  const watches = outputs.map((output) => new OutputWatch(wire, manager, shm, { output, listener }));
  await Promise.all(watches.map((watch) => watch.begun));
  return () => {
    for (const watch of watches) watch.end();
  };
}

class OutputWatch {
  readonly begun: Promise<void>;
  readonly #wire: WaylandWire;
  readonly #manager: WaylandObject<typeof SCREENCOPY>;
  readonly #shm: WaylandObject<typeof SHM>;
  readonly #output: Output;
  readonly #listener: (areas: readonly Bounds[]) => void;
  #frame: WaylandObject<typeof SCREENCOPY_FRAME> | undefined;
  #buffer: { readonly object: WaylandObject<typeof BUFFER>; readonly format: PictureFormat } | undefined;
  #isEnded = false;

  constructor(
    wire: WaylandWire,
    manager: WaylandObject<typeof SCREENCOPY>,
    shm: WaylandObject<typeof SHM>,
    watched: { readonly output: Output; readonly listener: (areas: readonly Bounds[]) => void },
  ) {
    this.#wire = wire;
    this.#manager = manager;
    this.#shm = shm;
    this.#output = watched.output;
    this.#listener = watched.listener;
    // The first copy has all of the screen as painted.
    this.begun = wire.until<void>((resolve) => this.#next(() => resolve()));
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#wire.isLost) return;
    this.#frame?.end('destroy');
    this.#buffer?.object.end('destroy');
  }

  #next(onCopied: (areas: readonly Bounds[]) => void): void {
    if (this.#isEnded || this.#wire.isLost) return;
    const frame = this.#wire.create(SCREENCOPY_FRAME);
    this.#frame = frame;
    const areas: Bounds[] = [];
    let offered: PictureFormat | undefined;
    frame.on('buffer', (format, width, height, stride) => {
      offered = usableFormat({ format, width, height, stride }) ?? offered;
    });
    frame.on('buffer_done', () => {
      if (offered !== undefined) frame.send('copy_with_damage', this.#bufferFor(offered).id);
    });
    frame.on('damage', (x, y, width, height) => {
      if (offered !== undefined && areas.length < MOST_AREAS)
        areas.push(inLayout({ x, y, width, height }, this.#output.bounds, offered));
    });
    frame.on('ready', () => {
      frame.end('destroy');
      onCopied(areas.length < MOST_AREAS ? areas : [this.#output.bounds]);
      this.#next(this.#listener);
    });
    // The screen is gone, or has changed: it will not be painted as it was.
    frame.on('failed', () => {
      frame.end('destroy');
      this.#frame = undefined;
      onCopied([this.#output.bounds]);
    });
    this.#manager.send('capture_output', frame.id, NO_CURSOR, this.#output.object);
  }

  /** The same as long as the screen stays as it is. */
  #bufferFor(format: PictureFormat): WaylandObject<typeof BUFFER> {
    const known = this.#buffer;
    const isSame =
      known !== undefined &&
      known.format.width === format.width &&
      known.format.height === format.height &&
      known.format.stride === format.stride &&
      known.format.format === format.format;
    if (isSame) return known.object;
    known?.object.end('destroy');
    const memory = this.#wire.descriptors.memory(format.stride * format.height);
    try {
      const object = sharedBuffer(this.#wire, this.#shm, memory, format);
      this.#buffer = { object, format };
      return object;
    } finally {
      closeSync(memory);
    }
  }
}

/** What was painted is told in pixels of the copy, which may be finer than those of the layout. */
function inLayout(painted: Bounds, screen: Bounds, { width, height }: PictureFormat): Bounds {
  const across = screen.width / width;
  const down = screen.height / height;
  const x = Math.floor(painted.x * across);
  const y = Math.floor(painted.y * down);
  return {
    x: screen.x + x,
    y: screen.y + y,
    width: Math.max(1, Math.ceil((painted.x + painted.width) * across) - x),
    height: Math.max(1, Math.ceil((painted.y + painted.height) * down) - y),
  };
}
