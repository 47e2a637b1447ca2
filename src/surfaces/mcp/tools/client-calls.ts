import type { Answer, AnswerOptions, App, WatchTopic } from '../../../app/app.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { reachedByTask } from '../tasks/reached-by-task.ts';
import { requestClient } from '../serving/request-client.ts';
import type { Unwatch } from '../connections/connection.ts';
import { atMost } from '../connections/in-time.ts';

export interface ClientCallOptions extends Partial<
  Pick<
    AnswerOptions,
    | 'form'
    | 'isData'
    | 'signal'
    | 'change'
    | 'onProgress'
    | 'onLog'
    | 'onOperation'
    | 'offered'
    | 'canConfirm'
    | 'consent'
    | 'isHidden'
  >
> {
  /** Default: the connection's own session. */
  readonly session?: string | undefined;
}

/** Runs commands for one client, in its session and on its desktop. */
export interface ClientCalls {
  /** The connection's own session. */
  readonly session: string;
  /** @throws DeskterityError */
  answer(
    command: string,
    input: Readonly<Record<string, unknown>>,
    options?: ClientCallOptions,
  ): Promise<Answer>;
  /**
   * The same in a separate session for observation, so that its snapshots and references do not displace the client's.
   * @throws DeskterityError
   */
  look(
    command: string,
    input: Readonly<Record<string, unknown>>,
    options?: ClientCallOptions,
  ): Promise<Answer>;
  /** Calls `listener` when something may have changed in one or any application, or in the list of windows. @throws DeskterityError */
  watch(topic: WatchTopic, listener: () => void, signal?: AbortSignal): Promise<Unwatch>;
}

export interface ClientCallsParts {
  readonly app: Pick<App, 'answer' | 'watch' | 'openTemporarySession'>;
  readonly caller: Caller;
  /** The caller as it is now, if the client's roots change it. */
  readonly latest?: (() => Caller) | undefined;
  /** One of the user's sessions. Default: the connection has its own. */
  readonly session: string | undefined;
}

/** Time for calls to end after the client has disconnected. */
const LAST_CALLS_MS = 2000;

/** `close` ends the sessions that belong to it; never rejects. */
export function openClientCalls(parts: ClientCallsParts): ClientCalls & { close(): Promise<void> } {
  const { app, caller, latest = () => caller } = parts;
  const own = parts.session === undefined ? app.openTemporarySession('mcp', caller) : undefined;
  const session = parts.session ?? own?.name ?? '';
  let looking: ReturnType<App['openTemporarySession']> | undefined;
  const pending = new Set<Promise<unknown>>();
  let isClosed = false;
  const run = <T>(start: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(disconnected());
    const running = start();
    pending.add(running);
    const ended = (): void => void pending.delete(running);
    running.then(ended, ended);
    return running;
  };
  const answer: ClientCalls['answer'] = (command, input, options = {}) =>
    run(() => {
      const client = requestClient();
      return app.answer(options.session ?? session, command, input, {
        form: 'json',
        onAudit: client?.onAudit,
        onReached: reachedByTask(),
        ...options,
        caller: { ...latest(), client: client?.name ?? 'mcp' },
        // Names of clients are checked where they are given: when the server starts, and by `NamedSessions`.
        mayCreateSession: true,
      });
    });
  return {
    session,
    answer,
    look: async (command, input, options) => {
      if (isClosed) throw disconnected();
      looking ??= app.openTemporarySession('mcp-look', caller, { beside: session });
      return answer(command, input, { ...options, session: looking.name });
    },
    watch: (topic, listener, signal) =>
      run(() => app.watch(session, topic, listener, { caller, signal, mayCreateSession: true })),
    close: async () => {
      // A call to one of these sessions after its end would create a permanent one.
      isClosed = true;
      await atMost(LAST_CALLS_MS, Promise.allSettled(pending));
      await Promise.all([own?.end(), looking?.end()]);
    },
  };
}

function disconnected(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The client has disconnected.', {
    suggestion: 'Connect again and repeat the call if you still need it.',
  });
}
