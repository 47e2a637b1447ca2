import { mentionParameter } from '../../model/text/mention.ts';
import { annotate } from '../../image/annotate.ts';
import { crop } from '../../image/crop.ts';
import { encodePng } from '../../image/png.ts';
import type { RawImage } from '../../image/raw-image.ts';
import { shrink } from '../../image/shrink.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import { distill } from '../../model/tree/distill/distill.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CaptureTarget } from '../../ports/desktop/capture.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { hasWindowKey, windowKey } from '../refs/window-identity.ts';
import type { ScreenshotRequest, ScreenshotResult } from '../requests/reading.ts';
import type { BlankedImage } from '../redaction/blanked-capture.ts';
import { captureAs, RecentPictures, type PictureContent } from './recent-pictures.ts';
import { readWindowTree, UNFILTERED } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { EngineParts } from './engine-parts.ts';

type Label = ScreenshotResult['labels'][number];

interface Capture extends Pick<BlankedImage, 'blanked' | 'unread'> {
  readonly image: RawImage;
  /** The windows that may be labelled. */
  readonly windows: readonly DesktopWindow[];
  /** The requested area; absent for the whole screen. */
  readonly wanted?: Bounds | undefined;
}

/** Takes a picture of the screen, a window or an element, labelled with refs if requested. */
export async function takeScreenshot(
  parts: EngineParts,
  request: ScreenshotRequest,
): Promise<ScreenshotResult> {
  // First, because the encoder may not be installed.
  const encode = await encoderOf(request);
  const { image, windows, wanted, blanked, unread } = await capture(parts, request);
  if (request.refusesUnread === true) requireRead(unread);
  const labels = request.annotate ? await labelsOn(parts, { windows, image }, request) : [];
  // Labels are drawn on the shrunk picture; otherwise they would be unreadable.
  const small = shrink(image, factorOf(image, request));
  const shown =
    labels.length > 0
      ? annotate(
          small,
          labels.map(({ ref, bounds }) => ({ label: ref, bounds })),
        )
      : small;
  const { width, height, origin, scale } = shown;
  return {
    bytes: await encode(shown),
    width,
    height,
    origin,
    scale,
    clipped: wanted !== undefined && isSmaller(areaOf(image), wanted),
    labels,
    blanked: blanked.length,
    unread: unread.map(({ title, appName }) => clip(title === '' ? appName : title, LONGEST_TITLE)),
  };
}

/** @throws DeskterityError POLICY_DENIED if a window may show a password */
function requireRead([first, ...others]: readonly DesktopWindow[]): void {
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new DeskterityError(
    'POLICY_DENIED',
    `The picture was not taken: the window ${quoteClipped(first.title)}${more} could not be searched for password fields, and in safe mode no picture may show one.`,
    {
      suggestion: `Capture another window with ${mentionParameter('window')}, or repeat it with a longer ${mentionParameter('timeout_ms')}.`,
    },
  );
}

async function capture(parts: EngineParts, request: ScreenshotRequest): Promise<Capture> {
  const { desktop, scope, clock } = parts;
  const { element, region, monitor } = request;
  if (element !== undefined) return captureElement(parts, element, request);
  const take = (wanted: CaptureTarget): Promise<BlankedImage> => {
    const target = { ...wanted, consent: request.consent };
    // Labels are of now: on a picture from before, they would name other things.
    return request.annotate
      ? captureAs(desktop, target, request)
      : RecentPictures.of(desktop).take(target, request, clock);
  };
  if (request.screen || monitor !== undefined || region !== undefined) {
    const image = await take(
      region === undefined ? { kind: 'screen', monitor } : { kind: 'region', bounds: region },
    );
    // Refs of covered windows would be drawn over the window that covers them.
    const windows = request.annotate
      ? (await desktop.listWindows(request)).filter((window) => !window.minimized)
      : [];
    const { blanked, unread } = image;
    return { image, windows: topmost(windows), wanted: region, blanked, unread };
  }
  const window = await scope.window(request, request);
  const image = await take({ kind: 'window', windowId: window.id });
  const { blanked, unread } = image;
  return { image, windows: [window], wanted: window.bounds, blanked, unread };
}

