import { clip } from '../../model/text/untrusted-text.ts';
import { judgeLine, mayHaveErrors, type ErrorKind } from './error-lines.ts';
import { plainText } from './clean-output.ts';
import { readBlocks } from './output-blocks.ts';
import type { OutputExtent } from './output-extent.ts';
import { linesOf, type OutputLine } from './output-lines.ts';

/** For searching a whole output, in milliseconds; other work can run between blocks. */
const LOOK_LIMIT_MS = 3000;
const MOST_EXCERPTS = 200;
/** The most informative lines of a long excerpt. */
const EXCERPT_LINES = { head: 4, tail: 8 };
const LONGEST_SHOWN = 500;
/** The largest `before` of all error kinds. */
const MOST_BEFORE = 2;

/** An error with the lines that belong to it. */
export interface Excerpt {
  /** The error line. */
  readonly error: OutputLine;
  readonly lines: OutputLine[];
  /** It has a tool's own error format; otherwise only words that suggest an error. */
  readonly isSure: boolean;
  /** How often the same line occurred. */
  times: number;
}

export interface FoundErrors {
  readonly sure: readonly Excerpt[];
  readonly likely: readonly Excerpt[];
  /** Number of further errors, beyond the limit of excerpts: sure ones, or likely ones if there are no sure ones. */
  readonly more: number;
  /** Byte up to which the output was searched. */
  readonly stoppedAt: number;
}

/** The lines of an output that look like errors, searched up to the time limit. */
export async function findErrors(extent: OutputExtent, limitMs = LOOK_LIMIT_MS): Promise<FoundErrors> {
  const end = performance.now() + limitMs;
  const collector = new Collector();
  let stoppedAt = 0;
  for await (const block of readBlocks(extent.segments, 0)) {
    if (performance.now() > end) return { ...collector.result(), stoppedAt };
    if (collector.isIdle && !mayHaveErrors(plainText(block.bytes))) collector.skip();
    else for (const line of linesOf(block)) collector.add(line);
    stoppedAt = block.start + block.bytes.length;
  }
  return { ...collector.result(), stoppedAt: extent.totalBytes };
}

class Collector {
  private readonly sure = new Map<string, Excerpt>();
  private readonly likely = new Map<string, Excerpt>();
  private more = { sure: 0, likely: 0 };
  private before: OutputLine[] = [];
  private open: { readonly excerpt: Excerpt; readonly kind: ErrorKind; left: number } | undefined;

  /** No excerpt is being collected. */
  get isIdle(): boolean {
    return this.open === undefined;
  }

  /** Lines were skipped. */
  skip(): void {
    this.before = [];
  }

  add(raw: OutputLine): void {
    const line = { ...raw, text: clip(raw.text, LONGEST_SHOWN) };
    const judged = raw.isContinued ? undefined : judgeLine(raw.text);
    const isPart = this.isPartOfOpen(line, judged);
    if (judged !== undefined && !isPart) this.begin(line, judged.isSure, judged.kind);
    this.before.push(line);
    if (this.before.length > MOST_BEFORE) this.before.shift();
  }

  result(): Omit<FoundErrors, 'stoppedAt'> {
    const [sure, likely] = [[...this.sure.values()], [...this.likely.values()]];
    return { sure, likely, more: sure.length > 0 ? this.more.sure : this.more.likely };
  }

  /** Adds the line to the current excerpt, which a new error ends. In an excerpt with `until`, indented lines never end it. */
  private isPartOfOpen(line: OutputLine, judged: ReturnType<typeof judgeLine>): boolean {
    const { open } = this;
    if (open === undefined) return false;
    const { until } = open.kind;
    const belongs =
      until !== undefined && (until.test(line.text) || /^\s/.test(line.text) || !judged?.isSure);
    if (judged !== undefined && !belongs) {
      this.open = undefined;
      return false;
    }
    open.left -= 1;
    const isLast = open.left <= 0 || until?.test(line.text) === true;
    if (line.text.trim() !== '') extend(open.excerpt, line);
    if (isLast) this.open = undefined;
    return true;
  }

  private begin(line: OutputLine, isSure: boolean, kind: ErrorKind): void {
    const excerpts = isSure ? this.sure : this.likely;
    const key = line.text.trim();
    const known = excerpts.get(key);
    if (known !== undefined) {
      known.times += 1;
    } else if (excerpts.size >= MOST_EXCERPTS) {
      this.more[isSure ? 'sure' : 'likely'] += 1;
    } else {
      const { before: count = 0, after = 0 } = kind;
      const before = count > 0 ? this.before.slice(-count) : [];
      const excerpt = { error: line, lines: [...before, line], isSure, times: 1 };
      excerpts.set(key, excerpt);
      if (after > 0) this.open = { excerpt, kind, left: after };
    }
  }
}

function extend({ lines }: Excerpt, line: OutputLine): void {
  lines.push(line);
  if (lines.length > EXCERPT_LINES.head + EXCERPT_LINES.tail) lines.splice(EXCERPT_LINES.head, 1);
}
