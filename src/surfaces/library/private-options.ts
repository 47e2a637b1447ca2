import { Configuration } from '../../model/configuration/config.ts';
import { DeskterityError } from '../../model/effects/errors.ts';

interface Given {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * What `session new` takes for a private desktop. Without width and height the user's configuration decides.
 * @throws DeskterityError INVALID_ARGUMENT for a size that no screen has
 */
export function privateSession(name: string, given: Given): Record<string, unknown> {
  const { width, height, timeoutMs } = given;
  const size = width === undefined && height === undefined ? {} : { size: sizeOf(width, height) };
  return { name, private: true, ...size, ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }) };
}

function sizeOf(width: number | undefined, height: number | undefined): string {
  const size = Configuration.shape.private_desktop.safeParse({ width, height });
  if (size.success) return `${size.data.width}x${size.data.height}`;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `A screen of ${shown(width)} × ${shown(height)} pixels cannot be made.`,
    { suggestion: 'Give whole numbers: a width from 320 and a height from 200, both up to 16384.' },
  );
}

function shown(value: number | undefined): string {
  return value === undefined ? 'default' : String(value).slice(0, 80);
}
