import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { NewSession } from '../ports/sessions.ts';
import type { DesktopsPort, OwnDesktop } from '../ports/desktops.ts';
import { LiveSession, sessionOver } from './live-session.ts';
import type { SessionSurroundings } from './live-session.ts';
import { loadSessionRecord, markKilled, markPrivate, removePrivateMark } from './session-memory.ts';
import { reachOf, readSessionRecord, SESSION_DOCUMENT } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

interface Start extends NewSession {
  readonly name: string;
  readonly createdAt: string;
  /** Killed before it was there. */
  readonly abort: AbortSignal;
}

/**
 * Opens the session of a call, stored or new; or starts the one that `session new` asks for.
 * @throws DeskterityError CONFLICT when another process was faster, CANCELLED, and the failures of starting a desktop. Nothing is left then.
 */
export async function startSession(
  around: SessionSurroundings,
  factory: DesktopsPort,
  request: Start | { readonly name: string },
): Promise<LiveSession> {
  return 'isPrivate' in request ? startAsked(around, factory, request) : openForCall(around, request.name);
}

async function openForCall(around: SessionSurroundings, name: string): Promise<LiveSession> {
  const store = around.openStore(name);
  const stored = await loadSessionRecord(around, name, store);
  if (stored === 'killed') throw sessionOver(name);
  if (stored !== undefined) return new LiveSession(around, { name, store, record: stored });
  let record: SessionRecord = { created_at: new Date().toISOString(), desktop: 'user' };
  // Another process may have been faster; then the session is what that one made of it.
  await store.update(SESSION_DOCUMENT, (data) => {
    record = readSessionRecord(data) ?? record;
    return record;
  });
  return new LiveSession(around, { name, store, record });
}

async function startAsked(
  around: SessionSurroundings,
  factory: DesktopsPort,
  request: Start,
): Promise<LiveSession> {
  const { name, createdAt, environment: inherit } = request;
  const store = around.openStore(name);
  const old = await loadSessionRecord(around, name, store);
  if (old !== undefined && old !== 'killed') {
    const session = new LiveSession(around, { name, store, record: old });
    if (await session.hasDesktopNow()) throw nameTaken(name);
    await session.end();
  }
  let own: OwnDesktop | undefined;
  try {
    if (request.isPrivate) {
      const signal =
        request.signal === undefined ? request.abort : AbortSignal.any([request.signal, request.abort]);
      const { width, height, deadlineMs } = request;
      if (signal.aborted) throw cancelled();
      own = await factory.startPrivate({ width, height, inherit, deadlineMs, signal });
      if (signal.aborted) throw cancelled();
      await markPrivate(around, name, createdAt);
    }
    const record: SessionRecord = {
      created_at: createdAt,
      desktop: own ? 'private' : 'user',
      ...(own ? { environment: reachOf(own.environment, inherit), display: own.display } : {}),
    };
    await store.update(SESSION_DOCUMENT, (data) => {
      if (readSessionRecord(data) !== undefined) throw nameTaken(name);
      return record;
    });
    if (own === undefined) await removePrivateMark(around, name);
    return new LiveSession(around, { name, store, record, own });
  } catch (error) {
    await own?.stop().catch(() => undefined);
    const isTaken = error instanceof DeskterityError && error.code === 'CONFLICT';
    if (isTaken && own !== undefined) await removePrivateMark(around, name);
    // Whoever goes on using the name must not find itself on the desktop of the caller.
    else if (request.isPrivate && !isTaken) await markKilled(around, name, createdAt);
    throw error;
  }
}

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The session was ended while it was being started.', {
    suggestion: 'Start it again when it is wanted.',
  });
}

export function nameTaken(name: string): DeskterityError {
  return new DeskterityError('CONFLICT', `There is a session "${name}" already.`, {
    suggestion: `Choose another name, or end it first: ${mentionCommand('session kill', { name })}.`,
  });
}
