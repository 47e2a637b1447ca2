import { WATCH_LIMITS } from '../connections/watch-limits.ts';

/** Limits for each client and for all clients together. */
export interface HttpLimits {
  /** Longest request body. */
  readonly bodyBytes: number;
  /** Time to send a whole request. */
  readonly requestMs: number;
  /** Concurrent connections; more are closed unanswered. */
  readonly connections: number;
  /** Concurrent sessions of legacy clients. */
  readonly sessions: number;
  /** Concurrently used paths with toolsets for requests without sessions. */
  readonly principals: number;
  /** A session without requests and streams ends after this time. */
  readonly idleMs: number;
  /** A legacy client without open requests or streams for this time has abandoned its calls. */
  readonly abandonedMs: number;
  /** Time to open a connection. */
  readonly openMs: number;
  /** Time for sessions to end when the server closes. */
  readonly closeMs: number;
  /** A client that reads nothing of its pending output for this time is disconnected. */
  readonly stalledMs: number;
  /** Limit of unread output. */
  readonly unreadBytes: number;
  /** Messages kept for resuming streams of one session. */
  readonly keptMessages: number;
  readonly keptBytes: number;
  /** Concurrent requests of one session. */
  readonly pendingRequests: number;
  /** Concurrent subscriptions on one path. */
  readonly listenStreams: number;
  /** Resources in one subscription. */
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
  pendingRequests: 256,
  listenStreams: 128,
  listenResources: WATCH_LIMITS.client,
};
