import { closeSync, fstatSync, readSync } from 'node:fs';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { KEYBOARD, SEAT } from '../wire/interfaces.ts';
import { asDeskterityError } from '../wire/wayland-errors.ts';
import { WaylandWire } from '../wire/wayland-wire.ts';

/** Larger than that of any keyboard. */
const MOST_BYTES = 1024 * 1024;
const XKB_V1 = 1;
const HAS_KEYBOARD = 2;

/** The keymap of the seat, as text. The seat must have a keyboard. @throws DeskterityError; Error if it is none that can be read */
export async function readKeymap(environment: Environment, options: CallOptions): Promise<Buffer> {
  const wire = await WaylandWire.connect(environment, options, 'descriptors');
  try {
    const reading = wire.until<Buffer>((resolve, reject) => {
      const seat = wire.bind(SEAT);
      if (seat === undefined) throw new Error('the compositor has no seat');
      let isAsked = false;
      seat.on('capabilities', (capabilities) => {
        if (isAsked || (capabilities & HAS_KEYBOARD) === 0) return;
        isAsked = true;
        const keyboard = wire.create(KEYBOARD);
        keyboard.on('keymap', (format, file, size) => {
          try {
            resolve(contentOf(format, file, size));
          } catch (error) {
            reject(asDeskterityError(error, 'reading the keyboard layout'));
          } finally {
            closeSync(file);
          }
        });
        seat.send('get_keyboard', keyboard.id);
      });
    });
    return await wire.within(reading, 'reading the keyboard layout', options);
  } finally {
    wire.close();
  }
}

function contentOf(format: number, file: number, size: number): Buffer {
  if (format !== XKB_V1 || size > MOST_BYTES || fstatSync(file).size < size)
    throw new Error('the compositor has no keymap that can be read');
  const text = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const read = readSync(file, text, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  // It ends with a NUL.
  const end = text.indexOf(0);
  return text.subarray(0, end < 0 ? at : end);
}
