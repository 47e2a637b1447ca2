import type { StreamName } from '../../ports/operations.ts';
import { countNewlines } from './decode-bytes.ts';
import { readBlocks } from './output-blocks.ts';
import { listSegments, type Segment } from './output-segments.ts';

const NEWLINE = 10;

/** Bytes that were not kept. */
export interface Gap {
  readonly start: number;
  readonly end: number;
  /** Affected lines, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A snapshot of an output: a reader sees a fixed state, however fast the output grows. */
export interface OutputExtent {
  readonly stream: StreamName;
  readonly segments: readonly Segment[];
  readonly gaps: readonly Gap[];
  readonly totalBytes: number;
  /** Includes an unfinished last line. */
  readonly totalLines: number;
}

/** Takes the extent of a stream. @param folder of the output */
export async function openExtent(folder: string, stream: StreamName): Promise<OutputExtent> {
  const segments = listSegments(folder, stream);
  const gaps: Gap[] = [];
  let end: Edge = { byte: 0, newlines: 0, endsLine: true };
  for (const [index, segment] of segments.entries()) {
    if (segment.start > end.byte) gaps.push(gapBetween(end, segment));
    const next = segments[index + 1];
    const bytes = segment.start + segment.bytes;
    // The next segment's name has the count, so this one need not be read.
    end =
      next?.start === bytes
        ? { byte: bytes, newlines: next.newlinesBefore, endsLine: true }
        : await edgeOf(segment);
  }
  const totalLines = end.newlines + (end.endsLine ? 0 : 1);
  return { stream, segments, gaps, totalBytes: end.byte, totalLines };
}

interface Edge {
  readonly byte: number;
  readonly newlines: number;
  readonly endsLine: boolean;
}

async function edgeOf(segment: Segment): Promise<Edge> {
  let newlines = segment.newlinesBefore;
  // For an empty segment, whether a line ends there is unknown: the bytes before it are lost.
  let endsLine = true;
  for await (const { bytes } of readBlocks([segment], segment.start)) {
    newlines += countNewlines(bytes);
    endsLine = bytes.at(-1) === NEWLINE;
  }
  return { byte: segment.start + segment.bytes, newlines, endsLine };
}

function gapBetween(end: Edge, next: Segment): Gap {
  return {
    start: end.byte,
    end: next.start,
    firstLine: end.newlines + 1,
    lastLine: next.newlinesBefore + 1,
  };
}
