import { inflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Buffer;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The colours of a part of a PNG. */
export function coloursIn(file: Buffer, area: Area): ReadonlySet<string> {
  const { width, height, channels, bytes } = decode(file);
  const colours = new Set<string>();
  for (let y = area.y; y < Math.min(area.y + area.height, height); y += 1)
    for (let x = area.x; x < Math.min(area.x + area.width, width); x += 1)
      colours.add(bytes.toString('hex', (y * width + x) * channels, (y * width + x) * channels + 3));
  return colours;
}

/** How many pixels of a PNG have exactly a colour, such as 12ab34. */
export function pixelsOf(file: Buffer, colour: string): number {
  const { channels, bytes } = decode(file);
  const [red, green, blue] = Buffer.from(colour, 'hex');
  let count = 0;
  for (let at = 0; at < bytes.length; at += channels)
    if (bytes[at] === red && bytes[at + 1] === green && bytes[at + 2] === blue) count += 1;
  return count;
}

/** Decodes a PNG with 8 bits per channel, as our encoder and the standard filters write it. */
function decode(file: Buffer): Pixels {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const bytes = Buffer.alloc(stride * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    const row = bytes.subarray(y * stride, (y + 1) * stride);
    raw.copy(row, 0, y * (stride + 1) + 1, (y + 1) * (stride + 1));
    if (filter !== 0)
      for (let at = 0; at < stride; at += 1) {
        const left = at >= channels ? (row[at - channels] ?? 0) : 0;
        const up = above[at] ?? 0;
        const corner = at >= channels ? (above[at - channels] ?? 0) : 0;
        row[at] = ((row[at] ?? 0) + predicted(filter, { left, up, corner })) & 255;
      }
    above = row;
  }
  return { width, height, channels, bytes };
}

function predicted(
  filter: number,
  { left, up, corner }: { left: number; up: number; corner: number },
): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
