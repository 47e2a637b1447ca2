import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Address } from './address.ts';
import type { Contents } from './ask.ts';

/** What differs between two readings of one thing. */
const PASSING: ReadonlySet<string> = new Set(['call_count', 'cursor', 'duration_ms', 'node_count']);

const Apps = z.object({ apps: z.array(z.object({ name: z.string(), pid: z.int() })) });
const Status = z.object({
  desktop: z.unknown(),
  permissions_granted: z.boolean().optional(),
  // Its words depend on how far the attempt came.
  problem: z.object({ code: z.string() }).optional(),
});

/** The same for contents between which there is no change worth telling. */
export function fingerprint(kind: Address['kind'], { data = {}, picture }: Contents): string {
  const text =
    picture ??
    JSON.stringify(significant(kind, data), (key, value: unknown) => (PASSING.has(key) ? undefined : value));
  return createHash('sha256').update(text).digest('base64');
}

/** Sessions and calls come and go with every reading; an application that is too busy to answer has neither started nor quit. */
function significant(kind: Address['kind'], data: Readonly<Record<string, unknown>>): unknown {
  if (kind === 'apps') {
    const { apps } = Apps.parse(data);
    return apps.toSorted((a, b) => a.pid - b.pid || a.name.localeCompare(b.name));
  }
  return kind === 'status' ? Status.parse(data) : data;
}
