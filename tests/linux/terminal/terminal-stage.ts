import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import type { TerminalFacts, TerminalStartRequest } from '../../../src/ports/terminals/pseudo-terminal.ts';
import { buildHost, endStrays } from '../sandbox/stage.ts';
import type { Answer, TerminalEnd, TerminalOrder } from './terminal-host.ts';

export type By = Confinement['by'];
export type Facts = TerminalFacts & { readonly tookMs: number };

/** A process that keeps terminals, folders for it, and this process to look at both from outside. */
export class TerminalStage {
  readonly folder: string;
  readonly pid: number;
  private readonly host: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  private constructor(folder: string, host: ChildProcess) {
    this.folder = folder;
    this.host = host;
    if (host.pid === undefined) throw new Error('The host did not start.');
    this.pid = host.pid;
    host.on('message', (answer: Answer) => this.heard(answer));
    host.once('exit', (code, signal) => {
      for (const id of this.waiting.keys())
        this.heard({ id, error: { code: 'gone', message: `the host has ended: ${code ?? signal}` } });
    });
  }

  static async open(user = process.getuid?.() ?? 0): Promise<TerminalStage> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-terminal-')));
    const app = join(folder, 'app');
    await buildHost(app, join(import.meta.dirname, 'terminal-host.ts'));
    for (const name of ['', 'scope', 'outside', 'probe']) {
      mkdirSync(join(folder, name), { recursive: true });
      chownSync(join(folder, name), user, user);
    }
    const host = fork(join(app, 'terminal-host.js'), [join(app, 'spawn-worker.js'), join(folder, 'probe')], {
      execArgv: [],
      cwd: folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: folder },
      uid: user,
      gid: user,
    });
    return new TerminalStage(folder, host);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Opens a terminal. @returns its handle for the other orders */
  async start(
    command: readonly [string, ...string[]],
    options: {
      readonly by?: By;
      readonly reading?: (TerminalOrder & { do: 'open' })['reading'];
      readonly request?: Partial<TerminalStartRequest>;
      readonly confinement?: Partial<Confinement>;
    } = {},
  ): Promise<Terminal> {
    const operationId = randomUUID();
    const confinement: Confinement = {
      by: options.by ?? 'none',
      scope: this.path('scope'),
      read: [],
      write: [],
      network: false,
      unixSockets: false,
      denyReport: false,
      ...options.confinement,
    };
    const request: TerminalStartRequest = {
      command,
      cwd: this.path('scope'),
      environment: { PATH: '/usr/bin:/bin', HOME: this.path('scope'), TERM: 'xterm', PS1: '$ ' },
      size: { columns: 200, rows: 50 },
      operationId,
      ...options.request,
    };
    const reading = options.reading ?? 'at once';
    const { pid, path } = (await this.ask({ do: 'open', confinement, request, reading })) as {
      pid: number;
      path: string;
    };
    return new Terminal(this, operationId, pid, path);
  }

  async ask(order: TerminalOrder): Promise<unknown> {
    const id = ++this.lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
      this.host.send({ id, order });
    });
    if (answer.error === undefined) return answer.result;
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  }

  private heard(answer: Answer): void {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }

  async close(): Promise<void> {
    if (this.host.exitCode === null && this.host.signalCode === null) {
      const ended = new Promise((resolve) => this.host.once('exit', resolve));
      this.host.kill('SIGKILL');
      await ended;
    }
    endStrays(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A terminal that the host keeps. */
export class Terminal {
  readonly pid: number;
  readonly path: string;
  readonly id: string;
  private readonly stage: TerminalStage;

  constructor(stage: TerminalStage, id: string, pid: number, path: string) {
    this.stage = stage;
    this.id = id;
    this.pid = pid;
    this.path = path;
  }

  async type(text: string, giveUpMs?: number): Promise<void> {
    await this.stage.ask({ do: 'type', id: this.id, text, ...(giveUpMs === undefined ? {} : { giveUpMs }) });
  }

  async ask(what: 'facts' | 'output' | 'hang up' | 'read' | 'denied'): Promise<unknown> {
    return this.stage.ask({ do: what, id: this.id });
  }

  async facts(): Promise<Facts> {
    return (await this.ask('facts')) as Facts;
  }

  /** All that came so far. */
  async output(): Promise<string> {
    return (await this.ask('output')) as string;
  }

  async wait(): Promise<TerminalEnd> {
    return (await this.stage.ask({ do: 'wait', id: this.id })) as TerminalEnd;
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.stage.ask({ do: 'resize', id: this.id, size: { columns, rows } });
  }

  async end(how: 'end' | 'end foreground', interruptMs = 200, terminateMs = 200): Promise<number> {
    return (await this.stage.ask({ do: how, id: this.id, waits: { interruptMs, terminateMs } })) as number;
  }

  /** Waits until what came matches. */
  async shows(pattern: RegExp, limitMs = 10_000): Promise<string> {
    const end = performance.now() + limitMs;
    for (;;) {
      const text = await this.output();
      if (pattern.test(text)) return text;
      if (performance.now() > end) throw new Error(`No ${pattern} within ${limitMs} ms in: ${text}`);
      await sleep(20);
    }
  }
}

export interface Living {
  readonly pid: number;
  readonly command: string;
  readonly group: number;
  readonly session: number;
}

/** Living processes, by reading /proc with code of the tests alone. */
export function livingProcesses(): Living[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const [state = '', , group, session] = fields;
        if (/[ZX]/.test(state)) return [];
        return [{ pid: Number(name), command, group: Number(group), session: Number(session) }];
      } catch {
        return [];
      }
    });
}
