import type { Answer, AnswerOptions, Host } from '../host/host.ts';
import type { Caller } from '../host/caller.ts';
import type { WatchTopic } from '../host/watch.ts';
import type { Unwatch } from './connection.ts';

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
  readonly host: Pick<Host, 'answer' | 'watch' | 'openPassingSession'>;
  readonly caller: Caller;
  /** A session of the user's; one of the connection's own where absent. */
  readonly session: string | undefined;
}

/** Ends the sessions that belong to it; never rejects. */
export function openDeskCalls(parts: DeskCallsParts): DeskCalls & { close(): Promise<void> } {
  const { host, caller } = parts;
  const own = parts.session === undefined ? host.openPassingSession('mcp', caller) : undefined;
  const session = parts.session ?? own?.name ?? '';
  let looking: ReturnType<Host['openPassingSession']> | undefined;
  const answer: DeskCalls['answer'] = (command, input, options = {}) =>
    host.answer(options.session ?? session, command, input, { form: 'json', ...options, caller });
  return {
    session,
    answer,
    look: (command, input, options) => {
      looking ??= host.openPassingSession('mcp-look', caller, { beside: session });
      return answer(command, input, { ...options, session: looking.name });
    },
    watch: (topic, listener, signal) => host.watch(session, topic, listener, { caller, signal }),
    close: async () => {
      await Promise.all([own?.end(), looking?.end()]);
    },
  };
}
