import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment } from '../../../../wire/client-frames.ts';
import { daemonSocket, existingFolderProblem, resolvePaths } from '../../../../platform/paths.ts';
import { isRecord } from '../../../../model/is-record.ts';
import { TIMERS, within } from '../../../../model/within.ts';
import type { Manifest } from '../../arguments/manifest.ts';
import type { Link } from '../../daemon/link.ts';
import { openDaemon } from '../../daemon/open-daemon.ts';

/** What currently exists; each list is empty if it cannot be determined quickly. */
export interface LiveAnswers {
  apps(): Promise<readonly LiveApp[]>;
  windows(): Promise<readonly LiveWindow[]>;
  sessions(): Promise<readonly string[]>;
  /** The elements shown most recently, oldest first. */
  elements(): Promise<readonly LiveElement[]>;
}

export interface LiveApp {
  readonly name: string;
  readonly pid: number;
}

export interface LiveWindow {
  readonly ref: string;
  readonly title: string;
  readonly app: string;
}

export interface LiveElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** A person is waiting at the tab key. */
const LIMIT_MS = 400;

/** Longer lists are not useful. */
const MOST_ELEMENTS = 200;
/** A session has at most some thousands of references of a few hundred bytes. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Queries a running daemon; starts none. */
export function liveAnswers(environment: Environment, manifest: Manifest, session: string): LiveAnswers {
  const query = (command: string, input: Record<string, boolean> = {}) =>
    queryDaemon({ environment, manifest }, { session, command, input }).catch(() => undefined);
  return {
    apps: async () =>
      recordsIn(await query('list-apps'), 'apps').flatMap(({ name, pid }) =>
        typeof name === 'string' && typeof pid === 'number' ? [{ name, pid }] : [],
      ),
    windows: async () =>
      recordsIn(await query('list-windows', { include_minimized: true }), 'windows').flatMap(
        ({ ref, title, app }) =>
          typeof ref === 'string' && typeof title === 'string'
            ? [{ ref, title, app: typeof app === 'string' ? app : '' }]
            : [],
      ),
    sessions: async () =>
      recordsIn(await query('session list'), 'sessions').flatMap(({ name }) =>
        typeof name === 'string' ? [name] : [],
      ),
    elements: () => storedElements(environment, session).catch(() => []),
  };
}

/** The envelope of the answer, if it comes in time. */
async function queryDaemon(
  to: Parameters<typeof openDaemon>[0],
  query: Omit<Parameters<Link['call']>[0], 'format'>,
): Promise<unknown> {
  // Looking for a daemon would create its folder.
  if (existingFolderProblem(dirname(daemonSocket(to.environment))) !== undefined) return undefined;
  const link = await openDaemon(to).find();
  try {
    const call = link?.call({ ...query, format: 'json' }, {});
    const answered = call && (await within(TIMERS, call.outcome, LIMIT_MS));
    return answered?.value.kind === 'answer' ? JSON.parse(answered.value.answer.stdout) : undefined;
  } finally {
    link?.end();
  }
}

/**
 * From the file that stores the session's references between calls (`model/refs/ref-document.ts`): a new snapshot would take seconds,
 * and the stored references are those the person sees on the screen.
 */
async function storedElements(environment: Environment, session: string): Promise<readonly LiveElement[]> {
  if (!/^[\w.-]+$/.test(session) || /^\.+$/.test(session)) return [];
  const file = join(resolvePaths(environment).state, 'sessions', session, 'refs.json');
  const bytes = await readFile(file, { signal: AbortSignal.timeout(LIMIT_MS) });
  if (bytes.length > LARGEST_DOCUMENT_BYTES) return [];
  const stored: unknown = JSON.parse(bytes.toString('utf8'));
  const elements = recordsIn(stored, 'elements').flatMap(({ ref, role, name }) =>
    typeof ref === 'string' && typeof role === 'string' && typeof name === 'string' && /^@e\d+$/.test(ref)
      ? [{ ref, role, name }]
      : [],
  );
  return elements
    .slice(-MOST_ELEMENTS)
    .toSorted((one, other) => Number(one.ref.slice(2)) - Number(other.ref.slice(2)));
}

/** The objects in the list under a key of an unknown value; empty if there is no such list. */
export function recordsIn(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter((item) => isRecord(item)) : [];
}
