import type { SeatWish, TerminalSeat } from '../../ports/terminal-seats.ts';
import type { AttachedTerminal, TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { attachCommand } from '../../terminal/use-cases/terminal-failures.ts';
import { displayName } from '../../terminal/use-cases/terminal-identity.ts';
import { sessionTitle } from '../../terminal/windows/terminal-title.ts';
import { withoutTitles } from '../../terminal/screen/without-titles.ts';
import type { Caller, Environment } from '../../model/sessions/caller.ts';
import { findTerminal } from './find-terminal.ts';

/** Somebody who sits before a terminal now. */
export interface TakenSeat {
  readonly terminalId: string;
  /** The process that shows it. */
  readonly pid: number;
  /** Of that process: it says in which window it is. */
  readonly environment: Environment;
  /** The name under which we have opened a window for it. */
  readonly window: string | undefined;
}

/** Who sits before which terminal, as far as they have come through this process. */
export class TerminalSeats {
  private readonly terminalsOf: (environment: Environment) => Promise<TerminalsPort>;
  private readonly taken = new Set<TakenSeat>();
  private readonly waiting = new Map<string, () => void>();

  constructor(terminalsOf: (environment: Environment) => Promise<TerminalsPort>) {
    this.terminalsOf = terminalsOf;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND, AMBIGUOUS_TARGET */
  async open(caller: Caller, wish: SeatWish): Promise<TerminalSeat> {
    const terminals = await this.terminalsOf(caller.environment);
    const terminal = await findTerminal(terminals, caller, wish);
    const { pid, window } = wish;
    const seat = { terminalId: terminal.id, pid, environment: caller.environment, window };
    let hasLeft = false;
    return {
      name: displayName(terminal.name),
      command: attachCommand(terminal.name),
      attach: async (options) => {
        const attached = await attachTo(terminals, terminal, { ...options, hasWindow: window !== undefined });
        // Gone while it was asked for.
        if (!hasLeft) this.take(seat);
        return attached;
      },
      leave: () => {
        hasLeft = true;
        this.taken.delete(seat);
      },
    };
  }

  /** The latest one last. */
  before(terminalId: string): readonly TakenSeat[] {
    return [...this.taken].filter((seat) => seat.terminalId === terminalId);
  }

  /** Resolves with the one who has come by a window that we have opened; `undefined` when the time is up. */
  async arrival(window: string, limitMs: number, signal: AbortSignal): Promise<TakenSeat | undefined> {
    const find = () => [...this.taken].find((seat) => seat.window === window);
    if (find() !== undefined || signal.aborted) return find();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.waiting.set(window, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.waiting.delete(window);
    return find();
  }

  private take(seat: TakenSeat): void {
    this.taken.add(seat);
    if (seat.window !== undefined) this.waiting.get(seat.window)?.();
  }
}

async function attachTo(
  terminals: TerminalsPort,
  { id, name, ttyPath, pid }: TerminalFactsView,
  { hasWindow, onBytes, ...options }: Parameters<TerminalSeat['attach']>[0] & { readonly hasWindow: boolean },
): Promise<AttachedTerminal> {
  if (!hasWindow) return terminals.attach(id, { ...options, onBytes });
  // By it the window is found again.
  void onBytes(Buffer.from(`\u{1B}]2;${sessionTitle(name, { ttyPath, pid })}\u{7}`));
  return terminals.attach(id, {
    ...options,
    onBytes: (bytes) => {
      const shown = withoutTitles(bytes);
      return shown.length > 0 ? onBytes(shown) : undefined;
    },
  });
}
