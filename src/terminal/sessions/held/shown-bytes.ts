import { open } from 'node:fs/promises';
import { listSegments } from '../../../operations/output/output-segments.ts';
import { openExtent } from '../../../operations/output/output-extent.ts';
import type { RunOutcome } from '../../../ports/terminals.ts';
import { visibleText } from '../../../operations/output/clean-output.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';

/** The available part of a range of terminal output. */
export interface KeptBytes {
  /** Where it begins: after the last gap. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** Reads the end of a range, as far back as it is on disk without a gap. @param folder folder of the segments */
export async function readShown(folder: string, from: number, to: number): Promise<KeptBytes> {
  const segments = listSegments(folder, 'merged');
  let begin = Math.max(0, from);
  let end = begin;
  let pieces: Buffer[] = [];
  for (const { path, start, bytes } of segments) {
    const first = Math.max(begin, start);
    const last = Math.min(to, start + bytes);
    if (last <= first) continue;
    if (first !== end) {
      pieces = [];
      begin = first;
    }
    const piece = await readPiece(path, first - start, last - first);
    if (piece === undefined) continue;
    pieces.push(piece);
    end = first + piece.length;
  }
  return { from: begin, bytes: Buffer.concat(pieces) };
}

/** `undefined` if the segment was removed in the meantime. */
async function readPiece(path: string, from: number, length: number): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await file.read(buffer, done, length - done, from + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  } finally {
    await file.close();
  }
}

/** How far back the last lines are searched for. */
const MAX_TAIL_BYTES = 16 * 1024 * 1024;

/** The result for the caller of a run; output that the holder no longer has is read from disk. @param folder folder of the segments @param lines requested number of lines */
export async function runOutcome(answer: RunAnswer, folder: string, lines: number): Promise<RunOutcome> {
  const { kind, exitCode, durationMs, range, facts, leftOut, tail } = answer;
  const { text, notes } =
    tail === undefined && range !== undefined
      ? await fromDisk(folder, range, lines)
      : { text: tail?.text ?? '', notes: linesBefore(tail, range) };
  return {
    kind,
    exitCode,
    output: text,
    leftOut: [...notes, ...leftOut],
    durationMs,
    range,
    terminal: facts,
  };
}

/** The result of a command whose holder was killed: what it had written by then. @param from position of the output before the command was sent */
export async function lostOutcome(
  { terminal, from, durationMs }: Pick<RunOutcome, 'terminal' | 'durationMs'> & { readonly from: number },
  folder: string,
  lines: number,
): Promise<RunOutcome> {
  const { text, notes } = await fromDisk(folder, { from }, lines);
  return {
    kind: 'lost',
    exitCode: undefined,
    output: text,
    leftOut: notes,
    durationMs: Math.round(durationMs),
    range: { from },
    terminal,
  };
}

type Range = NonNullable<RunOutcome['range']>;

function linesBefore(tail: RunAnswer['tail'], range: Range | undefined): string[] {
  const { omittedLines: count = 0, isCut = false } = tail ?? {};
  const where = range === undefined ? '' : `; ${wholeOutput(range)}`;
  return [
    ...(count === 0 ? [] : [`${count} earlier ${count === 1 ? 'line is' : 'lines are'} left out${where}.`]),
    ...(isCut ? [`The beginning of the first line, which is very long, is left out${where}.`] : []),
  ];
}

/** How to read all of it, from the beginning. */
function wholeOutput({ from }: Range): string {
  return `the whole output begins at cursor ${from}`;
}

async function fromDisk(
  folder: string,
  range: Range,
  lines: number,
): Promise<{ readonly text: string; readonly notes: string[] }> {
  const to = range.to ?? (await openExtent(folder, 'merged')).totalBytes;
  const kept = await readShown(folder, Math.max(range.from, to - MAX_TAIL_BYTES), to);
  const all = textOf(kept.bytes).split('\n');
  const isCut = kept.from > range.from;
  // The first line may be incomplete; of a single long one the end is better than nothing.
  const whole = isCut && all.length > 1 ? all.slice(1) : all;
  const last = lines === 0 ? [] : whole.slice(-lines);
  const isAll = last.length === whole.length && kept.from === range.from;
  const what = isCut && all.length === 1 ? 'The beginning of the line is' : 'Earlier lines are';
  const notes = isAll ? [] : [`${what} left out; ${wholeOutput(range)}.`];
  return { text: last.join('\n'), notes };
}

/** Terminal output as text, without control sequences and the final line end. */
export function textOf(bytes: Uint8Array): string {
  return visibleText(Buffer.from(bytes)).replace(/\n$/, '');
}
