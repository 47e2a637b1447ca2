import type { CallOptions } from '../../ports/call-options.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CaptureTarget } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import { blankedCapture, type BlankedImage } from '../redaction/blanked-capture.ts';

interface Taken {
  readonly at: number;
  readonly pictured: object | undefined;
  /** Weak: a picture of a large screen has many megabytes, and may be needed only for a moment. */
  readonly image: WeakRef<BlankedImage>;
}

/** What a picture may show. */
export interface PictureContent {
  /** Password fields as they are drawn. */
  readonly showsPasswords?: boolean | undefined;
}

/** Takes a picture that may be shown to somebody. */
export async function captureAs(
  desktop: DesktopPort,
  target: CaptureTarget,
  { showsPasswords = false, ...options }: CallOptions & PictureContent,
): Promise<BlankedImage> {
  if (!showsPasswords) return blankedCapture(desktop, target, options);
  return { ...(await desktop.capture(target, options)), blanked: [], unread: [] };
}

const ofDesktop = new WeakMap<DesktopPort, RecentPictures>();

/** The pictures of a desktop that were taken a moment ago, for all its sessions. An act or a reading of any of them makes them old. */
export class RecentPictures {
  private readonly taken = new Map<string, Taken>();
  private readonly desktop: DesktopPort;
  /** Counts what may have changed the screen. */
  private changes = 0;

  private constructor(desktop: DesktopPort) {
    this.desktop = desktop;
  }

  static of(desktop: DesktopPort): RecentPictures {
    const known = ofDesktop.get(desktop) ?? new RecentPictures(desktop);
    ofDesktop.set(desktop, known);
    return known;
  }

  /** The picture that was taken in the last `debounceMs`, or a new one. */
  async take(
    target: CaptureTarget,
    {
      debounceMs = 0,
      showsPasswords = false,
      deadlineMs,
      signal,
    }: CallOptions & PictureContent & { readonly debounceMs?: number | undefined },
    clock: ClockPort,
  ): Promise<BlankedImage> {
    const key = JSON.stringify([target, showsPasswords]);
    const at = clock.now();
    for (const [other, taken] of this.taken) if (at - taken.at >= debounceMs) this.taken.delete(other);
    const pictured = this.desktop.picturedFor?.();
    const taken = this.taken.get(key);
    const recent = taken?.pictured === pictured ? taken?.image.deref() : undefined;
    if (recent !== undefined) return recent;
    const { changes } = this;
    const image = await captureAs(this.desktop, target, { showsPasswords, deadlineMs, signal });
    if (debounceMs > 0 && changes === this.changes)
      this.taken.set(key, { at, pictured, image: new WeakRef(image) });
    return image;
  }

  /** The screen may look different from now on. */
  forget(): void {
    this.changes += 1;
    this.taken.clear();
  }

  /**
   * An act, a wait that ends when something has changed, or a reading, which is newer than any picture: none from before or during it is shown after it.
   */
  freshAfter<R, T>(run: (request: R) => Promise<T>): (request: R) => Promise<T> {
    return async (request) => {
      this.forget();
      try {
        return await run(request);
      } finally {
        this.forget();
      }
    };
  }
}
