import type { ProcessKey, ProgramFactsPort, RelatedProcess } from '../../ports/policy/program-facts.ts';

/** Callers that are remembered; those that came last stay. */
const MOST_CALLERS = 1000;
const FORGOTTEN_AT_ONCE = 200;

type Line = readonly ProcessKey[];

/**
 * The programs in which callers of Deskterity run, such as terminals and chat windows. They are remembered after the call: a caller that detaches itself
 * from its terminal, or another one, must not operate it either.
 */
export class CallerHosts {
  private readonly programs: Pick<ProgramFactsPort, 'lineageOf' | 'keyOf'>;
  /** From each process to the one that it comes from, by the identity of the caller. */
  private readonly callers = new Map<string, readonly Line[]>();
  private readonly members = new Map<number, Line[]>();

  constructor(programs: Pick<ProgramFactsPort, 'lineageOf' | 'keyOf'>) {
    this.programs = programs;
  }

  async note(pid: number): Promise<void> {
    const key = await this.programs.keyOf(pid);
    if (key === undefined) return;
    const name = `${pid} ${key}`;
    if (this.callers.has(name)) return;
    const lines = await this.programs.lineageOf(pid);
    this.callers.set(name, lines);
    if (this.callers.size > MOST_CALLERS) this.forgetOldest();
    else this.index(lines);
  }

  /**
   * Whether callers run in this process. What shows their terminal is the nearest program with a window outside of it; what that was started from, such as
   * a panel, is none of theirs. A program between a caller and its terminal may be the caller's own doing, and is no end.
   * @param hasWindow whether a process has one
   */
  async isHost(pid: number, hasWindow: (pid: number) => boolean): Promise<boolean> {
    const lines = this.members.get(pid);
    if (lines === undefined) return false;
    const key = await this.programs.keyOf(pid);
    return lines.some((line) => {
      const at = line.findIndex((one) => one.pid === pid && one.key === key);
      const outermost = line.findLastIndex(({ isInTerminal }) => isInTerminal);
      if (at === -1) return false;
      return outermost === -1 || !line.slice(outermost + 1, at).some((nearer) => hasWindow(nearer.pid));
    });
  }

  /** Processes that would be hosts if they have a window, and, unless it is sure, no nearer one has. */
  async possible(): Promise<readonly RelatedProcess[]> {
    const found = new Map<number, boolean>();
    for (const line of [...this.callers.values()].flat()) {
      const outermost = line.findLastIndex(({ isInTerminal }) => isInTerminal);
      for (const { pid, key } of line.slice(outermost + 1))
        if (pid > 1 && found.get(pid) !== true && (await this.programs.keyOf(pid)) === key)
          found.set(pid, outermost === -1);
    }
    return [...found].map(([pid, isSurely]) => ({ pid, isSurely }));
  }

  private index(lines: readonly Line[]): void {
    for (const line of lines)
      for (const { pid } of line) this.members.set(pid, [...(this.members.get(pid) ?? []), line]);
  }

  private forgetOldest(): void {
    for (const oldest of [...this.callers.keys()].slice(0, FORGOTTEN_AT_ONCE)) this.callers.delete(oldest);
    this.members.clear();
    for (const lines of this.callers.values()) this.index(lines);
  }
}
