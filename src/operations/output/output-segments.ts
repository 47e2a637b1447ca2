import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamName } from '../../ports/operations.ts';

/**
 * A contiguous part of a stream in its own file. The name contains its position, so that offsets and line numbers remain valid whatever was
 * dropped before it, without a separate index.
 */
export interface Segment {
  readonly stream: StreamName;
  /** Bytes of the stream before it. */
  readonly start: number;
  /** Line ends in the stream before it. */
  readonly newlinesBefore: number;
  readonly path: string;
  /** Bytes in the file; it may grow. */
  readonly bytes: number;
}

const NAME = /^(merged|stdout|stderr)-(\d{1,15})-(\d{1,15})$/;

export function segmentName({
  stream,
  start,
  newlinesBefore,
}: Pick<Segment, 'stream' | 'start' | 'newlinesBefore'>): string {
  return `${stream}-${start}-${newlinesBefore}`;
}

type Named = Omit<Segment, 'bytes'>;

/** The segments of one stream by position; empty if there is no output. One that is dropped meanwhile is left out. @param folder of the output */
export function listSegments(folder: string, stream: StreamName): readonly Segment[] {
  const named = namedSegments(folder).filter((segment) => segment.stream === stream);
  return named.map(withSize).filter((segment) => segment !== undefined);
}

/** Bytes written to each stream so far, kept or not; empty streams are absent. */
export function writtenBytes(folder: string): Partial<Record<StreamName, number>> {
  const written: Partial<Record<StreamName, number>> = {};
  const last = new Map(namedSegments(folder).map((segment) => [segment.stream, segment]));
  for (const segment of last.values()) {
    // A segment that was just dropped had been complete.
    const bytes = withSize(segment)?.bytes ?? 0;
    written[segment.stream] = segment.start + bytes;
  }
  return written;
}

function namedSegments(folder: string): Named[] {
  return namesIn(folder)
    .flatMap((name): Named[] => {
      const match = NAME.exec(name);
      if (match === null) return [];
      const [, stream, start, newlines] = match;
      if (stream !== 'merged' && stream !== 'stdout' && stream !== 'stderr') return [];
      return [{ stream, start: Number(start), newlinesBefore: Number(newlines), path: join(folder, name) }];
    })
    .toSorted((a, b) => a.start - b.start);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function withSize(segment: Named): Segment | undefined {
  try {
    return { ...segment, bytes: statSync(segment.path).size };
  } catch {
    return undefined;
  }
}
