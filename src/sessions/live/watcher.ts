import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { fewAreas } from '../../image/changed-areas.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';

/** Pictures that may be under way to a page: with more, a slow page would see what is long past. */
const MOST_UNSEEN = 2;
/** Areas that are remembered one by one for a page that is behind. */
const MOST_AREAS = 48;
const HEADER_BYTES = 5;
const PLACE_BYTES = 16;

const MESSAGE = 0x4a; // J
const PICTURE = 0x50; // P

/**
 * One open page. It gets each changed part of the screen as it is when it is sent: while the page has not caught up, changes only widen the area
 * of the next picture.
 */
export class Watcher {
  /** Only the page knows it: it names the sender of what the page sends back. */
  readonly id = randomBytes(16).toString('hex');
  readonly mayControl: boolean;
  /** When the page last sent anything. */
  lastHeardAt = performance.now();
  private readonly response: ServerResponse;
  private readonly encode: (area: Bounds) => Promise<Buffer>;
  private areas: readonly Bounds[] = [];
  private sent = 0;
  private seen = 0;
  private isSending = false;

  constructor(
    response: ServerResponse,
    options: { readonly mayControl: boolean; readonly encode: (area: Bounds) => Promise<Buffer> },
  ) {
    this.response = response;
    this.mayControl = options.mayControl;
    this.encode = options.encode;
    response.on('drain', () => void this.send());
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** These parts of the screen look different now. */
  changed(areas: readonly Bounds[]): void {
    const uncovered = this.areas.filter((known) => !areas.some((area) => contains(area, known)));
    const all = [...uncovered, ...areas];
    this.areas = all.length > MOST_AREAS ? fewAreas(all) : all;
    void this.send();
  }

  /** Sends something other than a picture. */
  tell(message: Readonly<Record<string, unknown>>): void {
    this.write(MESSAGE, Buffer.from(JSON.stringify(message)));
  }

  /** The page has drawn everything up to this picture. */
  acknowledge(seen: number): void {
    if (seen > this.seen && seen <= this.sent) this.seen = seen;
    void this.send();
  }

  end(): void {
    this.response.end();
  }

  private async send(): Promise<void> {
    const isBehind = this.sent - this.seen >= MOST_UNSEEN || this.response.writableNeedDrain;
    if (this.isSending || this.isGone || isBehind || this.areas.length === 0) return;
    this.isSending = true;
    const areas = fewAreas(this.areas);
    this.areas = [];
    try {
      const pictures = await Promise.all(areas.map((area) => this.encode(area)));
      for (const [index, png] of pictures.entries()) {
        const place = Buffer.alloc(PLACE_BYTES);
        const { x = 0, y = 0, width = 0, height = 0 } = areas[index] ?? {};
        for (const [at, value] of [x, y, width, height].entries()) place.writeUInt32BE(value, at * 4);
        this.write(PICTURE, place, png);
      }
      this.sent += 1;
      this.tell({ kind: 'picture', number: this.sent });
    } catch {
      // The screen has no picture any more; its next one comes as a change.
    } finally {
      this.isSending = false;
    }
    await this.send();
  }

  private write(type: number, ...parts: readonly Buffer[]): void {
    if (this.isGone) return;
    const header = Buffer.alloc(HEADER_BYTES);
    header[0] = type;
    header.writeUInt32BE(
      parts.reduce((sum, { length }) => sum + length, 0),
      1,
    );
    this.response.write(Buffer.concat([header, ...parts]));
  }
}

function contains(outer: Bounds, inner: Bounds): boolean {
  const common = intersect(outer, inner);
  return common?.width === inner.width && common.height === inner.height;
}
