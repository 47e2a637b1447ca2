import type { Answer, AnswerOptions, App, WatchTopic } from '../../../app/app.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { Unwatch } from '../connections/connection.ts';
import { atMost } from '../connections/in-time.ts';

export interface DeskCallOptions extends Partial<
  Pick<AnswerOptions, 'form' | 'signal' | 'onProgress' | 'onLog'>
> {
  /** Another session than the connection's own. */
  readonly session?: string | undefined;
}

/** Commands run for one client: in its session, on its desktop. */
export interface DeskCalls {
  /** The connection's own session. */
  readonly session: string;
  /** @throws DeskterityError */
  answer(
    command: string,
    input: Readonly<Record<string, unknown>>,
    options?: DeskCallOptions,
  ): Promise<Answer>;
  /**
   * The same in a session that only looks: its readings and references are not the client's, and push none of those out.
   * @throws DeskterityError
   */
  look(command: string, input: Readonly<Record<string, unknown>>, options?: DeskCallOptions): Promise<Answer>;
  /** Calls `listener` when something may have changed in an application (by name), in any, or in the list of windows. @throws DeskterityError */
  watch(topic: WatchTopic, listener: () => void, signal?: AbortSignal): Promise<Unwatch>;
}

export interface DeskCallsParts {
  readonly app: Pick<App, 'answer' | 'watch' | 'openTemporarySession'>;
  readonly caller: Caller;
  /** A session of the user's; one of the connection's own where absent. */
  readonly session: string | undefined;
}

/** For calls to end when their client has gone. */
const LAST_CALLS_MS = 2000;

/** Ends the sessions that belong to it; never rejects. */
export function openDeskCalls(parts: DeskCallsParts): DeskCalls & { close(): Promise<void> } {
  const { app, caller } = parts;
  const own = parts.session === undefined ? app.openTemporarySession('mcp', caller) : undefined;
  const session = parts.session ?? own?.name ?? '';
  let looking: ReturnType<App['openTemporarySession']> | undefined;
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const run = <T>(start: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(clientGone());
    const running = start();
    underWay.add(running);
    const ended = (): void => void underWay.delete(running);
    running.then(ended, ended);
    return running;
  };
  const answer: DeskCalls['answer'] = (command, input, options = {}) =>
    run(() => app.answer(options.session ?? session, command, input, { form: 'json', ...options, caller }));
  return {
    session,
    answer,
    look: async (command, input, options) => {
      if (isClosed) throw clientGone();
      looking ??= app.openTemporarySession('mcp-look', caller, { beside: session });
      return answer(command, input, { ...options, session: looking.name });
    },
    watch: (topic, listener, signal) => run(() => app.watch(session, topic, listener, { caller, signal })),
    close: async () => {
      // What came to one of these sessions after its end would begin one that is kept for ever.
      isClosed = true;
      await atMost(LAST_CALLS_MS, Promise.allSettled(underWay));
      await Promise.all([own?.end(), looking?.end()]);
    },
  };
}

function clientGone(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The client has gone.', {
    suggestion: 'Connect again and repeat the call when you want it.',
  });
}
