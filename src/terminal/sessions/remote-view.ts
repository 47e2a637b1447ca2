import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { TerminalFactsView, TerminalView } from '../../ports/terminals.ts';
import type { ScreenEvents } from '../desktop/screen-events.ts';
import type { TerminalAnswers } from '../../wire/terminal-protocol.ts';
import type { SingleTerminalRequest, TerminalHolders } from './terminal-holders.ts';
import { displayName } from '../../model/terminals/session-name.ts';

/** The screen of a terminal in a holder. */
export function remoteView(
  holders: TerminalHolders,
  events: ScreenEvents,
  { id, name, pid }: TerminalFactsView,
): TerminalView {
  let isOver = false;
  const ask = async <Ask extends SingleTerminalRequest>(
    request: Ask,
    { deadlineMs, signal }: CallOptions,
  ): Promise<TerminalAnswers[Ask['do']]> => {
    try {
      return await holders.ask(id, request, deadlineMs, signal);
    } catch (error) {
      isOver ||= error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND';
      throw error;
    }
  };
  return {
    id,
    name: displayName(name),
    pid,
    read: ({ scrollbackLines, ...options }) => ask({ do: 'read', terminal: id, scrollbackLines }, options),
    write: async (bytes, options) => {
      await ask({ do: 'write', terminal: id, bytes, byPerson: false }, options);
    },
    resize: async (size, options) => {
      await ask({ do: 'resize', terminal: id, size }, options);
    },
    watch: (listener) =>
      events.listen(id, {
        onShown: listener,
        onExit: () => {
          isOver = true;
          listener();
        },
      }),
    isAlive: () => !isOver,
  };
}
