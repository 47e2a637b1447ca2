import type { HeldTerminal } from './held-terminal.ts';
import type { HeldTerminals } from './held-terminals.ts';
import type { TerminalAnswers, TerminalAsk, TerminalNews } from '../../../wire/terminal-protocol.ts';
import type { Onlooker } from './terminal-display.ts';

/** Nobody reads a screen more often than that. */
const NEWS_PAUSE_MS = 15;

/** The way to a client. */
export interface ClientLine {
  /** It has not taken what was sent; more would pile up. */
  readonly isBehind: boolean;
  send(news: TerminalNews): void;
  /** Calls once, when it has taken everything. */
  drained(then: () => void): void;
}

/** What one client asks about terminals, and what it is told. */
export class ServedTerminals {
  private readonly terminals: HeldTerminals;
  private readonly line: ClientLine;
  /** What ends with the client. */
  private readonly watches = new Map<string, () => void>();
  private readonly attached = new Set<() => void>();

  constructor(terminals: HeldTerminals, line: ClientLine) {
    this.terminals = terminals;
    this.line = line;
  }

  /** @throws DeskterityError as the port says */
  async answer(ask: TerminalAsk, signal: AbortSignal): Promise<TerminalAnswers[TerminalAsk['do']]> {
    if (ask.do === 'open') return (await this.terminals.open(ask.start)).facts();
    if (ask.do === 'list') return { terminals: await this.terminals.list() };
    const terminal = this.terminals.find(ask.terminal);
    switch (ask.do) {
      case 'facts':
        return terminal.facts();
      case 'run':
        return terminal.run(ask.request, signal);
      case 'lines':
        return terminal.lines(ask.most);
      case 'read':
        return terminal.read(ask.scrollbackLines);
      case 'write':
        return done(terminal.write(ask.bytes, ask.byPerson, signal));
      case 'resize':
        return done(terminal.resize(ask.size));
      case 'clear':
        return done(terminal.clear());
      case 'kill':
        return { count: await terminal.kill(ask.waits) };
      case 'close':
        return done(terminal.close(ask.waits));
      case 'watch':
        this.watch(terminal);
        return {};
      case 'unwatch':
        this.watches.get(terminal.id)?.();
        return {};
      default:
        return done(this.attach(terminal, ask.size));
    }
  }

  tell(news: TerminalNews): void {
    if (!this.line.isBehind) this.line.send(news);
  }

  /** The client is gone. */
  close(): void {
    for (const stop of [...this.watches.values(), ...this.attached]) stop();
    this.watches.clear();
    this.attached.clear();
  }

  private watch(terminal: HeldTerminal): void {
    const { id } = terminal;
    if (this.watches.has(id)) return;
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      if (this.watches.get(id) !== stop) return;
      if (this.line.isBehind) return this.line.drained(tell);
      timer = undefined;
      this.line.send({ news: 'shown', terminal: id });
    };
    const stopHearing = terminal.onShown(() => {
      timer ??= setTimeout(tell, NEWS_PAUSE_MS);
    });
    const stop = () => {
      clearTimeout(timer);
      stopHearing();
      this.watches.delete(id);
    };
    this.watches.set(id, stop);
    const end = () => {
      if (this.watches.get(id) !== stop) return;
      stop();
      this.line.send({ news: 'exited', terminal: id });
    };
    void terminal.ended.finally(end);
  }

  private async attach(terminal: HeldTerminal, size: Parameters<HeldTerminal['attach']>[1]): Promise<void> {
    const { line } = this;
    const onlooker: Onlooker = {
      get isBehind() {
        return line.isBehind;
      },
      show: (bytes) => line.send({ news: 'bytes', terminal: terminal.id, bytes }),
      caughtUp: (then) => line.drained(then),
    };
    const stop = () => terminal.detach(onlooker);
    this.attached.add(stop);
    const end = () => {
      if (this.attached.delete(stop)) line.send({ news: 'exited', terminal: terminal.id });
    };
    void terminal.ended.finally(end);
    await terminal.attach(onlooker, size);
    // The client has gone meanwhile.
    if (!this.attached.has(stop)) stop();
  }
}

async function done(step: Promise<void>): Promise<TerminalAnswers['write']> {
  await step;
  return {};
}
