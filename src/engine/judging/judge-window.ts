import type { Bounds } from '../../model/tree/bounds.ts';
import type { DesktopWindow, WindowRequest } from '../../ports/desktop/windows.ts';
import { confirmed, unverified, type Judgement } from '../evidence/evidence.ts';

/** Whether a window is as requested. A closed window is absent. */
export function isAsRequested(window: DesktopWindow | undefined, request: WindowRequest): boolean {
  if (window === undefined) return request.kind === 'close';
  const { bounds } = window;
  switch (request.kind) {
    case 'focus':
      return window.focused && !window.minimized && window.hasInput !== false;
    case 'move':
      return bounds?.x === request.x && bounds.y === request.y;
    case 'resize':
      return bounds?.width === request.width && bounds.height === request.height;
    case 'minimize':
      return window.minimized;
    case 'maximize':
      return window.maximized === true && !window.minimized;
    case 'restore':
      return window.maximized !== true && window.fullscreen !== true && !window.minimized;
    default:
      return false;
  }
}

/** The observations that a window request is judged by. */
export interface WindowSeen {
  readonly request: WindowRequest;
  readonly before: DesktopWindow;
  /** Absent when it is closed. */
  readonly after: DesktopWindow | undefined;
  /** Titles, quoted, of windows that its application opened meanwhile. */
  readonly opened: readonly string[];
}

export function judgeWindow({ request, before, after, opened }: WindowSeen): Judgement {
  const isRepeatable = request.kind !== 'close';
  if (after === undefined) return confirmed(['the window is no longer listed'], isRepeatable);
  const now = describeWindowState(request, after);
  const appeared = opened.map((title) => `a window of the application appeared: ${title}`);
  if (isAsRequested(after, request)) {
    const then = describeWindowState(request, before);
    const witness =
      request.kind === 'focus' && after.hasInput === true ? ['the display server sends keys to it'] : [];
    const moved = request.kind === 'resize' ? movedFrom(before, after) : [];
    const evidence = [`a fresh read shows it ${now} (was ${then})`, ...witness, ...moved, ...appeared];
    return confirmed(evidence, isRepeatable);
  }
  if (request.kind === 'close') {
    // A window that asks whether to save has accepted the request; closing it depends on the answer.
    const effect = opened.length > 0 ? 'partial' : 'no_op';
    return { effect, evidence: [...appeared, 'the window is still open'], retrySafe: false };
  }
  if (request.kind === 'focus' && after.focused)
    return unverified([`a fresh read shows it ${now}, but it does not receive the keys`], isRepeatable);
  const evidence = [...appeared, `a fresh read shows it ${now}, not ${describeRequested(request)}`];
  return {
    effect: hasChanged(request, before, after) ? 'partial' : 'no_op',
    evidence,
    retrySafe: isRepeatable,
  };
}

function movedFrom({ bounds: was }: DesktopWindow, { bounds: is }: DesktopWindow): string[] {
  if (was === undefined || is === undefined || (was.x === is.x && was.y === is.y)) return [];
  return [`it was also moved from ${place(was)} to ${place(is)}, and did not go back`];
}

/** Whether there was an effect, though not the requested one. */
function hasChanged(request: WindowRequest, before: DesktopWindow, after: DesktopWindow): boolean {
  return describeWindowState(request, before) !== describeWindowState(request, after);
}

/** The state of a window that a request is about, in words. */
export function describeWindowState({ kind }: WindowRequest, window: DesktopWindow): string {
  if (kind === 'move') return window.bounds ? `at ${place(window.bounds)}` : 'at an unknown position';
  if (kind === 'resize') return window.bounds ? `of ${size(window.bounds)} pixels` : 'of an unknown size';
  if (kind === 'focus') return window.focused ? 'active' : 'not active';
  const states = [
    window.minimized ? 'minimized' : undefined,
    window.maximized === true ? 'maximized' : undefined,
    window.fullscreen === true ? 'in full screen' : undefined,
  ].filter((state) => state !== undefined);
  return states.length === 0 ? 'neither minimized nor maximized' : states.join(' and ');
}

function describeRequested(request: WindowRequest): string {
  if (request.kind === 'move') return `at ${place(request)}`;
  if (request.kind === 'resize') return `of ${size(request)}`;
  return REQUESTED[request.kind];
}

const REQUESTED = {
  focus: 'active',
  minimize: 'minimized',
  maximize: 'maximized',
  restore: 'restored',
  close: 'closed',
} as const;

function place({ x, y }: Pick<Bounds, 'x' | 'y'>): string {
  return `${x},${y}`;
}

function size({ width, height }: Pick<Bounds, 'width' | 'height'>): string {
  return `${width}x${height}`;
}
