import type { RequestVoice } from './connection.ts';
import type { ServerContext } from '../sdk.ts';

/** The voice of one request. What cannot be delivered is dropped: the answer does not depend on it. */
export function requestVoice(context: ServerContext): RequestVoice {
  const { mcpReq } = context;
  const token = mcpReq._meta?.progressToken;
  let last = Number.NEGATIVE_INFINITY;
  return {
    signal: mcpReq.signal,
    progress: ({ message, done, total }) => {
      if (token === undefined || mcpReq.signal.aborted || done <= last) return;
      last = done;
      const params = {
        progressToken: token,
        progress: done,
        message,
        ...(total === undefined ? {} : { total }),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    log: (level, logger, data) => {
      if (mcpReq.signal.aborted) return;
      mcpReq.log(level, data, logger).catch(() => undefined);
    },
    context,
  };
}
