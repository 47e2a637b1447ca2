import { isRecord } from '../../../model/is-record.ts';
import { isInitializeRequest } from '../sdk.ts';
import { whyNoBatch } from '../connections/batches.ts';
import { idOf, INVALID_PARAMS, INVALID_REQUEST, refuse, refuseUnopened, type Answer } from './answer.ts';
import type { HttpLimits } from './http-limits.ts';
import { LegacySession } from './legacy-session.ts';
import { IsolatedConnection, type RootRules } from './isolated-connection.ts';
import type { McpRequest } from './mcp-request.ts';
import { openInTime } from '../connections/in-time.ts';
import type { Opener } from '../connections/connection.ts';

export interface SessionsParts {
  readonly open: Opener;
  readonly version: string;
  readonly limits: HttpLimits;
  readonly onError: (error: Error) => void;
  /** Clients may do only what their access tokens permit. */
  readonly isScoped: boolean;
  /** Each session works in the first root of its client. */
  readonly rootRules?: RootRules | undefined;
}

/** Clients of protocol versions of 2025 and before: each has a session, identified by a header. */
export class LegacySessions {
  private readonly parts: SessionsParts;
  private readonly sessions = new Map<string, LegacySession>();
  private opening = 0;
  private isClosed = false;

  constructor(parts: SessionsParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.sessions.size + this.opening;
  }

  async answer(asked: McpRequest): Promise<Answer> {
    const id = asked.request.headers.get('mcp-session-id');
    if (id === null) return this.begin(asked);
    const session = this.sessions.get(id);
    if (session?.key === asked.key) return session.answer(asked);
    const message =
      'The session does not exist on this path; it may have ended. Send initialize without Mcp-Session-Id.';
    return { response: refuse({ status: 404, code: -32_001, message, id: idOf(asked.body) }) };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.sessions.values()].map((session) => session.end()));
  }

  private async begin(asked: McpRequest): Promise<Answer> {
    const { body, toolsets, folder, key, grant } = asked;
    const { limits, version, onError, open, isScoped, rootRules } = this.parts;
    const refusal = this.refusalOf(body, grant?.owner);
    if (refusal !== undefined) return { response: refusal };
    let session: LegacySession;
    this.opening += 1;
    try {
      const request = { kind: 'session', toolsets, folder, owner: grant?.owner } as const;
      const connection = await openInTime(() => open(request), limits.openMs);
      const onEnd = (ended: LegacySession): void => void this.sessions.delete(ended.id);
      const isolated =
        rootRules === undefined || folder !== undefined
          ? undefined
          : new IsolatedConnection(connection, (root) => open({ ...request, folder: root }), rootRules);
      session = new LegacySession({
        connection: isolated ?? connection,
        isolated,
        version,
        key,
        limits,
        onError,
        onEnd,
        isScoped,
        owner: grant?.owner,
      });
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return { response: refuseUnopened(error, body) };
    } finally {
      this.opening -= 1;
    }
    this.sessions.set(session.id, session);
    try {
      await session.start();
      const answer = await session.answer(asked);
      if (this.isClosed || !answer.response.ok) void session.end();
      return { ...answer, ended: (isDelivered) => this.begun(session, answer, isDelivered) };
    } catch (error) {
      void session.end();
      throw error;
    }
  }

  /** A client that never received its session id cannot use the session. */
  private begun(session: LegacySession, answer: Answer, isDelivered: boolean): void {
    answer.ended?.(isDelivered);
    if (!isDelivered) void session.end();
  }

  /** Ends the session that has been idle longest: many clients leave without ending theirs, which must not block others. */
  private evict(candidates: readonly LegacySession[]): boolean {
    let longest: LegacySession | undefined;
    for (const session of candidates) {
      const since = session.idleSince;
      if (since !== undefined && since < (longest?.idleSince ?? Number.POSITIVE_INFINITY)) longest = session;
    }
    if (longest === undefined) return false;
    this.sessions.delete(longest.id);
    void longest.end();
    return true;
  }

  private refusalOf(body: unknown, owner: string | undefined): Response | undefined {
    const why = Array.isArray(body) ? whyNoBatch(body, undefined) : undefined;
    if (why !== undefined) return refuse({ status: 400, code: INVALID_REQUEST, message: why });
    if (!isInitializeRequest(body)) return notInitialized(body);
    const { sessions: most, ownersPart } = this.parts.limits;
    const all = [...this.sessions.values()];
    const own = owner === undefined ? [] : all.filter((session) => session.owner === owner);
    const part = Math.max(1, Math.floor(most * ownersPart));
    const isOwnFull = own.length >= part;
    const hasRoom = this.size < most ? !isOwnFull || this.evict(own) : this.evict(isOwnFull ? own : all);
    if (!this.isClosed && hasRoom) return undefined;
    return refuse({
      status: 503,
      message: `The limit of ${isOwnFull ? part : most} sessions is reached. End one with DELETE, or try again later.`,
      id: idOf(body),
      headers: { 'Retry-After': '60' },
    });
  }
}

function notInitialized(message: unknown): Response {
  const id = idOf(message);
  if (isRecord(message) && message['method'] === 'initialize') {
    const invalid =
      'The parameters of initialize are invalid. Pass protocolVersion, capabilities and clientInfo.';
    return refuse({ status: 400, code: INVALID_PARAMS, message: invalid, id });
  }
  const missing = 'Mcp-Session-Id is missing. Send initialize first, then its session id with each request.';
  return refuse({ status: 400, message: missing, id });
}
