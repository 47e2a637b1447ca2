import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { BusError } from '../../dbus/index.ts';
import { cancelled } from '../../failures.ts';

/**
 * What became of a failed call to an application. `refused`: it read the call and sent an error. `undelivered`: the bus had nobody to deliver it
 * to. `unknown`: no reply came; it may have acted, even if it has exited since.
 */
type CallFate = 'refused' | 'undelivered' | 'unknown';

/** Errors of the bus itself, for a message that it did not pass on (D-Bus specification, "Message Bus Messages"). */
const UNDELIVERED = /\.(ServiceUnknown|NameHasNoOwner|LimitsExceeded)$/;
/** Errors of the bus for a reply that did not come. */
const UNANSWERED = /\.(NoReply|Timeout|TimedOut|Disconnected|NoServer)$/i;

export function fateOf(error: unknown): CallFate {
  if (!(error instanceof BusError) || error.errorName.startsWith('local.')) return 'unknown';
  if (UNDELIVERED.test(error.errorName)) return 'undelivered';
  return UNANSWERED.test(error.errorName) ? 'unknown' : 'refused';
}

/** Whether the application itself sent this error, as opposed to silence, an exit or our own timeout. */
export function isRefusal(error: unknown): error is BusError {
  return fateOf(error) === 'refused';
}

/** Whether no answer came in the time that the caller gave, which says nothing about what was asked. */
export function isLate(error: unknown): boolean {
  return (
    error instanceof BusError && (error.errorName === 'local.Timeout' || UNREPLIED.test(error.errorName))
  );
}

/** The error for a failed call to an application. */
export function applicationFailure(error: unknown, what: string, delivered = false): DeskterityError {
  if (error instanceof DeskterityError) return error;
  const name = error instanceof BusError ? error.errorName : '';
  const platformDetail = error instanceof BusError ? `${name}: ${error.message}` : String(error);
  const details = { platformDetail, delivered, cause: error };
  if (name === 'local.Cancelled') return cancelled(`${what} was cancelled.`, details);
  if (isLate(error)) {
    return new DeskterityError('APP_UNRESPONSIVE', `${what}: the application did not respond in time.`, {
      suggestion: delivered
        ? `Find out with ${mentionCommand('snapshot')} or ${mentionCommand('screenshot')} what it did before you repeat it.`
        : `Wait until the application is idle and retry, or raise ${mentionParameter('timeout_ms')}.`,
      retryable: !delivered,
      ...details,
    });
  }
  if (GONE.has(name)) {
    return new DeskterityError('STALE_REF', `${what}: the element no longer exists.`, {
      suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
      ...details,
    });
  }
  return new DeskterityError('ACTION_FAILED', `${what}: the application refused.`, {
    suggestion: `Look at the element with ${mentionCommand('get', { property: 'attributes', ref: 'REF' })}; it may not support this.`,
    ...details,
  });
}

/** Errors for a reply that did not arrive in time. */
const UNREPLIED = /\.(NoReply|Timeout|TimedOut)$/i;

/** Errors for an object or process that no longer exists. Qt also returns UnknownObject for a missing interface: callers probe GetRole first. */
const GONE: ReadonlySet<string> = new Set([
  'org.freedesktop.DBus.Error.UnknownObject',
  'org.freedesktop.DBus.Error.UnknownMethod',
  'org.freedesktop.DBus.Error.UnknownInterface',
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
  'org.freedesktop.DBus.Error.Disconnected',
  'local.Disconnected',
]);
