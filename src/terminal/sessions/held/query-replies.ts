import { isRunning } from '../../shells/command-session.ts';
import type { ShellDriver } from '../../shells/shell-driver.ts';
import type { TerminalDisplay } from './terminal-display.ts';

export interface QueryReplies {
  /** Must run before and after output is processed. */
  noteOutput(): void;
  /** The output is on the screen. */
  shown(): void;
}

/**
 * Replies to terminal queries of programs, one at a time, so that replies do not pile up for a program that does not read.
 * @param type resolves even if typing fails
 */
export function queryReplies(
  display: Pick<TerminalDisplay, 'takeAnswers'>,
  driver: Pick<ShellDriver, 'state' | 'noteReply'>,
  type: (bytes: Uint8Array) => Promise<void>,
): QueryReplies {
  let isTyping = false;
  // A command had the terminal since the last screen update.
  let hasRun = false;
  const reply = () => {
    if (isTyping) return;
    const bytes = display.takeAnswers();
    if (bytes.length === 0) return;
    if (hasRun) driver.noteReply();
    isTyping = true;
    void type(bytes).finally(() => {
      isTyping = false;
      reply();
    });
  };
  return {
    noteOutput: () => {
      hasRun ||= isRunning(driver.state);
    },
    shown: () => {
      reply();
      hasRun = false;
    },
  };
}
