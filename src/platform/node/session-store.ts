import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { fileProblem } from '../../model/effects/file-problem.ts';
import { errorCode } from '../../model/error-code.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { documentFiles, type DocumentFiles } from './document-file.ts';
import { withFileLock } from './file-lock.ts';

type Change = Parameters<SessionStore['update']>[1];

export interface SessionStoreParts {
  readonly files?: DocumentFiles;
  /** The session's own folder. */
  readonly folder: string;
  /** Receives a sentence about each document that could not be read or written. */
  readonly note: (message: string) => void;
}

/** Stores a session's documents as JSON files that only the user can read. */
export function createSessionStore({ files = documentFiles, folder, note }: SessionStoreParts): SessionStore {
  // Calls of this process are queued, so that only processes contend for the lock file.
  let queue: Promise<unknown> = Promise.resolve();

  /** What this process wrote last, as long as there is memory for it, and the state of the file then. */
  const written = new Map<string, { readonly stamp: string; readonly data: WeakRef<object> }>();

  const read = (name: string): { data: unknown; isDamaged: boolean } => {
    const path = documentPath(folder, name);
    try {
      const known = written.get(name);
      const data = known?.data.deref();
      if (data !== undefined && files.stamp(path) === known?.stamp) return { data, isDamaged: false };
      const text = files.read(path);
      return { data: text === undefined ? undefined : JSON.parse(text), isDamaged: false };
    } catch (error) {
      note(`The session file ${path} cannot be read (${reason(error)}), so earlier references are lost.`);
      return { data: undefined, isDamaged: true };
    }
  };

  const write = async (name: string, path: string, data: unknown): Promise<void> => {
    written.delete(name);
    if (data === undefined) {
      await rm(path, { force: true });
      return;
    }
    await files.write(path, `${JSON.stringify(data)}\n`);
    const stamp = files.stamp(path);
    if (stamp !== undefined && typeof data === 'object' && data !== null)
      written.set(name, { stamp, data: new WeakRef(data) });
  };

  const update = async (name: string, change: Change, mustStore: boolean): Promise<void> => {
    const path = documentPath(folder, name);
    let found: { data: unknown } | undefined;
    let isWriting = false;
    try {
      await withFileLock(`${path}.lock`, async () => {
        const stored = read(name);
        found = stored;
        const next = change(stored.data, stored.isDamaged);
        isWriting = true;
        await write(name, path, next);
      });
    } catch (error) {
      if (!isWriting && !isSystemError(error)) throw error;
      if (mustStore) throw cannotStore(folder, error);
      const { data } = found ?? read(name);
      change(data, true);
      note(
        `The session file ${path} cannot be written (${reason(error)}); the next command will not recognise these references.`,
      );
    }
  };

  const clear = async (): Promise<void> => {
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      note(`The session folder ${folder} cannot be removed (${reason(error)}).`);
    }
  };

  return {
    load: async (name) => read(name).data,
    update: (name, change, { mustStore = false } = {}) => {
      const done = queue.then(() => update(name, change, mustStore));
      queue = done.catch(() => undefined);
      return done;
    },
    clear: () => {
      const done = queue.then(clear);
      queue = done;
      return done;
    },
  };
}

function cannotStore(folder: string, error: unknown): DeskterityError {
  const why = fileProblem(errorCode(error)) ?? reason(error);
  return new DeskterityError('ACTION_FAILED', `The session cannot be stored in ${folder}: ${why}.`, {
    suggestion: 'Free some space there, or set XDG_STATE_HOME to a folder that can be written.',
    platformDetail: errorCode(error),
    delivered: false,
    cause: error,
  });
}

function documentPath(folder: string, name: string): string {
  if (!/^[\w-]{1,64}$/.test(name)) throw new RangeError(`"${name}" cannot name a session document.`);
  return join(folder, `${name}.json`);
}

/** Errors of the file system, as opposed to those of `change`. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ('syscall' in error || error.code === 'ELOCKED');
}

function reason(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON';
  if (error instanceof DeskterityError) return error.message;
  return errorCode(error) ?? String(error);
}
