import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { copyProgram, HOLDER_FILES } from '../../program-copy.ts';
import type { OperationsParts } from '../../../src/operations/operation-parts.ts';
import type { TerminalOutcome } from '../../../src/model/terminals/terminal-answer.ts';
import { ExecuteRequest } from '../../../src/model/terminals/terminal-requests.ts';
import { execute } from '../../../src/terminal/use-cases/actions.ts';
import type { TerminalContext } from '../../../src/terminal/use-cases/context.ts';
import { settingsWith } from './settings.ts';
import { createTerminals } from '../../../src/terminal/sessions/terminals.ts';
import type { RunOutcome, RunRequest, TerminalsPort, TerminalStart } from '../../../src/ports/terminals.ts';
import { StandIn, useOperationsLab } from '../../operations/support/operations-lab.ts';
import type { OperationsLab } from '../../operations/support/operations-lab.ts';

/** Terminals in the bundled holder, with separate folders for one test. */
export class TerminalsLab {
  readonly base: OperationsLab;
  private readonly programs: string;

  constructor(base: OperationsLab, programs: string) {
    this.base = base;
    this.programs = programs;
  }

  get home(): string {
    return join(this.base.folder, 'home');
  }

  parts(changes: Partial<OperationsParts> = {}): OperationsParts {
    return this.base.parts({
      holderFile: join(this.programs, 'holder.js'),
      workerFile: join(this.programs, 'spawn-worker.js'),
      ...changes,
    });
  }

  terminals(changes: Partial<OperationsParts> = {}): TerminalsPort {
    return createTerminals(this.parts(changes));
  }

  /** A separate process that uses terminals as the daemon does. */
  daemon(): StandIn {
    const { stateFolder, logFolder, holderFile, workerFile, environment } = this.parts();
    const child = spawn(
      process.execPath,
      [join(this.programs, 'terminals-stand-in.js'), stateFolder, logFolder, holderFile, workerFile],
      { env: environment, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    this.base.daemons.push(child);
    return new StandIn(child);
  }

  /** The socket of the holder. */
  get socket(): string {
    const folder = join(this.base.folder, 'run', 'deskterity');
    return join(folder, readdirSync(folder).find((name) => name.endsWith('.sock')) ?? '');
  }

  /** The token that its clients must send. */
  get token(): string {
    const folder = join(this.base.stateFolder, 'operations', 'holders');
    return readFileSync(
      join(folder, readdirSync(folder).find((name) => name.endsWith('.token')) ?? ''),
      'utf8',
    );
  }

  /** @param files start files in the user's home */
  start(
    changes: Partial<TerminalStart> & { readonly tag?: string } = {},
    files: Readonly<Record<string, string>> = {},
  ): TerminalStart {
    const { tag = 'test', ...rest } = changes;
    const scope = realpathSync(this.base.scope);
    for (const [name, text] of Object.entries({ '.bash_profile': "PS1='$ '\n", ...files })) {
      mkdirSync(dirname(join(this.home, name)), { recursive: true });
      writeFileSync(join(this.home, name), text);
    }
    mkdirSync(this.home, { recursive: true });
    return {
      name: { projectPath: scope, tag },
      shell: '/bin/bash',
      environment: {
        HOME: this.home,
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LANG: 'C.UTF-8',
        LAB: this.base.folder,
      },
      cwd: scope,
      confinement: { ...this.base.confinement(), scope },
      size: { columns: 120, rows: 40 },
      budgetBytes: 64 * 1024 * 1024,
      ...rest,
    };
  }

  /** Names of the files for the shells, by terminal. */
  shellFiles(): string[] {
    const folder = join(this.base.folder, 'run', 'deskterity', 'shells');
    return readdirSync(folder, { recursive: true }).map(String);
  }
}

export const WAITS = { interruptMs: 300, terminateMs: 300 };

export function request(command: string, changes: Partial<RunRequest> = {}): RunRequest {
  return {
    command,
    isBackground: false,
    waitMs: 20_000,
    lines: 100,
    interrupt: undefined,
    clear: false,
    ...changes,
  };
}

export async function ran(
  terminals: TerminalsPort,
  id: string,
  command: string,
  changes: Partial<RunRequest> = {},
): Promise<RunOutcome> {
  return terminals.run(id, request(command, changes), new AbortController().signal);
}

/** Runs commands as the command `terminal execute` does, in the terminal of the lab's scope. */
export function executesIn(
  lab: TerminalsLab,
  port: TerminalsPort,
): (command: string, changes?: Partial<ExecuteRequest>) => Promise<TerminalOutcome> {
  const { cwd, environment } = lab.start();
  const unused = async () => {
    throw new Error('not used');
  };
  const context: TerminalContext = {
    port,
    cwd,
    settings: settingsWith(),
    version: 'test',
    signal: new AbortController().signal,
    refs: unused,
    windows: { application: unused, placeOf: unused, focus: unused, attach: unused, requireShowing: unused },
    start: {
      callerEnvironment: environment,
      environment: async () => environment,
      confine: unused,
      budgetBytes: 64 * 1024 * 1024,
    },
  };
  return async (command, changes = {}) =>
    execute(context, { ...ExecuteRequest.parse({ command }), ...changes });
}

/** Processes whose command line contains a text, from /proc. */
export function running(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return (
          !/^State:\s+[ZX]/m.test(status) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Bundles the holder once per test file and gives each test a lab. */
export function useTerminalsLab(): () => TerminalsLab {
  const base = useOperationsLab();
  let programs = '';
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'dkt-'));
    await Promise.all([
      copyProgram(programs, (name) => HOLDER_FILES.includes(name)),
      build({
        entryPoints: ['tests/terminal/support/terminals-stand-in.ts'],
        outdir: programs,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20.19',
        logLevel: 'error',
      }),
    ]);
    await symlink(resolve('node_modules'), join(programs, 'node_modules'));
    writeFileSync(join(programs, 'package.json'), '{"type":"module"}');
  }, 60_000);
  afterAll(() => rm(programs, { recursive: true, force: true }));
  return () => new TerminalsLab(base(), programs);
}
