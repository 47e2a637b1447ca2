import { readdir, stat } from 'node:fs/promises';
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
export async function listSegments(folder: string, stream: StreamName): Promise<readonly Segment[]> {
  const named = (await namedSegments(folder)).filter((segment) => segment.stream === stream);
  const sized = await Promise.all(named.map(withSize));
  return sized.filter((segment) => segment !== undefined);
}

/** Bytes written to each stream so far, kept or not; empty streams are absent. */
export async function writtenBytes(folder: string): Promise<Partial<Record<StreamName, number>>> {
  const written: Partial<Record<StreamName, number>> = {};
  const last = new Map((await namedSegments(folder)).map((segment) => [segment.stream, segment]));
  for (const segment of last.values()) {
    // A segment that was just dropped had been complete.
    const bytes = (await withSize(segment))?.bytes ?? 0;
    written[segment.stream] = segment.start + bytes;
  }
  return written;
}

async function namedSegments(folder: string): Promise<Named[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name): Named[] => {
      const match = NAME.exec(name);
      if (match === null) return [];
      const [, stream, start, newlines] = match;
      if (stream !== 'merged' && stream !== 'stdout' && stream !== 'stderr') return [];
      return [{ stream, start: Number(start), newlinesBefore: Number(newlines), path: join(folder, name) }];
    })
    .toSorted((a, b) => a.start - b.start);
}

async function withSize(segment: Named): Promise<Segment | undefined> {
  try {
    return { ...segment, bytes: (await stat(segment.path)).size };
  } catch {
    return undefined;
  }
}
