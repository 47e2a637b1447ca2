import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';

/** What a window looked like before an act. */
export interface Pictured {
  readonly image: CapturedImage;
  /** Where the pointer was, if the act uses it. */
  readonly pointer: Point | undefined;
}

interface PicturedAct {
  readonly kind: string;
  readonly isSilent?: boolean;
  readonly usesPointer?: boolean;
}

/** Acts whose only visible effect may be in the picture. */
const PICTURED: ReadonlySet<string> = new Set([
  'click',
  'double-click',
  'triple-click',
  'right-click',
  'toggle',
  'select',
  'press',
  'mouse',
]);

/** A picture must not use up the time of the act. */
const PICTURE_MS = 500;

/** Takes the picture to compare with later; none where pictures tell nothing, or cannot be taken. */
export async function pictureBefore(
  desktop: DesktopPort,
  { kind, isSilent = false, usesPointer = false }: PicturedAct,
  window: DesktopWindow | undefined,
  options: CallOptions,
): Promise<Pictured | undefined> {
  if (!PICTURED.has(kind) || isSilent || desktop.screen !== undefined) return undefined;
  const [image, pointer] = await Promise.all([
    pictureOf(desktop, window, options),
    usesPointer ? pointerOf(desktop, options) : undefined,
  ]);
  return image && { image, pointer };
}

/** What the screen shows of a window now; nothing if it cannot be seen. */
export async function pictureOf(
  desktop: DesktopPort,
  window: DesktopWindow | undefined,
  { deadlineMs, signal }: CallOptions,
): Promise<CapturedImage | undefined> {
  if (!desktop.capabilities.capture || window === undefined) return undefined;
  if (window.minimized || window.isTreeOnly === true) return undefined;
  const target = { kind: 'window', windowId: window.id, asShown: true } as const;
  const options = { deadlineMs: Math.min(deadlineMs, PICTURE_MS), signal };
  return desktop.capture(target, options).catch(() => undefined);
}

/** Where the pointer is. */
export async function pointerOf(desktop: DesktopPort, options: CallOptions): Promise<Point | undefined> {
  return desktop.capabilities.input ? desktop.input.pointer(options).catch(() => undefined) : undefined;
}
