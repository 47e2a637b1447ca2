import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationsParts } from '../../src/operations/operation-parts.ts';
import { createProcessIdentity } from '../../src/platform/linux/process/facts.ts';
import { holderSocket } from '../../src/platform/paths.ts';
import type {
  RunOutcome,
  RunRequest,
  TerminalFactsView,
  TerminalsPort,
  TerminalStart,
} from '../../src/ports/terminals.ts';
import { until } from '../until.ts';

const LEAVE_LIMIT_MS = 20_000;
const PATIENCE_MS = 20_000;
export const END_WAITS = { interruptMs: 100, terminateMs: 100 };
const BUDGET_BYTES = 64 * 1024 * 1024;

/** What a daemon with all folders below one needs for terminals. */
export function terminalParts(folder: string, programs = join(folder, 'programs')): OperationsParts {
  const environment = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: join(folder, 'run') };
  return {
    stateFolder: join(folder, 'state'),
    logFolder: join(folder, 'logs'),
    environment,
    build: 'test',
    holderFile: join(programs, 'holder.js'),
    workerFile: join(programs, 'spawn-worker.js'),
    socketFor: (name) => holderSocket(environment, name),
    identity: createProcessIdentity(),
    // It exits soon on its own if nothing ends it.
    idleMs: 30_000,
  };
}

/** How the tests start a terminal: with its own home and nothing of the user. */
export function terminalStart(
  folder: string,
  tag: string,
  shell: string,
  changes: Partial<TerminalStart> = {},
): TerminalStart {
  const project = join(folder, 'project');
  return {
    name: { projectPath: project, tag },
    shell,
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: join(folder, 'home'),
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
    },
    cwd: project,
    confinement: {
      by: 'none',
      scope: project,
      read: [],
      write: [],
      network: true,
      unixSockets: true,
      denyReport: false,
    },
    size: { columns: 120, rows: 40 },
    budgetBytes: BUDGET_BYTES,
    ...changes,
  };
}

export function holdersOf(stateFolder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(`--state=${stateFolder}`));
}

/** Holders end their terminals before they exit; those that do not exit are killed. */
export async function endHolders(stateFolder: string): Promise<void> {
  for (const pid of holdersOf(stateFolder)) process.kill(pid, 'SIGTERM');
  const end = performance.now() + LEAVE_LIMIT_MS;
  while (holdersOf(stateFolder).length > 0) {
    if (performance.now() > end) for (const pid of holdersOf(stateFolder)) process.kill(pid, 'SIGKILL');
    await sleep(50);
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Private resident memory of a process, in MiB. */
export function residentMb(pid: number): number {
  const [, kilobytes = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** One terminal, used as the daemon uses it. */
export class LabTerminal {
  readonly id: string;
  readonly pid: number;
  readonly ttyPath: string;
  private readonly port: TerminalsPort;

  constructor(port: TerminalsPort, { id, pid, ttyPath }: TerminalFactsView) {
    this.port = port;
    this.id = id;
    this.pid = pid;
    this.ttyPath = ttyPath;
  }

  run(command: string, changes: Partial<RunRequest> = {}): Promise<RunOutcome> {
    const request: RunRequest = {
      command,
      isBackground: false,
      waitMs: PATIENCE_MS,
      lines: 100,
      interrupt: undefined,
      clear: false,
      ...changes,
    };
    return this.port.run(this.id, request, new AbortController().signal);
  }

  facts(): Promise<TerminalFactsView> {
    return this.port.facts(this.id);
  }

  /** Types as a caller. */
  async type(text: string): Promise<void> {
    const view = await this.port.view(this.id);
    await view.write(Buffer.from(text), { deadlineMs: PATIENCE_MS });
  }

  /** Types as an attached person, who may type secrets. */
  async typeByHand(text: string): Promise<void> {
    const attached = await this.port.attach(this.id, {
      size: { columns: 120, rows: 40 },
      onBytes: () => undefined,
      signal: new AbortController().signal,
    });
    await attached.write(Buffer.from(text));
    attached.detach();
  }

  /** Rows of the screen without trailing blanks. */
  async screen(): Promise<readonly string[]> {
    const view = await this.port.view(this.id);
    const { screen } = await view.read({ deadlineMs: PATIENCE_MS, scrollbackLines: 0 });
    return screen.rows.map(({ text }) => text.trimEnd());
  }

  /** Waits until it is in one of these states. @returns how long that took, in milliseconds */
  async reaches(...states: TerminalFactsView['state'][]): Promise<number> {
    const started = performance.now();
    await until(
      async () => states.includes((await this.facts()).state),
      `${this.id} is ${states.join(' or ')}`,
    );
    return performance.now() - started;
  }

  /** Waits until a row of the screen matches. */
  async shows(pattern: RegExp): Promise<void> {
    await until(
      async () => (await this.screen()).some((row) => pattern.test(row)),
      `${this.id} shows ${pattern}`,
    );
  }

  /** The raw output of a command. */
  async bytesOf({ range }: RunOutcome): Promise<Buffer> {
    if (range?.to === undefined) throw new Error('The command has no end.');
    return Buffer.from(await this.port.bytes(this.id, { from: range.from, to: range.to }));
  }

  close(): Promise<void> {
    return this.port.close(this.id, END_WAITS);
  }
}
