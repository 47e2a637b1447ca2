import type { HeldTerminal } from './held-terminal.ts';
import { HeldTerminals, type HeldTerminalsParts } from './held-terminals.ts';
import type {
  TerminalAnswers,
  TerminalHolderRequest,
  TerminalHolderEvent,
} from '../../../wire/terminal-protocol.ts';
import type { OutputReceiver } from './terminal-display.ts';

/** Minimum interval between two events of a screen. */
const EVENT_PAUSE_MS = 15;

/** The connection to a client. */
export interface ClientChannel {
  /** The client has not read what was sent; more would pile up. */
  readonly isBehind: boolean;
  send(event: TerminalHolderEvent): void;
  /** Calls `then` once when the client has read everything. */
  drained(then: () => void): void;
}

/** The terminals of a holder and the service for each client. */
export interface TerminalService {
  readonly held: HeldTerminals;
  readonly serve: (channel: ClientChannel) => ServedTerminals;
}

export function createTerminalService(parts: HeldTerminalsParts): TerminalService {
  const held = new HeldTerminals(parts);
  return { held, serve: (channel) => new ServedTerminals(held, channel) };
}

/** Answers the terminal requests of one client and sends it events. */
export class ServedTerminals {
  private readonly terminals: HeldTerminals;
  private readonly channel: ClientChannel;
  /** Functions that end the client's watches, by terminal. */
  private readonly watches = new Map<string, () => void>();
  private readonly attached = new Set<() => void>();

  constructor(terminals: HeldTerminals, channel: ClientChannel) {
    this.terminals = terminals;
    this.channel = channel;
  }

  /** @throws DeskterityError as documented in `ports/terminals.ts` */
  async answer(
    request: TerminalHolderRequest,
    signal: AbortSignal,
  ): Promise<TerminalAnswers[TerminalHolderRequest['do']]> {
    if (request.do === 'open') return (await this.terminals.open(request.start)).facts();
    if (request.do === 'list') return { terminals: await this.terminals.list() };
    const terminal = this.terminals.find(request.terminal);
    switch (request.do) {
      case 'facts':
        return terminal.facts();
      case 'run':
        return terminal.run(request.request, signal);
      case 'lines':
        return terminal.lines(request.most);
      case 'read':
        return terminal.display.read(request.scrollbackLines);
      case 'write':
        return done(terminal.write(request.bytes, request.byPerson, signal));
      case 'resize':
        return done(terminal.resize(request.size));
      case 'clear':
        return done(terminal.display.clear());
      case 'kill':
        return { count: await terminal.kill(request.waits) };
      case 'close':
        return done(terminal.close(request.waits, 'caller'));
      case 'watch':
        this.watch(terminal);
        return {};
      case 'unwatch':
        this.watches.get(terminal.id)?.();
        return {};
      default:
        return done(this.attach(terminal, request.size));
    }
  }

  send(event: TerminalHolderEvent): void {
    if (!this.channel.isBehind) this.channel.send(event);
  }

  /** The client has disconnected. */
  close(): void {
    for (const stop of [...this.watches.values(), ...this.attached]) stop();
    this.watches.clear();
    this.attached.clear();
  }

  private watch(terminal: HeldTerminal): void {
    const { id } = terminal;
    if (this.watches.has(id)) return;
    let timer: NodeJS.Timeout | undefined;
    const notify = () => {
      if (this.watches.get(id) !== stop) return;
      if (this.channel.isBehind) return this.channel.drained(notify);
      timer = undefined;
      this.channel.send({ news: 'shown', terminal: id });
    };
    const unsubscribe = terminal.onShown(() => {
      timer ??= setTimeout(notify, EVENT_PAUSE_MS);
    });
    const stop = () => {
      clearTimeout(timer);
      unsubscribe();
      this.watches.delete(id);
    };
    this.watches.set(id, stop);
    const end = () => {
      if (this.watches.get(id) !== stop) return;
      stop();
      this.channel.send({ news: 'exited', terminal: id });
    };
    void terminal.ended.finally(end);
  }

  private async attach(terminal: HeldTerminal, size: Parameters<HeldTerminal['attach']>[1]): Promise<void> {
    const { channel } = this;
    const receiver: OutputReceiver = {
      get isBehind() {
        return channel.isBehind;
      },
      show: (bytes) => channel.send({ news: 'bytes', terminal: terminal.id, bytes }),
      whenCaughtUp: (then) => channel.drained(then),
    };
    const stop = () => terminal.display.detach(receiver);
    this.attached.add(stop);
    const end = () => {
      if (this.attached.delete(stop)) channel.send({ news: 'exited', terminal: terminal.id });
    };
    void terminal.ended.finally(end);
    await terminal.attach(receiver, size);
    // The client may have disconnected in the meantime.
    if (!this.attached.has(stop)) stop();
  }
}

async function done(step: Promise<void>): Promise<TerminalAnswers['write']> {
  await step;
  return {};
}
