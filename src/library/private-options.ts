import { Configuration } from '../model/config.ts';
import { DeskterityError } from '../model/errors.ts';

/** Longest time that starting a desktop may be given: one hour. */
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_TIMEOUT_MS = 20_000;

interface Given {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Size and deadline of a new private desktop, with what was not given filled in.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function privateDesktopRequest({ width, height, timeoutMs = DEFAULT_TIMEOUT_MS }: Given): {
  width: number;
  height: number;
  deadlineMs: number;
} {
  const size = Configuration.shape.private_desktop.safeParse({ width, height });
  if (!size.success)
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `A screen of ${shown(width)} × ${shown(height)} pixels cannot be made.`,
      { suggestion: 'Give whole numbers: a width from 320 and a height from 200, both up to 16384.' },
    );
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)
    throw new DeskterityError('INVALID_ARGUMENT', `timeoutMs is ${shown(timeoutMs)}.`, {
      suggestion: `Give a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}.`,
    });
  return { ...size.data, deadlineMs: timeoutMs };
}

function shown(value: number | undefined): string {
  return value === undefined ? 'default' : String(value).slice(0, 80);
}
