import { isRunning } from '../../shells/reach-prompt.ts';
import type { ShellTalk } from '../../shells/shell-talk.ts';
import type { TerminalDisplay } from './terminal-display.ts';

/** What programs ask their terminal is answered: one answer at a time, so that nothing piles up before a program that does not read. */
export class AnsweredQueries {
  private readonly display: Pick<TerminalDisplay, 'takeAnswers'>;
  private readonly talk: Pick<ShellTalk, 'state' | 'noteAnswer'>;
  private readonly type: (bytes: Uint8Array) => Promise<void>;
  private isTyping = false;
  /** A command had the terminal since the screen was last another one. */
  private hasRun = false;

  /** @param type resolves also when it could not be typed */
  constructor(
    display: Pick<TerminalDisplay, 'takeAnswers'>,
    talk: Pick<ShellTalk, 'state' | 'noteAnswer'>,
    type: (bytes: Uint8Array) => Promise<void>,
  ) {
    this.display = display;
    this.talk = talk;
    this.type = type;
  }

  /** Something has come from the terminal, or is about to. */
  heard(): void {
    if (isRunning(this.talk.state)) this.hasRun = true;
  }

  /** What has come is on the screen. */
  shown(): void {
    this.answer();
    this.hasRun = false;
  }

  private answer(): void {
    if (this.isTyping) return;
    const bytes = this.display.takeAnswers();
    if (bytes.length === 0) return;
    if (this.hasRun) this.talk.noteAnswer();
    this.isTyping = true;
    void this.type(bytes).finally(() => {
      this.isTyping = false;
      this.answer();
    });
  }
}
