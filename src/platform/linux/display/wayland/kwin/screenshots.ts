import { closeSync } from 'node:fs';
import { z } from 'zod';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { Bounds } from '../../../../../model/tree/bounds.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage } from '../../../../../ports/desktop/capture.ts';
import { BusConnection, BusError, Variant, type BusValue } from '../../../dbus/index.ts';
import { unsupported } from '../../../failures.ts';
import { waitAtMost } from '../../waiting.ts';
import { plainPixels } from '../compose.ts';
import { sessionBusOf } from '../session-bus.ts';
import { Descriptors } from '../wire/descriptors.ts';
import { readPipe, type PipeLimit } from '../wire/pipes.ts';
import { boxShown, cropped } from '../cropping.ts';
import { setUpKde } from './setup-mention.ts';

const SHOTS = {
  destination: 'org.kde.KWin.ScreenShot2',
  path: '/org/kde/KWin/ScreenShot2',
  interface: 'org.kde.KWin.ScreenShot2',
} as const;
const MOST_PIXELS = 32_768;
const LIMIT: PipeLimit = { bytes: 512 * 1024 * 1024, tooMuch: strangePicture };
/** Formats of QImage whose pixels are blue, green, red and one more byte: RGB32, ARGB32, ARGB32 premultiplied. */
const BGRX: ReadonlySet<number> = new Set([4, 5, 6]);
/** XRGB8888 of Wayland, which is the same. */
const XRGB = 1;

const Result = z.object({
  type: z.literal('raw'),
  format: z.int(),
  width: z.int().positive().max(MOST_PIXELS),
  height: z.int().positive().max(MOST_PIXELS),
  stride: z.int().positive(),
});

/** What to take, in the layout. */
export type Shot =
  | { readonly kind: 'area'; readonly bounds: Bounds }
  | {
      readonly kind: 'window';
      readonly internalId: string;
      /** The part that is wanted. */
      readonly bounds: Bounds;
      /** What its client draws: KWin may give that, with the shadow in it. */
      readonly buffer: Bounds;
    };

/** Pictures by KWin's ScreenShot2, on a connection of their own that passes descriptors. One at a time. */
export class Screenshots {
  readonly #environment: Environment;
  #connecting: Promise<BusConnection> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** @throws DeskterityError PERM_DENIED, ACTION_NOT_SUPPORTED, ACTION_FAILED, TIMEOUT */
  take(shot: Shot, options: CallOptions): Promise<CapturedImage> {
    const taken = this.#last.catch(() => undefined).then(() => this.#take(shot, options));
    this.#last = taken;
    return taken;
  }

  close(): void {
    void this.#connecting?.then((bus) => bus.close()).catch(() => undefined);
  }

  async #take(shot: Shot, options: CallOptions): Promise<CapturedImage> {
    const bus = await this.#bus(options);
    const { read, write } = (await Descriptors.load()).pipe();
    const ended = new AbortController();
    const content = readPipe(read, ended.signal, LIMIT);
    content.catch(() => undefined);
    try {
      let reply: readonly BusValue[];
      try {
        reply = await bus.callWith([write], callFor(shot), options);
      } finally {
        // Otherwise the pipe never ends.
        closeSync(write);
      }
      const result = Result.safeParse(plain(reply[0]));
      if (!result.success || !BGRX.has(result.data.format)) throw strangePicture();
      const { width, height, stride } = result.data;
      const data = await waitAtMost(content, options, { doing: 'reading the picture', late: strangePicture });
      if (stride < width * 4 || data.length < stride * height) throw strangePicture();
      const bgrx = plainPixels({ format: XRGB, width, height, stride, isUpsideDown: false, data });
      const boxes = shot.kind === 'window' ? [shot.bounds, shot.buffer] : [shot.bounds];
      const box = boxShown({ width, height }, boxes);
      // Otherwise nobody could tell what is where in it.
      if (box === undefined) throw strangePicture();
      const { x, y } = box;
      return cropped({ width, height, bgrx, origin: { x, y }, scale: width / box.width }, shot.bounds);
    } catch (error) {
      throw explained(error);
    } finally {
      ended.abort();
    }
  }

  #bus(options: CallOptions): Promise<BusConnection> {
    const connect = async (): Promise<BusConnection> => {
      const known = await this.#connecting?.catch(() => undefined);
      if (known?.closed === false) return known;
      const sockets = await Descriptors.load();
      return BusConnection.connect(sessionBusOf(this.#environment), { ...options, sockets });
    };
    this.#connecting = connect();
    return this.#connecting;
  }
}

function callFor(
  shot: Shot,
): typeof SHOTS & { member: string; signature: string; args: readonly BusValue[] } {
  const options = new Map([
    ['include-cursor', new Variant('b', false)],
    ['native-resolution', new Variant('b', true)],
    ['include-decoration', new Variant('b', false)],
    ['include-shadow', new Variant('b', false)],
  ]);
  if (shot.kind === 'window')
    return { ...SHOTS, member: 'CaptureWindow', signature: 'sa{sv}h', args: [shot.internalId, options, 0] };
  const { x, y, width, height } = shot.bounds;
  return {
    ...SHOTS,
    member: 'CaptureArea',
    signature: 'iiuua{sv}h',
    args: [x, y, width, height, options, 0],
  };
}

function plain(value: BusValue | undefined): unknown {
  if (!(value instanceof Map)) return undefined;
  return Object.fromEntries(
    [...value].map(([key, each]) => [String(key), each instanceof Variant ? each.value : each]),
  );
}

function explained(error: unknown): unknown {
  if (!(error instanceof BusError)) return error;
  const detail = `${error.errorName}: ${error.message}`;
  if (error.errorName.endsWith('.NoAuthorized'))
    return new DeskterityError('PERM_DENIED', 'KWin does not let Deskterity take screenshots.', {
      suggestion: `${setUpKde()}.`,
      platformDetail: detail,
    });
  if (/\.(?:ServiceUnknown|UnknownObject|UnknownMethod|UnknownInterface)$/.test(error.errorName))
    return unsupported(
      'This KWin takes no screenshots: it needs OpenGL for them.',
      `Read the screen with ${mentionCommand('snapshot')} instead.`,
      detail,
    );
  return new DeskterityError('ACTION_FAILED', 'KWin took no screenshot.', {
    suggestion: 'Repeat the command: the window or screen may have changed meanwhile.',
    platformDetail: detail,
    retryable: true,
    cause: error,
  });
}

function strangePicture(): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'KWin gave a picture that Deskterity cannot read.', {
    suggestion: 'Report it with the version of KWin and the graphics driver.',
  });
}
