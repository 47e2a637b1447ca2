import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** In which whoever reads has to have taken something. */
const STANDSTILL_MS = 1000;

/** Ends a stream when everything that was written has been taken. A reader that takes nothing any more does not keep it. */
export function endStream(stream: Duplex): void {
  stream.end(() => stream.destroy());
  if (stream instanceof Socket) {
    // It looks at what the system has taken of a long write, which its length does not tell.
    stream.setTimeout(STANDSTILL_MS, () => stream.destroy());
    return;
  }
  let left = stream.writableLength;
  const timer = setInterval(() => {
    if (stream.writableLength < left) left = stream.writableLength;
    else stream.destroy();
  }, STANDSTILL_MS);
  timer.unref();
  stream.once('close', () => clearInterval(timer));
}
