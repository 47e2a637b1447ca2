import { WATCH_LIMITS } from '../connections/watch-limits.ts';

const MIB = 1024 * 1024;

/** Limits for each client and for all clients together. */
export const HTTP_LIMITS = {
  /** Longest request body. */
  bodyBytes: 4 * MIB,
  /** Time to send a whole request. */
  requestMs: 30_000,
  /** Concurrent connections; more are closed unanswered. */
  connections: 512,
  /** Concurrent sessions of legacy clients. */
  sessions: 128,
  /** Part of the sessions, and of the paths with toolsets, that one owner of access tokens may use. */
  ownersPart: 1 / 4,
  /** Concurrently used paths with toolsets for requests without sessions. */
  principals: 32,
  /** A session without requests and streams ends after this time. */
  idleMs: 30 * 60_000,
  /** A legacy client without open requests or streams for this time has abandoned its calls. */
  abandonedMs: 60_000,
  /** Time to open a connection. */
  openMs: 30_000,
  /** Time for sessions to end when the server closes. */
  closeMs: 5000,
  /** A client is disconnected if output is pending for it and it reads none of it for this time. */
  stalledMs: 60_000,
  /** Limit of unread output. */
  unreadBytes: 32 * MIB,
  /** Messages kept for resuming streams of one session. */
  keptMessages: 1000,
  keptBytes: 8 * MIB,
  /** Concurrent requests of one session. */
  pendingRequests: 256,
  /** Concurrent subscriptions on one path. */
  listenStreams: 128,
  /** Resources in one subscription. */
  listenResources: WATCH_LIMITS.client,
};
export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
