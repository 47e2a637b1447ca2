import { WATCH_LIMITS } from '../connections/watch-limits.ts';

/** How much clients together, and each of them, may ask of the server. */
export interface HttpLimits {
  /** Longest request body. */
  readonly bodyBytes: number;
  /** For a client to send the whole request. */
  readonly requestMs: number;
  /** Connections at once; more are closed unanswered. */
  readonly connections: number;
  /** Sessions of legacy clients at once. */
  readonly sessions: number;
  /** Paths with toolsets that are open at once to requests without sessions. */
  readonly principals: number;
  /** A session without requests and streams ends after this long. */
  readonly idleMs: number;
  /** A legacy client with no request or stream open for this long does not wait for its calls any more. */
  readonly abandonedMs: number;
  /** For what a client can do to be opened. */
  readonly openMs: number;
  /** For sessions to end when the server closes. */
  readonly closeMs: number;
  /** A client that takes nothing of what waits for it for this long is cut off. */
  readonly stalledMs: number;
  /** What may wait for a client to read it. */
  readonly unreadBytes: number;
  /** Messages kept for the client of one session to resume with. */
  readonly keptMessages: number;
  readonly keptBytes: number;
  /** Requests of one session that may be under way at once. */
  readonly requestsUnderWay: number;
  /** Streams of changes on one path. */
  readonly listenStreams: number;
  /** Resources that one stream of changes may name. */
  readonly listenResources: number;
}

const MIB = 1024 * 1024;

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 4 * MIB,
  requestMs: 30_000,
  connections: 512,
  sessions: 128,
  principals: 32,
  idleMs: 30 * 60_000,
  abandonedMs: 60_000,
  openMs: 30_000,
  closeMs: 5000,
  stalledMs: 60_000,
  unreadBytes: 32 * MIB,
  keptMessages: 1000,
  keptBytes: 8 * MIB,
  requestsUnderWay: 256,
  listenStreams: 128,
  listenResources: WATCH_LIMITS.client,
};