async function captureElement(
  { desktop, resolver }: EngineParts,
  ref: string,
  request: CallOptions & PictureContent & Pick<ScreenshotRequest, 'consent'>,
): Promise<Capture> {
  const { node, record } = await resolver.resolve(ref, request);
  if (!node.bounds || node.states.includes('hidden') || node.states.includes('offscreen'))
    throw new DeskterityError(
      'NOT_ACTIONABLE',
      `${ref} (${node.role}) is not on screen, so there is nothing to capture.`,
      {
        suggestion: `Open its container (menu, tab, folder), or capture the whole window with ${mentionParameter('window')}.`,
      },
    );
  const window = (await desktop.listWindows(request)).find((candidate) =>
    hasWindowKey(candidate, record.window),
  );
  // From the window, so that the picture shows the element even if another window covers it; and anew, because its place is of now.
  const image = await captureAs(
    desktop,
    {
      ...(window === undefined || window.isTreeOnly === true
        ? { kind: 'screen' as const }
        : { kind: 'window' as const, windowId: window.id }),
      consent: request.consent,
    },
    request,
  );
  const { bounds } = node;
  return {
    image: crop(image, bounds),
    windows: window ? [window] : [],
    wanted: bounds,
    blanked: image.blanked.filter((box) => intersect(box, bounds) !== undefined),
    unread: image.unread,
  };
}

async function labelsOn(
  { desktop, session }: EngineParts,
  { windows, image }: Pick<Capture, 'windows' | 'image'>,
  request: CallOptions,
): Promise<Label[]> {
  const area = areaOf(image);
  const readable = windows.filter((window) => window.root !== undefined);
  const trees = await Promise.all(
    readable.map(async (window) => ({
      window,
      read: await readWindowTree(desktop, window, { ...request, wholeTree: false }).catch(() => undefined),
    })),
  );
  return session.edit((table) => {
    const labels: Label[] = [];
    for (const { window, read } of trees) {
      if (!read) continue;
      const index = new TreeIndex(read.root);
      const tree = distill(read.root, { ...UNFILTERED, wholeTree: false }, (node) =>
        table.refForElement(index.describe(node, windowKey(window))),
      );
      collect(tree.root, (node) => {
        const source = tree.sources.get(node);
        if (node.ref === undefined || !source?.bounds || !intersect(source.bounds, area)) return;
        labels.push({ ref: node.ref, role: node.role, name: node.name, bounds: source.bounds });
      });
    }
    return labels;
  });
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED if the encoder of this format is not installed */
async function encoderOf({
  format,
  quality,
}: ScreenshotRequest): Promise<(image: RawImage) => Uint8Array | Promise<Uint8Array>> {
  if (format === 'png') return encodePng;
  // Rarely used, and larger than the rest of the engine's imaging.
  if (format === 'jpg') {
    const { encodeJpeg } = await import('../../image/jpeg.ts');
    return (image) => encodeJpeg(image, quality);
  }
  const { webpEncoder } = await import('../../image/webp.ts');
  return webpEncoder(quality);
}

/** The factor that the picture is shrunk by. */
function factorOf({ width, height, scale }: RawImage, request: ScreenshotRequest): number {
  const wanted = (request.scale ?? scale) / scale;
  if (request.maxSize === undefined) return wanted;
  // Rounded to be readable in the answer; downwards, so that the picture never exceeds the requested size.
  const fitting = Math.floor((request.maxSize / Math.max(width, height)) * 10_000) / 10_000;
  return Math.min(wanted, fitting);
}

function areaOf(image: RawImage): Bounds {
  const { origin, scale } = image;
  return { ...origin, width: Math.round(image.width / scale), height: Math.round(image.height / scale) };
}

function isSmaller(shown: Bounds, wanted: Bounds): boolean {
  return shown.width < wanted.width || shown.height < wanted.height;
}

/** The windows that are not mostly covered by another one. */
function topmost(windows: readonly DesktopWindow[]): DesktopWindow[] {
  return windows.filter(
    (window) =>
      !windows.some((other) => {
        if (!window.bounds || !other.bounds || (other.stacking ?? -1) <= (window.stacking ?? -1))
          return false;
        const shared = intersect(window.bounds, other.bounds);
        return (
          shared !== undefined &&
          shared.width * shared.height > 0.5 * window.bounds.width * window.bounds.height
        );
      }),
  );
}

function collect(node: OutputNode, use: (node: OutputNode) => void): void {
  use(node);
  for (const child of node.children ?? []) collect(child, use);
}
