import type { TerminalSize } from '../../../src/model/terminals/terminal-screen.ts';
import { createHash } from 'node:crypto';
import { openSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { createProcesses } from '../../../src/platform/linux/sandbox/processes/create-processes.ts';
import { loadKernel } from '../../../src/platform/linux/sandbox/libc-library.ts';
import type { EndWaits, ProcessExit } from '../../../src/ports/process.ts';
import type { PseudoTerminal, TerminalStartRequest } from '../../../src/ports/terminals/pseudo-terminal.ts';

/** A process that keeps terminals, as the holder does, and does what a test asks it to. */

export type TerminalOrder =
  | {
      readonly do: 'open';
      readonly confinement: Confinement;
      readonly request: TerminalStartRequest;
      /** How it is read: at once, never until told, or with a pause after each chunk. */
      readonly reading: 'at once' | 'later' | { readonly pauseMs: number };
    }
  | { readonly do: 'type'; readonly id: string; readonly text: string; readonly giveUpMs?: number }
  | { readonly do: 'resize'; readonly id: string; readonly size: TerminalSize }
  | { readonly do: 'facts' | 'output' | 'hang up' | 'read' | 'denied'; readonly id: string }
  /** Answers when its output has ended and its leader as well. */
  | { readonly do: 'wait'; readonly id: string }
  | { readonly do: 'end' | 'end foreground'; readonly id: string; readonly waits: EndWaits }
  /** Bytes in use, and descriptors of terminals that are open. */
  | { readonly do: 'memory' | 'masters' };

export interface TerminalEnd extends ProcessExit {
  readonly length: number;
  readonly sha256: string;
  /** The last that was written. */
  readonly tail: string;
  /** How the reading ended, if by an error. */
  readonly problem: string | undefined;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

const MOST_KEPT_BYTES = 1 << 28;

class Open {
  readonly terminal: PseudoTerminal;
  private readonly hash = createHash('sha256');
  private kept: Buffer[] = [];
  private length = 0;
  private problem: string | undefined;
  private reading: Promise<void> | undefined;

  constructor(terminal: PseudoTerminal) {
    this.terminal = terminal;
  }

  get text(): string {
    this.kept = [Buffer.concat(this.kept)];
    return this.kept.map(String).join('');
  }

  read(pauseMs: number): void {
    this.reading ??= this.readAll(pauseMs).catch((error: unknown) => {
      this.problem = String(error);
    });
  }

  async end(): Promise<TerminalEnd> {
    await this.reading;
    const exit = await this.terminal.exited;
    const sha256 = this.hash.copy().digest('hex');
    return { ...exit, length: this.length, sha256, tail: this.text.slice(-2000), problem: this.problem };
  }

  private async readAll(pauseMs: number): Promise<void> {
    for await (const chunk of this.terminal.output) {
      this.hash.update(chunk);
      this.length += chunk.length;
      if (this.length < MOST_KEPT_BYTES) this.kept.push(Buffer.from(chunk));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }
}

const [workerFile = '', probeFolder] = process.argv.slice(2);
const processes = createProcesses({ workerFile, probeFolder });
/** A descriptor that this process would hand on to whatever it starts. */
const F_SETFD = 2;
(await loadKernel()).call('fcntl', openSync('/etc/hostname', 'r'), F_SETFD, 0);
const terminals = new Map<string, Open>();

async function obey(order: TerminalOrder): Promise<unknown> {
  if (!('id' in order)) {
    if (order.do === 'open') return openOne(order);
    return order.do === 'memory' ? process.memoryUsage().rss : masters();
  }
  const open = terminals.get(order.id);
  if (open === undefined) throw new Error(`There is no terminal ${order.id}.`);
  const { terminal } = open;
  switch (order.do) {
    case 'type':
      return terminal.write(
        Buffer.from(order.text),
        order.giveUpMs === undefined ? undefined : AbortSignal.timeout(order.giveUpMs),
      );
    case 'resize':
      return terminal.resize(order.size);
    case 'facts': {
      const start = performance.now();
      const facts = await terminal.facts();
      return { ...facts, tookMs: performance.now() - start };
    }
    case 'output':
      return open.text;
    case 'read':
      return open.read(0);
    case 'denied':
      return terminal.denied();
    case 'hang up':
      return terminal.hangUp();
    case 'wait':
      return open.end();
    case 'end':
      return processes.endAll(order.id, terminal, order.waits);
    case 'end foreground':
      return terminal.endForeground(order.waits);
    default:
      throw new Error('There is no such order.');
  }
}

function masters(): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => /ptmx|\/pts\//.test(link)).length;
}

async function openOne({ confinement, request, reading }: TerminalOrder & { do: 'open' }): Promise<unknown> {
  const open = new Open(await processes.open(confinement, request));
  terminals.set(request.operationId, open);
  if (reading !== 'later') open.read(reading === 'at once' ? 0 : reading.pauseMs);
  return { pid: open.terminal.pid, path: open.terminal.path };
}

process.on('message', ({ id, order }: { id: number; order: TerminalOrder }) => {
  obey(order).then(
    (result) => process.send?.({ id, result } satisfies Answer),
    (error: unknown) => process.send?.({ id, error: describe(error) } satisfies Answer),
  );
});

function describe(error: unknown): Answer['error'] {
  if (error instanceof DeskterityError) return { code: error.code, message: error.message };
  return { code: 'none', message: error instanceof Error ? (error.stack ?? '') : String(error) };
}
