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
import { recordsIn } from './completion-records.ts';

/** What is there now; every question is answered with nothing when it cannot be answered at once. */
export interface LiveAnswers {
  apps(): Promise<readonly LiveApp[]>;
  windows(): Promise<readonly LiveWindow[]>;
  sessions(): Promise<readonly string[]>;
  /** The elements that were shown last, oldest first. */
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

/** A person waits for the answer with a finger on the tab key. */
const LIMIT_MS = 400;

/** More than this nobody reads in a list. */
const MOST_ELEMENTS = 200;
/** A session's references are a few hundred bytes each, and at most some thousands. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Asks a daemon that is running; none is started. */
export function liveAnswers(environment: Environment, session: string): LiveAnswers {
  const ask = (command: string, input: Record<string, boolean> = {}) =>
    askDaemon(environment, { session, command, input }).catch(() => undefined);
  return {
    apps: async () =>
      recordsIn(await ask('list-apps'), 'apps').flatMap(({ name, pid }) =>
        typeof name === 'string' && typeof pid === 'number' ? [{ name, pid }] : [],
      ),
    windows: async () =>
      recordsIn(await ask('list-windows', { include_minimized: true }), 'windows').flatMap(
        ({ ref, title, app }) =>
          typeof ref === 'string' && typeof title === 'string'
            ? [{ ref, title, app: typeof app === 'string' ? app : '' }]
            : [],
      ),
    sessions: async () =>
      recordsIn(await ask('session list'), 'sessions').flatMap(({ name }) =>
        typeof name === 'string' ? [name] : [],
      ),
    elements: () => storedElements(environment, session).catch(() => []),
  };
}

interface Question {
  readonly session: string;
  readonly command: string;
  readonly input: Record<string, boolean>;
}

/** The envelope of an answer that came in time. */
async function askDaemon(environment: Environment, question: Question): Promise<unknown> {
  const path = daemonSocket(environment);
  // The caller's variables are nobody else's business.
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
      socket.write(encodeClientFrame({ type: 'execute', id: 1, ...question, format: 'json' }));
    });
  } finally {
    socket.destroy();
  }
}

/**
 * From the file in which the session's references are kept between calls (`model/ref-document.ts`): to look again would cost seconds, and the
 * references are those that the person has on the screen.
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
