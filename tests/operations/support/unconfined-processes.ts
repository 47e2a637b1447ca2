import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { processStartTime } from '../../../src/platform/linux/process/facts.ts';
import type { ProcessPort, StartedProcess, StartRequest } from '../../../src/ports/process.ts';
import type { PseudoTerminalPort } from '../../../src/ports/terminals/pseudo-terminal.ts';

const TAG = 'DESKTERITY_TEST_OPERATION';

/** Real processes with real pipes and sessions of their own, and no sandbox: what operations are tested with where the sandbox does not matter. */
export function unconfinedProcesses(): ProcessPort & PseudoTerminalPort {
  return {
    prepare: () => Promise.resolve(),
    start: (_, request) => start(request),
    endAll: async (operationId, leader, waits) => {
      const found = () => members(operationId, leader?.pid);
      const all = new Set<number>();
      let left = found();
      for (const [signal, waitMs] of [
        ['SIGINT', waits.interruptMs],
        ['SIGTERM', waits.terminateMs],
        ['SIGKILL', 1000],
      ] as const) {
        for (const pid of left) {
          all.add(pid);
          tryToKill(pid, signal);
        }
        const end = performance.now() + waitMs;
        // A look at all of the machine takes its time.
        while (left.length > 0 && performance.now() < end) {
          await sleep(10);
          left = found();
        }
      }
      return all.size;
    },
    close: () => Promise.resolve(),
    open: () => Promise.reject(new Error('there are no terminals here')),
  };
}

async function start({
  command,
  cwd,
  environment,
  output,
  operationId,
}: StartRequest): Promise<StartedProcess> {
  const [program, ...args] =
    output === 'merged' ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...command] : command;
  const env = { ...environment, [TAG]: operationId };
  const child = spawn(program ?? '', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<Awaited<StartedProcess['exited']>>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(new DeskterityError('ACTION_FAILED', error.message, { suggestion: 'Use another program.' }));
    });
  });
  const { pid = 0 } = child;
  const streams =
    output === 'merged'
      ? [{ name: 'merged', readable: child.stdout } as const]
      : [
          { name: 'stdout', readable: child.stdout } as const,
          { name: 'stderr', readable: child.stderr } as const,
        ];
  return { pid, startTime: processStartTime(pid) ?? '', streams, exited, denied: () => [] };
}

/** Living processes with the mark of the operation, or in the session of its leader. */
export function members(operationId: string, leader?: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return false;
        if (leader !== undefined && Number(session) === leader) return true;
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${TAG}=${operationId}`);
      } catch {
        return false;
      }
    });
}

function tryToKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
