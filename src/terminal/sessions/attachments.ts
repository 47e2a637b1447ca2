import type { Caller, Environment } from '../../model/sessions/caller.ts';
import { attachCommand, displayName } from '../../model/terminals/session-name.ts';
import type { AttachmentRequest, TerminalAttachment } from '../../ports/terminals/attachments.ts';
import type { AttachedTerminal, TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { withoutTitles } from '../screen/without-sequences.ts';
import { findTerminal } from '../use-cases/find-terminal.ts';
import { sessionTitle } from '../windows/terminal-title.ts';

/** An active attachment to a terminal. */
export interface Attachment {
  readonly terminalId: string;
  /** The process that displays it. */
  readonly pid: number;
  /** Of that process; identifies its window. */
  readonly environment: Environment;
  /** The name of the window that we opened for it, if any. */
  readonly window: string | undefined;
}

/** The attachments through this process. */
export class Attachments {
  private readonly terminalsOf: (environment: Environment) => Promise<TerminalsPort>;
  private readonly current = new Set<Attachment>();
  private readonly waiting = new Map<string, () => void>();

  constructor(terminalsOf: (environment: Environment) => Promise<TerminalsPort>) {
    this.terminalsOf = terminalsOf;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND, AMBIGUOUS_TARGET */
  async open(caller: Caller, request: AttachmentRequest): Promise<TerminalAttachment> {
    const terminals = await this.terminalsOf(caller.environment);
    const terminal = await findTerminal(terminals, caller, request);
    const { pid, window } = request;
    const attachment = { terminalId: terminal.id, pid, environment: caller.environment, window };
    let hasLeft = false;
    return {
      name: displayName(terminal.name),
      command: attachCommand(terminal.name),
      size: terminal.size,
      attach: async (options) => {
        const attached = await attachTo(terminals, terminal, { ...options, hasWindow: window !== undefined });
        // The client may have left in the meantime.
        if (!hasLeft) this.add(attachment);
        return attached;
      },
      leave: () => {
        hasLeft = true;
        this.current.delete(attachment);
      },
    };
  }

  /** Oldest first. */
  of(terminalId: string): readonly Attachment[] {
    return [...this.current].filter((one) => one.terminalId === terminalId);
  }

  /** Resolves when a client in a window that we opened has attached; `undefined` on timeout. */
  async arrival(window: string, limitMs: number, signal: AbortSignal): Promise<Attachment | undefined> {
    const find = () => [...this.current].find((one) => one.window === window);
    if (find() !== undefined || signal.aborted) return find();
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(stop, limitMs);
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(window, stop);
    });
    this.waiting.delete(window);
    return find();
  }

  private add(attachment: Attachment): void {
    this.current.add(attachment);
    if (attachment.window !== undefined) this.waiting.get(attachment.window)?.();
  }
}

async function attachTo(
  terminals: TerminalsPort,
  { id, name, ttyPath, pid }: TerminalFactsView,
  {
    hasWindow,
    onBytes,
    ...options
  }: Parameters<TerminalAttachment['attach']>[0] & { readonly hasWindow: boolean },
): Promise<AttachedTerminal> {
  if (!hasWindow) return terminals.attach(id, { ...options, onBytes });
  // The window is found again by this title.
  void onBytes(Buffer.from(`\u{1B}]2;${sessionTitle(name, { ttyPath, pid })}\u{7}`));
  return terminals.attach(id, {
    ...options,
    onBytes: (bytes) => {
      const shown = withoutTitles(bytes);
      return shown.length > 0 ? onBytes(shown) : undefined;
    },
  });
}
