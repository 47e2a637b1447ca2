import { z } from 'zod';
import { LONGEST_TITLE } from '../refs/target.ts';
import { isReservedName, RESERVED_NAME } from '../text/reserved-name.ts';
import { quote } from '../text/untrusted-text.ts';

/** Older connections are dropped beyond this number. */
const MOST_CONNECTIONS = 50;

/** A name that a session has given to one process of an application. */
export const AliasName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_.-]{0,62}$/u, {
    error: 'must begin with a letter and have at most 63 letters, digits, ".", "_" and "-"',
  })
  .refine((name) => !isReservedName(name), { error: RESERVED_NAME });

/** What an alias names, as answers show it. */
export const Connection = z
  .object({
    alias: z.string(),
    app: z.string().describe('Its name.'),
    pid: z.int().describe('Its process, and no later one with the same name.'),
  })
  .meta({ id: 'Connection' });
export type Connection = z.output<typeof Connection>;

/** `calc: "KCalc" pid=4242` */
export function outlineConnection({ alias, app, pid }: Connection): string {
  return `${alias}: ${quote(app)} pid=${pid}`;
}

/** A stored connection. */
const StoredConnection = z.object({
  alias: AliasName,
  app: z.string().max(LONGEST_TITLE),
  pid: z.int(),
  /** Identifies the process, because pids are reused; absent where the platform does not tell. */
  process: z.string().max(200).optional(),
});
export type StoredConnection = z.output<typeof StoredConnection>;

const ConnectionDocument = z.object({
  desktop_id: z.string(),
  connections: z.array(StoredConnection).max(MOST_CONNECTIONS),
});

/** The name of the document in the storage of a session. */
export const CONNECTIONS_DOCUMENT = 'connections';

/** The connections in a stored document, oldest first: those on one desktop, or on whichever it is about. */
export function readConnections(data: unknown, desktopId?: string): readonly StoredConnection[] {
  const parsed = ConnectionDocument.safeParse(data);
  if (!parsed.success || (desktopId !== undefined && parsed.data.desktop_id !== desktopId)) return [];
  return parsed.data.connections;
}

/** The document that stores these; `undefined` if there are none. */
export function connectionDocument(
  desktopId: string,
  connections: readonly StoredConnection[],
): z.output<typeof ConnectionDocument> | undefined {
  if (connections.length === 0) return undefined;
  return { desktop_id: desktopId, connections: connections.slice(-MOST_CONNECTIONS) };
}

/** Whether two texts are the same alias: case and blanks around it do not matter. */
export function isAlias(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The alias of a connection that was given none: the name of the application as one word. */
export function usualAlias(app: string): string {
  const word = app
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^[^\p{L}_]+|-+$/gu, '')
    .slice(0, 63);
  return AliasName.safeParse(word).success ? word : 'app';
}
