import type { Parsed } from '../../../operations/holder/line-frames.ts';
import type { HeldTerminal } from './held-terminal.ts';
import type { HeldTerminals } from './held-terminals.ts';
import { newsFrame } from '../terminal-answers.ts';
import type { RunAnswer, TerminalNews } from '../terminal-answers.ts';
import { parseAsk } from '../terminal-asks.ts';
import type { TerminalAsk } from '../terminal-asks.ts';
import type { Onlooker } from './terminal-display.ts';
import type { TerminalFactsView, TerminalReading } from '../../../ports/terminals.ts';

/** Nobody reads a screen more often than that. */
const NEWS_PAUSE_MS = 15;

/** The way to a client. */
export interface ClientLine {
  /** It has not taken what was sent; more would pile up. */
  readonly isBehind: boolean;
  send(news: Parsed): void;
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

  /** @throws FrameError, DeskterityError as the port says */
  async answer(frame: Parsed, signal: AbortSignal): Promise<Parsed> {
    return this.carryOut(parseAsk(frame), signal);
  }

  tell(news: TerminalNews): void {
    if (!this.line.isBehind) this.line.send(newsFrame(news));
  }

  /** The client is gone. */
  close(): void {
    for (const stop of [...this.watches.values(), ...this.attached]) stop();
    this.watches.clear();
    this.attached.clear();
  }

  private async carryOut(ask: TerminalAsk, signal: AbortSignal): Promise<Parsed> {
    if (ask.do === 'open') return factsFrame(await (await this.terminals.open(ask.start)).facts());
    if (ask.do === 'list') return { terminals: (await this.terminals.list()).map(factsFrame) };
    const terminal = this.terminals.find(ask.terminal);
    switch (ask.do) {
      case 'facts':
        return factsFrame(await terminal.facts());
      case 'run':
        return runFrame(await terminal.run(ask.request, signal));
      case 'lines':
        return terminal.lines(ask.most).then((lines) => ({ ...lines }));
      case 'read':
        return readingFrame(await terminal.read(ask.scrollbackLines));
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

  private watch(terminal: HeldTerminal): void {
    const { id } = terminal;
    if (this.watches.has(id)) return;
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      if (this.watches.get(id) !== stop) return;
      if (this.line.isBehind) return this.line.drained(tell);
      timer = undefined;
      this.line.send(newsFrame({ news: 'shown', terminal: id }));
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
      this.line.send(newsFrame({ news: 'exited', terminal: id }));
    };
    void terminal.ended.finally(end);
  }

  private async attach(terminal: HeldTerminal, size: Parameters<HeldTerminal['attach']>[1]): Promise<void> {
    const { line } = this;
    const onlooker: Onlooker = {
      get isBehind() {
        return line.isBehind;
      },
      show: (bytes) => line.send(newsFrame({ news: 'bytes', terminal: terminal.id, bytes })),
      caughtUp: (then) => line.drained(then),
    };
    const stop = () => terminal.detach(onlooker);
    this.attached.add(stop);
    const end = () => {
      if (this.attached.delete(stop)) line.send(newsFrame({ news: 'exited', terminal: terminal.id }));
    };
    void terminal.ended.finally(end);
    await terminal.attach(onlooker, size);
    // The client has gone meanwhile.
    if (!this.attached.has(stop)) stop();
  }
}

async function done(step: Promise<void>): Promise<Parsed> {
  await step;
  return {};
}

function factsFrame(facts: TerminalFactsView): Parsed {
  return { ...facts };
}

function runFrame(answer: RunAnswer): Parsed {
  return { ...answer };
}

function readingFrame(reading: TerminalReading): Parsed {
  return { ...reading };
}
