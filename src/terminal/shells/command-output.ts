const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const FIRST_CONTINUATION = 0x80;
const LAST_CONTINUATION = 0xbf;

export interface CapturedOutput {
  /** The last lines of the output; complete, unless a single line exceeds the kept size. */
  readonly bytes: Uint8Array;
  readonly lines: number;
  readonly omittedLines: number;
  /** The first of the lines is not complete: it is longer than the kept size. */
  readonly isCut: boolean;
}

/** Keeps the end of the output of one command. */
export class CommandOutput {
  private readonly keptBytes: number;
  private pieces: Buffer[] = [];
  private held = 0;
  private total = 0;
  private newlines = 0;
  private lastByte = LINE_FEED;
  private isLoneFeedSeen = false;

  /** @param keptBytes minimum size of the kept end */
  constructor(keptBytes: number) {
    this.keptBytes = keptBytes;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const bytes = Buffer.from(chunk);
    for (const byte of bytes) {
      if (byte === LINE_FEED) {
        this.newlines += 1;
        if (this.lastByte !== CARRIAGE_RETURN) this.isLoneFeedSeen = true;
      }
      this.lastByte = byte;
    }
    this.total += bytes.length;
    this.held += bytes.length;
    this.pieces.push(bytes);
    if (this.held > this.keptBytes * 2) {
      const kept = Buffer.concat(this.pieces).subarray(-this.keptBytes);
      this.pieces = [Buffer.from(kept)];
      this.held = kept.length;
    }
  }

  /** @param lines maximum number, counted from the end */
  last(lines: number): CapturedOutput {
    const kept = Buffer.concat(this.pieces);
    const all = this.newlines + (this.total > 0 && this.lastByte !== LINE_FEED ? 1 : 0);
    const [whole, isCut] = this.held < this.total ? afterCut(kept) : [kept, false];
    const { bytes, count } = lastLines(whole, lines);
    return {
      // After a lone line feed it is unknown which carriage returns the terminal added, so all remain.
      bytes: this.isLoneFeedSeen ? bytes : withoutReturns(bytes),
      lines: count,
      omittedLines: all - count,
      isCut: isCut && bytes.length === whole.length,
    };
  }
}

/** From the first complete line on; in a single long line, from the first complete character on, and true as it is cut. */
function afterCut(kept: Buffer): readonly [Buffer, boolean] {
  const feed = kept.indexOf(LINE_FEED);
  if (feed !== -1 && feed < kept.length - 1) return [kept.subarray(feed + 1), false];
  let start = 0;
  while (isContinuation(kept[start]) && start < 4) start += 1;
  return [kept.subarray(start), true];
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= FIRST_CONTINUATION && byte <= LAST_CONTINUATION;
}

function lastLines(bytes: Buffer, most: number): { readonly bytes: Buffer; readonly count: number } {
  let start = bytes.length;
  let count = 0;
  while (start > 0 && count < most) {
    const feed = start === 1 ? -1 : bytes.lastIndexOf(LINE_FEED, start - 2);
    start = feed + 1;
    count += 1;
  }
  return { bytes: bytes.subarray(start), count };
}

function withoutReturns(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let from = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    // Only a truncated first line may begin with a bare line feed.
    const end = at > 0 && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
    length += bytes.copy(kept, length, from, end);
    from = at;
  }
  length += bytes.copy(kept, length, from);
  return kept.subarray(0, length);
}
