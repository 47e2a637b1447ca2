import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { NewSession } from '../ports/sessions.ts';
import type { DesktopsPort, OwnDesktop } from '../ports/desktops.ts';
import { LiveSession, sessionOver, type SharedSessionParts } from './live-session.ts';
import { loadSessionRecord, markKilled, markPrivate, removePrivateMark } from './session-memory.ts';
import { ownVariables, readSessionRecord, SESSION_DOCUMENT, type SessionRecord } from './session-record.ts';

interface Start extends NewSession {
  readonly name: string;
  readonly createdAt: string;
  /** Aborted if the session is killed while it starts. */
  readonly abort: AbortSignal;
}

/**
 * Opens the session of a call, stored or new; or starts the one that `session new` requests.
 * @throws DeskterityError CONFLICT if another process took the name, CANCELLED, errors of starting a desktop; then nothing is left behind
 */
export async function startSession(
  shared: SharedSessionParts,
  factory: DesktopsPort,
  request: Start | { readonly name: string },
): Promise<LiveSession> {
  return 'isPrivate' in request ? startAsked(shared, factory, request) : openForCall(shared, request.name);
}

async function openForCall(shared: SharedSessionParts, name: string): Promise<LiveSession> {
  const store = shared.openStore(name);
  const stored = await loadSessionRecord(shared, name, store);
  if (stored === 'killed') throw sessionOver(name);
  if (stored !== undefined) return new LiveSession(shared, { name, store, record: stored });
  let record: SessionRecord = { created_at: new Date().toISOString(), desktop: 'user' };
  // If another process created it first, use its record.
  await store.update(SESSION_DOCUMENT, (data) => {
    record = readSessionRecord(data) ?? record;
    return record;
  });
  return new LiveSession(shared, { name, store, record });
}

async function startAsked(
  shared: SharedSessionParts,
  factory: DesktopsPort,
  request: Start,
): Promise<LiveSession> {
  const { name, createdAt, environment: inherit } = request;
  const store = shared.openStore(name);
  const old = await loadSessionRecord(shared, name, store);
  if (old !== undefined && old !== 'killed') {
    const session = new LiveSession(shared, { name, store, record: old });
    if (await session.hasDesktopNow()) throw nameTaken(name);
    await session.end();
  }
  let own: OwnDesktop | undefined;
  try {
    if (request.isPrivate) {
      const signal =
        request.signal === undefined ? request.abort : AbortSignal.any([request.signal, request.abort]);
      const { width, height, home, display, deadlineMs } = request;
      if (signal.aborted) throw cancelled();
      own = await factory.startPrivate({
        width,
        height,
        home,
        display,
        session: name,
        inherit,
        deadlineMs,
        signal,
      });
      if (signal.aborted) throw cancelled();
      await markPrivate(shared, name, createdAt);
    }
    const record: SessionRecord = {
      created_at: createdAt,
      desktop: own ? 'private' : 'user',
      ...(own ? { environment: ownVariables(own.environment, inherit), display: own.display } : {}),
      ...(own?.home === undefined ? {} : { home: own.home.path, home_kept: own.home.isKept }),
    };
    // A session that is not stored would be unknown to the calls that use it.
    const refuseTaken = (data: unknown): SessionRecord => {
      if (readSessionRecord(data) !== undefined) throw nameTaken(name);
      return record;
    };
    await store.update(SESSION_DOCUMENT, refuseTaken, { mustStore: true });
    if (own === undefined) await removePrivateMark(shared, name);
    return new LiveSession(shared, { name, store, record, own });
  } catch (error) {
    await own?.stop().catch(() => undefined);
    // Without a desktop the conflict is about its HOME.
    const isTaken = error instanceof DeskterityError && error.code === 'CONFLICT' && own !== undefined;
    if (isTaken) await removePrivateMark(shared, name);
    // Later calls with this name must not fall back to the caller's desktop.
    else if (request.isPrivate && !isTaken) await markKilled(shared, name, createdAt);
    throw error;
  }
}

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The session was ended while it was starting.', {
    suggestion: 'Start it again when you need it.',
  });
}

export function nameTaken(name: string): DeskterityError {
  return new DeskterityError('CONFLICT', `Session "${name}" already exists.`, {
    suggestion: `Choose another name, or end it first: ${mentionCommand('session kill', { name })}.`,
  });
}
