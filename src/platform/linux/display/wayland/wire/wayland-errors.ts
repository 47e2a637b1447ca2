import { byPerson, mentionCommand, mentionParameter } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { waitAtMost } from '../../waiting.ts';

/** The command that starts a Wayland desktop on which everything works. */
export function privateWaylandDesktop(): string {
  return mentionCommand('session new', { name: 'NAME', private: true, display: 'wayland' });
}

/** The display cannot be reached, or can no longer be reached. */
export function displayUnavailable(display: string, reason: string, retryable = false): DeskterityError {
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `The Wayland display "${display}" is not available: ${reason}.`,
    {
      suggestion: `${byPerson('Set WAYLAND_DISPLAY to a running display')}, or start a private desktop: ${privateWaylandDesktop()}.`,
      platformDetail: reason,
      retryable,
    },
  );
}

/** The environment names no display. */
export function noDisplay(message: string): DeskterityError {
  return new DeskterityError('DISPLAY_UNAVAILABLE', `${message}.`, {
    suggestion: `${byPerson('Run this inside a desktop session')}, or start a private desktop: ${privateWaylandDesktop()}.`,
  });
}

/** Wayland needs what Node does not have: descriptors that are passed over a socket. */
export function noDescriptors(display: string, cause: unknown): DeskterityError {
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `The Wayland display "${display}" cannot be used: descriptors cannot be passed to it.`,
    {
      suggestion: `${byPerson('Reinstall deskterity with its optional package koffi, and run it on x86-64 or ARM64')}.`,
      platformDetail: cause instanceof Error ? cause.message : String(cause),
      cause,
    },
  );
}

/** Stops waiting for the compositor at the deadline or when the caller cancels. */
export function withinDeadline<T>(
  work: Promise<T>,
  display: string,
  doing: string,
  options: CallOptions,
): Promise<T> {
  const late = (deadlineMs: number): DeskterityError => noReply(display, doing, deadlineMs);
  return waitAtMost(work, options, { doing, late, asError: asDeskterityError });
}

function noReply(display: string, doing: string, deadlineMs: number): DeskterityError {
  const waited = Math.max(1, Math.round(deadlineMs));
  return new DeskterityError(
    'TIMEOUT',
    `The compositor of ${display} did not reply within ${waited} ms while ${doing}.`,
    {
      suggestion: `Raise ${mentionParameter('timeout_ms')}, or check whether the desktop is frozen.`,
      retryable: true,
    },
  );
}

/** An unexpected error as a DeskterityError. */
export function asDeskterityError(error: unknown, doing: string): DeskterityError {
  if (error instanceof DeskterityError) return error;
  return new DeskterityError('INTERNAL', `The compositor refused while ${doing}.`, {
    suggestion: 'Repeat the command; if it fails again, report it with the platform detail.',
    platformDetail: error instanceof Error ? error.message : String(error),
    retryable: true,
    cause: error,
  });
}
