import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import {
  buildVersion,
  DAEMON_PROTOCOL,
  encodeClientFrame,
  serverFrame,
} from '../../../../wire/daemon-protocol.ts';
import type { Environment } from '../../../../wire/client-frames.ts';
import { FrameReader } from '../../../../wire/frames.ts';
import { daemonSocket, existingFolderProblem, resolvePaths } from '../../../../platform/paths.ts';
import { isRecord } from '../../../../model/is-record.ts';

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
export function liveAnswers(environment: Environment, session: string): LiveAnswers {
  const query = (command: string, input: Record<string, boolean> = {}) =>
    queryDaemon(environment, { session, command, input }).catch(() => undefined);
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

interface Query {
  readonly session: string;
  readonly command: string;
  readonly input: Record<string, boolean>;
}

/** The envelope of the answer, if it comes in time. */
async function queryDaemon(environment: Environment, query: Query): Promise<unknown> {
  const path = daemonSocket(environment);
  // Do not send the caller's environment to another user's process.
  if (existingFolderProblem(dirname(path)) !== undefined) return undefined;
  const socket = connect(path);
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('late')), LIMIT_MS);
      late.unref();
      const reader = new FrameReader(serverFrame);
      socket.on('error', reject).once('close', () => reject(new Error('closed')));
      socket.on('data', (piece) => {
        try {
          for (const frame of reader.push(piece)) {
            if (frame.type === 'answer') resolve(JSON.parse(frame.stdout));
            else if (frame.type !== 'log') reject(new Error(frame.type));
          }
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      const hello = { version: buildVersion(), pid: process.pid, cwd: '/', environment };
      socket.write(encodeClientFrame({ type: 'hello', protocol: DAEMON_PROTOCOL, ...hello, colour: false }));
      socket.write(encodeClientFrame({ type: 'execute', id: 1, ...query, format: 'json' }));
    });
  } finally {
    socket.destroy();
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
