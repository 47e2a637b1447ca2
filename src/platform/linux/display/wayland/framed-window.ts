import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Bounds } from '../../../../model/tree/bounds.ts';
import { mentionCommand } from '../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../ports/desktop/windows.ts';
import { unsupported } from '../../failures.ts';

/** For a client to draw itself in another size. */
const ADOPT_MS = 500;
const LOOK_MS = 10;

/** A window of a compositor that tells frame and content apart, and what may be done to it. */
export interface FramedWindow {
  readonly minimized: boolean;
  readonly maximized: boolean;
  readonly fullscreen: boolean;
  readonly canMove: boolean;
  readonly canResize: boolean;
  readonly canMaximize: boolean;
  readonly canMinimize: boolean;
  readonly canClose: boolean;
  /** What is seen of it, with its title bar, without a shadow; whole pixels. */
  readonly frame: Bounds;
  /** What commands call its bounds. */
  readonly content: Bounds;
}

/** What a part of ours inside the compositor does for a request. */
export type FramedRequest =
  | { readonly kind: 'focus' | 'minimize' | 'maximize' | 'restore' | 'close' }
  | { readonly kind: 'place'; readonly frame: Bounds };

/**
 * `undefined` if nothing is to be done.
 * @param compositor as it begins a sentence
 * @throws DeskterityError ACTION_NOT_SUPPORTED for what the window does not allow
 */
export function framedRequest(
  compositor: string,
  window: FramedWindow,
  request: WindowRequest,
): FramedRequest | undefined {
  const require = (isAllowed: boolean, doing: string, state?: string): void => {
    if (!isAllowed) throw notAllowed(compositor, doing, state);
  };
  switch (request.kind) {
    case 'close':
      require(window.canClose, 'close');
      return { kind: 'close' };
    case 'minimize':
      if (window.minimized) return undefined;
      require(window.canMinimize, 'minimize');
      return { kind: 'minimize' };
    case 'maximize':
      require(window.canMaximize, 'maximize');
      return { kind: 'maximize' };
    case 'focus':
    case 'restore':
      return { kind: request.kind };
    default: {
      const doing = request.kind;
      require(!window.fullscreen, doing, 'it fills the screen');
      require(!window.maximized, doing, 'it is maximized');
      require(doing === 'move' ? window.canMove : window.canResize, doing);
      return { kind: 'place', frame: frameFor(window, request) };
    }
  }
}

/** The frame that gives the content a place or a size. */
export function frameFor(
  { frame, content }: Pick<FramedWindow, 'frame' | 'content'>,
  wanted:
    | { readonly kind: 'move'; readonly x: number; readonly y: number }
    | { readonly kind: 'resize'; readonly width: number; readonly height: number },
): Bounds {
  if (wanted.kind === 'move')
    return { ...frame, x: wanted.x - (content.x - frame.x), y: wanted.y - (content.y - frame.y) };
  return {
    ...frame,
    width: wanted.width + frame.width - content.width,
    height: wanted.height + frame.height - content.height,
  };
}

/**
 * Waits until the client has drawn itself anew: a move that comes before that is undone when it has. One that does not follow is not waited for long, and
 * is judged by what is read later.
 * @param look at the same window; `undefined` once it is gone
 */
export async function untilAdopted(
  before: FramedWindow,
  asked: FramedRequest,
  look: () => Promise<FramedWindow | undefined>,
  { deadlineMs }: CallOptions,
): Promise<void> {
  if (asked.kind === 'focus' || asked.kind === 'close') return;
  const end = performance.now() + Math.min(ADOPT_MS, deadlineMs / 2);
  while (performance.now() < end) {
    const now = await look();
    if (now === undefined || hasAdopted(now, before, asked)) return;
    await sleep(LOOK_MS);
  }
}

function hasAdopted(now: FramedWindow, before: FramedWindow, asked: FramedRequest): boolean {
  if (asked.kind === 'place') return isDeepStrictEqual(now.frame, asked.frame);
  if (asked.kind === 'maximize') return now.maximized;
  if (asked.kind === 'minimize') return now.minimized;
  return !now.minimized && !now.fullscreen && !(before.maximized && now.maximized);
}

function notAllowed(compositor: string, doing: string, state: string | undefined): Error {
  return unsupported(
    `${compositor} cannot ${doing} this window: ${state ?? 'it does not allow it'}.`,
    state === undefined
      ? `Run ${mentionCommand('list-windows')}, and act on another window.`
      : `Run ${mentionCommand('restore')} first.`,
  );
}
