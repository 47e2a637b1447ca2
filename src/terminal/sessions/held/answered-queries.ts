import { isRunning } from '../../shells/reach-prompt.ts';
import type { ShellDriver } from '../../shells/shell-driver.ts';
import type { TerminalDisplay } from './terminal-display.ts';

/** Replies to terminal queries of programs, one at a time, so that replies do not pile up for a program that does not read. */
export class QueryReplies {
  private readonly display: Pick<TerminalDisplay, 'takeAnswers'>;
  private readonly driver: Pick<ShellDriver, 'state' | 'noteReply'>;
  private readonly type: (bytes: Uint8Array) => Promise<void>;
  private isTyping = false;
  /** A command had the terminal since the last screen update. */
  private hasRun = false;

  /** @param type resolves even if typing fails */
  constructor(
    display: Pick<TerminalDisplay, 'takeAnswers'>,
    driver: Pick<ShellDriver, 'state' | 'noteReply'>,
    type: (bytes: Uint8Array) => Promise<void>,
  ) {
    this.display = display;
    this.driver = driver;
    this.type = type;
  }

  /** Must run before and after output is processed. */
  noteOutput(): void {
    if (isRunning(this.driver.state)) this.hasRun = true;
  }

  /** The output is on the screen. */
  shown(): void {
    this.answer();
    this.hasRun = false;
  }

  private answer(): void {
    if (this.isTyping) return;
    const bytes = this.display.takeAnswers();
    if (bytes.length === 0) return;
    if (this.hasRun) this.driver.noteReply();
    this.isTyping = true;
    void this.type(bytes).finally(() => {
      this.isTyping = false;
      this.answer();
    });
  }
}
