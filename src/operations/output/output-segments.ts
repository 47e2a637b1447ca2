import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamName } from '../../ports/operations.ts';

/**
 * A stretch of what a stream has brought, in a file of its own. The name says where it belongs, so that positions and line numbers stay true
 * whatever was dropped before it, and nothing beside the files has to be kept in step with them.
 */
export interface Segment {
  readonly stream: StreamName;
  /** Bytes of the stream before it. */
  readonly start: number;
  /** Line ends of the stream before it. */
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

/** The segments of one stream by position. One that is dropped meanwhile is left out. @param folder of the output; empty where there is none */
export async function listSegments(folder: string, stream: StreamName): Promise<readonly Segment[]> {
  const named = (await namedSegments(folder)).filter((segment) => segment.stream === stream);
  const sized = await Promise.all(named.map(withSize));
  return sized.filter((segment) => segment !== undefined);
}

/** Bytes that each stream has brought so far, kept or not; streams that brought none are absent. */
export async function writtenBytes(folder: string): Promise<Partial<Record<StreamName, number>>> {
  const written: Partial<Record<StreamName, number>> = {};
  const last = new Map((await namedSegments(folder)).map((segment) => [segment.stream, segment]));
  for (const segment of last.values()) {
    // One that was dropped just now has all that it ever had.
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
