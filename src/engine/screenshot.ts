import { DeskterityError } from '../model/errors.ts';
import type { DistillOptions } from '../model/distill/distill.ts';
import { distill } from '../model/distill/distill.ts';
import { annotate } from '../image/annotate.ts';
import { crop } from '../image/crop.ts';
import { encodePng } from '../image/png.ts';
import type { RawImage } from '../image/types.ts';
import { intersect } from '../model/bounds.ts';
import type { OutputNode } from '../model/node.ts';
import type { CallOptions, DesktopPort, DesktopWindow } from '../ports/desktop.ts';
import type { ScreenshotRequest, ScreenshotResult } from './engine.ts';
import type { Observer } from './observe.ts';
import type { TargetResolver } from './resolve.ts';
import type { ScopeResolver } from './scope.ts';
import type { Session } from './session.ts';
import { TreeIndex } from './tree-index.ts';
import { goesBy, windowKey } from './window-identity.ts';

type Label = ScreenshotResult['labels'][number];

const ANNOTATED: DistillOptions = {
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  includeBounds: true,
  includeActions: false,
};

export interface PhotographerParts {
  readonly desktop: DesktopPort;
  readonly session: Session;
  readonly scope: ScopeResolver;
  readonly resolver: TargetResolver;
  readonly observer: Observer;
}

/** Takes pictures of the screen, a window or an element, with the refs of what is on them when asked. */
export class Photographer {
  private readonly parts: PhotographerParts;

  constructor(parts: PhotographerParts) {
    this.parts = parts;
  }

  async take(request: ScreenshotRequest): Promise<ScreenshotResult> {
    const { image, windows } = await this.capture(request);
    const labels = request.annotate ? await this.labels(windows, image, request) : [];
    const shown =
      labels.length > 0
        ? annotate(
            image,
            labels.map(({ ref, bounds }) => ({ label: ref, bounds })),
          )
        : image;
    return {
      bytes: request.format === 'png' ? encodePng(shown) : await toJpeg(shown, request.quality),
      width: shown.width,
      height: shown.height,
      origin: shown.origin,
      scale: shown.scale,
      labels,
    };
  }

  private async capture(
    request: ScreenshotRequest,
  ): Promise<{ image: RawImage; windows: readonly DesktopWindow[] }> {
    const { desktop, scope } = this.parts;
    if (request.element !== undefined) return this.captureElement(request.element, request);
    if (request.screen || (request.app === undefined && request.window === undefined)) {
      const image = await desktop.capture({ kind: 'screen' }, request);
      // Refs of covered windows would be drawn over the window that covers them.
      const windows = request.annotate
        ? (await desktop.listWindows(request)).filter((window) => !window.minimized)
        : [];
      return { image, windows: topmost(windows) };
    }
    const window = await scope.window(request, request);
    return {
      image: await desktop.capture({ kind: 'window', windowId: window.id }, request),
      windows: [window],
    };
  }

  private async captureElement(
    ref: string,
    request: CallOptions,
  ): Promise<{ image: RawImage; windows: readonly DesktopWindow[] }> {
    const { desktop, resolver } = this.parts;
    const { node, record } = await resolver.resolve(ref, request);
    if (!node.bounds || node.states.includes('hidden') || node.states.includes('offscreen')) {
      throw new DeskterityError(
        'NOT_ACTIONABLE',
        `${ref} (${node.role}) is not on screen, so there is nothing to picture.`,
        {
          suggestion: 'Open what it is in (menu, tab, folder), or take the whole window with --window.',
        },
      );
    }
    const window = (await desktop.listWindows(request)).find((candidate) => goesBy(candidate, record.window));
    // Through the window, so that an element which another window covers is still the one in the picture.
    const image = window?.id.startsWith('x11:')
      ? await desktop.capture({ kind: 'window', windowId: window.id }, request)
      : await desktop.capture({ kind: 'screen' }, request);
    return { image: crop(image, node.bounds), windows: window ? [window] : [] };
  }

  private async labels(
    windows: readonly DesktopWindow[],
    image: RawImage,
    request: CallOptions,
  ): Promise<Label[]> {
    const area = {
      ...image.origin,
      width: Math.round(image.width / image.scale),
      height: Math.round(image.height / image.scale),
    };
    const readable = windows.filter((window) => window.root !== undefined);
    const trees = await Promise.all(
      readable.map(async (window) => ({
        window,
        read: await this.parts.observer
          .readTreeOf(window, { ...request, wholeTree: false })
          .catch(() => undefined),
      })),
    );
    return this.parts.session.edit((table) => {
      const labels: Label[] = [];
      for (const { window, read } of trees) {
        if (!read) continue;
        const index = new TreeIndex(read.root);
        const tree = distill(read.root, ANNOTATED, (node) =>
          table.giveElement(index.describe(node, windowKey(window))),
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
}

async function toJpeg(image: RawImage, quality: number): Promise<Buffer> {
  // Asked for seldom, and larger than all the rest of the engine's imaging.
  const { encodeJpeg } = await import('../image/jpeg.ts');
  return encodeJpeg(image, quality);
}

/** The windows that are not (almost) wholly under another one. */
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
