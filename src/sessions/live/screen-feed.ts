import { emptyFrame, fewAreas, partOf, updateFrame, type Frame } from '../../image/changed-areas.ts';
import { blankedCapture } from '../../engine/redaction/blanked-capture.ts';
import { encodePngLater } from '../../image/png.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { intersect, isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { PictureWatch } from '../../ports/picture-watch.ts';

const CALL = { deadlineMs: 5000 };
/** Whoever opened the page asked for its pictures. */
const ASKED = { consent: 'auto' } as const;
/** Between two pictures: at most 25 in a second. */
const FRAME_MS = 40;
/** The pause is at least this many times as long as the work before it, so that an animation costs at most a third of a processor. */
const PAUSE_SHARE = 2;
/** A display that does not report what is painted is looked at this often. */
const POLL_MS = 500;
/** A quiet display is asked this often whether it still exists. */
const ALIVE_MS = 10_000;
const RETRY_MS = 1000;
/** The fastest: pictures are sent within this machine. */
const LEVEL = 1;

export interface FeedListener {
  /** Parts of the screen look different; the first time, and when its size has changed, all of it. */
  changed(areas: readonly Bounds[], size: { readonly width: number; readonly height: number }): void;
  /** There is no picture now, and why; `undefined` when there is one again. */
  failed(reason: string | undefined): void;
}

/** What one screen shows, captured once for all who watch it and only while somebody does. */
export class ScreenFeed {
  private readonly desktop: () => Promise<DesktopPort>;
  private readonly listener: FeedListener;
  private frame: Frame | undefined;
  private running: AbortController | undefined;
  private encoded = new Map<string, Promise<Buffer>>();

  constructor(desktop: () => Promise<DesktopPort>, listener: FeedListener) {
    this.desktop = desktop;
    this.listener = listener;
  }

  get size(): { readonly width: number; readonly height: number } | undefined {
    return this.frame && { width: this.frame.width, height: this.frame.height };
  }

  start(): void {
    if (this.running !== undefined) return;
    this.running = new AbortController();
    void this.run(this.running.signal);
  }

  stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.frame = undefined;
    this.encoded.clear();
  }

  /** PNG of part of the screen as it is now; encoded once for all watchers. */
  encode(area: Bounds): Promise<Buffer> {
    const { frame } = this;
    if (frame === undefined) return Promise.reject(new Error('there is no picture'));
    const key = `${area.x},${area.y},${area.width},${area.height}`;
    const known = this.encoded.get(key);
    if (known !== undefined) return known;
    const { width, height, x, y } = area;
    const bgrx = partOf(frame, area);
    const png = encodePngLater({ width, height, bgrx, origin: { x, y }, scale: 1 }, { level: LEVEL });
    this.encoded.set(key, png);
    return png;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.follow(await this.desktop(), signal);
      } catch (error) {
        if (signal.aborted) return;
        this.listener.failed(error instanceof Error ? error.message : String(error));
        await pause(RETRY_MS, signal);
      }
    }
  }

  private async follow(desktop: DesktopPort, signal: AbortSignal): Promise<void> {
    let isPainted = false;
    let wake: (() => void) | undefined;
    const watch = await watchIfPossible(desktop, () => {
      isPainted = true;
      wake?.();
    });
    try {
      await watch?.takeAreas(CALL);
      await this.look(desktop, undefined, signal);
      this.listener.failed(undefined);
      while (!signal.aborted) {
        if (!isPainted) await pause(watch === undefined ? POLL_MS : ALIVE_MS, signal, (now) => (wake = now));
        if (signal.aborted) return;
        const began = performance.now();
        isPainted = false;
        const areas = await watch?.takeAreas(CALL);
        if (areas?.length !== 0) await this.look(desktop, areas, signal);
        const spentMs = performance.now() - began;
        if (areas?.length !== 0) await pause(Math.max(FRAME_MS, spentMs * PAUSE_SHARE), signal);
      }
    } finally {
      watch?.end();
    }
  }

  /** Captures these parts, or all of the screen. */
  private async look(
    desktop: DesktopPort,
    areas: readonly Bounds[] | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { frame } = this;
    const screen = frame && { x: 0, y: 0, width: frame.width, height: frame.height };
    const isInside = areas?.every((area) => screen && isSameBounds(intersect(area, screen), area)) === true;
    const wanted: readonly (Bounds | undefined)[] = isInside ? fewAreas(areas) : [undefined];
    const images = await Promise.all(
      wanted.map((bounds) =>
        blankedCapture(
          desktop,
          bounds === undefined ? { kind: 'screen', ...ASKED } : { kind: 'region', bounds, ...ASKED },
          CALL,
        ),
      ),
    );
    if (signal.aborted) return;
    const changed = images.flatMap((image, index) => this.take(image, wanted[index] === undefined));
    const { size } = this;
    if (changed.length === 0 || size === undefined) return;
    this.encoded.clear();
    this.listener.changed(fewAreas(changed), size);
  }

  private take(image: CapturedImage, isWhole: boolean): readonly Bounds[] {
    const { width, height, bgrx } = image;
    if (isWhole && (this.frame?.width !== width || this.frame.height !== height))
      this.frame = emptyFrame({ width, height });
    return this.frame === undefined ? [] : updateFrame(this.frame, { ...image.origin, width, height }, bgrx);
  }
}

async function watchIfPossible(
  desktop: DesktopPort,
  listener: () => void,
): Promise<PictureWatch | undefined> {
  try {
    return await desktop.watchPicture(listener, CALL);
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'ACTION_NOT_SUPPORTED') return undefined;
    throw error;
  }
}

/** Resolves after the time, when the signal is aborted, or when the function given to `offer` is called. */
function pause(ms: number, signal: AbortSignal, offer?: (wake: () => void) => void): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    timer.unref();
    signal.addEventListener('abort', finish, { once: true });
    offer?.(finish);
  });
}
