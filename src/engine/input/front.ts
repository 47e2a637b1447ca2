import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { requireNoModal } from '../acting/modal.ts';
import { hasWindowKey, receivesKeys } from '../refs/window-identity.ts';
import type { WindowParts } from './input-lease.ts';

/** Window managers raise and focus within about 25 ms; busy applications take longer. */
const FRONT_LIMIT_MS = 1500;
const LOOK_EVERY_MS = 25;

/** @throws DeskterityError WINDOW_NOT_FOUND when it is closed */
export async function windowByKey(
  desktop: DesktopPort,
  key: string,
  options: CallOptions,
): Promise<DesktopWindow> {
  return requireWindow(await desktop.listWindows(options), key);
}

/**
 * {@link windowByKey}, for a window that no modal dialog blocks.
 * @throws DeskterityError NOT_ACTIONABLE when a modal dialog blocks it
 */
export async function usableWindow(
  desktop: DesktopPort,
  key: string,
  options: CallOptions,
): Promise<DesktopWindow> {
  const windows = await desktop.listWindows(options);
  const window = requireWindow(windows, key);
  requireNoModal(window, windows);
  return window;
}

/** @throws DeskterityError WINDOW_NOT_FOUND when it is not among them */
export function requireWindow(windows: readonly DesktopWindow[], key: string): DesktopWindow {
  const found = windows.find((window) => hasWindowKey(window, key));
  if (found) return found;
  throw new DeskterityError('WINDOW_NOT_FOUND', 'The window was closed meanwhile.', {
    suggestion: `Run ${mentionCommand('list-windows')} to see what is open.`,
  });
}

/**
 * Gives a window the keyboard focus and waits until it has it.
 * @throws DeskterityError NOT_ACTIONABLE if it does not get it, or if a modal dialog blocks it
 */
export async function bringToFront(
  { desktop, clock }: WindowParts,
  key: string,
  options: () => CallOptions,
): Promise<DesktopWindow> {
  const before = await usableWindow(desktop, key, options());
  if (receivesKeys(before)) return before;
  const { via } = await desktop.controlWindow(before.id, { kind: 'focus' }, options());
  const end = clock.now() + Math.min(FRONT_LIMIT_MS, options().deadlineMs * 0.5);
  for (;;) {
    const now = await windowByKey(desktop, key, options());
    if (receivesKeys(now)) return now;
    if (clock.now() >= end) throw notInFront(now, via);
    await clock.sleep(LOOK_EVERY_MS, options().signal);
  }
}

function notInFront({ title }: DesktopWindow, via: string): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `The window ${quoteClipped(title)} did not get the keyboard focus.`,
    {
      suggestion: `One of its dialogs may block it: run ${mentionCommand('list-windows')}. Accessibility needs no keyboard focus: ${mentionParameter('mode', 'background')}.`,
      platformDetail: `requested by ${via}`,
      delivered: false,
    },
  );
}
