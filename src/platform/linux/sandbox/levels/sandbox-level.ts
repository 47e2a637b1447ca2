import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxFinding, SandboxLevel } from '../../../../ports/sandbox.ts';
import { findBubblewrap } from '../bubblewrap/bubblewrap-runs.ts';
import { confinementPlan } from '../confinement-plan.ts';
import { LEAST_LANDLOCK_ABI } from '../landlock/landlock.ts';
import type { LevelOrder, LevelReport } from './level-probe.ts';
import { makeCanary, removeCanary } from './probe-canary.ts';
import { systemReads } from '../landlock/system-reads.ts';

export interface LevelOptions {
  /** The built `spawn-worker.js`. */
  readonly workerFile: string;
  /** Path of bwrap; without it the installed one. */
  readonly bubblewrap?: string | undefined;
}

type Finding = Pick<SandboxFinding, 'works' | 'reason' | 'instruction'>;

const DEADLINE_MS = 20_000;
const OPEN_WITH_LANDLOCK =
  'Stays open: chmod, chown, times and stat of files outside that you own, command lines of other processes, and how much processor, memory and disk it uses.';
const run = promisify(execFile);

/** Tries both ways in short-lived processes. */
export async function detectSandboxLevel(options: LevelOptions): Promise<SandboxLevel> {
  const [report, bubblewrap] = await Promise.all([
    reportOf(options.workerFile),
    tryBubblewrap(options.bubblewrap ?? findBubblewrap()),
  ]);
  const abi = report.landlockAbi ?? 0;
  return {
    sandboxes: [
      {
        name: 'landlock',
        title: 'Landlock',
        detail: `Landlock ABI ${abi || 'unknown'}, a filter of system calls, ${heldCapabilities(report)}: a program in it could not read, write or create files outside, open a socket, or signal what started it.`,
        leavesOpen: OPEN_WITH_LANDLOCK,
        ...landlockFinding(report),
      },
      {
        name: 'bubblewrap',
        title: 'bubblewrap',
        detail: `bubblewrap (${bubblewrap.path ?? 'installed'}) starts a program in namespaces of its own.`,
        leavesOpen: 'Stays open: how much processor, memory and disk it uses.',
        works: bubblewrap.works,
        reason: bubblewrap.reason,
        instruction: bubblewrap.instruction,
      },
    ],
    system: `Linux ${release()}, ${abi > 0 ? `Landlock ABI ${abi}` : 'no Landlock'}`,
    isNested: report.isConfinedAlready,
  };
}

function heldCapabilities({ capabilities = [] }: LevelReport): string {
  return capabilities.length === 0 ? 'no capabilities' : `no capabilities but ${capabilities.join(' and ')}`;
}

/** Pure: what a report means. */
export function landlockFinding(report: LevelReport): Finding {
  const { problem, landlockAbi = 0, landlockError } = report;
  if (problem === undefined) return { works: true };
  if (landlockError === 'ENOSYS') {
    return {
      works: false,
      reason: 'This kernel has no Landlock.',
      instruction: 'Use Linux 6.12 or newer, built with CONFIG_SECURITY_LANDLOCK.',
    };
  }
  if (landlockError === 'EOPNOTSUPP') {
    return {
      works: false,
      reason: 'Landlock is in this kernel but switched off.',
      instruction:
        'Add landlock to the list of the boot parameter "lsm=", such as "lsm=landlock,yama,apparmor".',
    };
  }
  if (landlockError !== undefined) {
    return {
      works: false,
      reason: `Landlock is forbidden to this process (${landlockError}), as by a container.`,
      instruction: 'Allow the system calls of Landlock in the seccomp profile of the container.',
    };
  }
  if (landlockAbi > 0 && landlockAbi < LEAST_LANDLOCK_ABI) {
    return {
      works: false,
      reason: `Landlock ABI ${landlockAbi} cannot keep programs from sending signals to others; ABI ${LEAST_LANDLOCK_ABI} can.`,
      instruction: 'Use Linux 6.12 or newer.',
    };
  }
  if (problem.detail?.endsWith('E2BIG') === true) {
    return {
      works: false,
      reason: 'Deskterity runs in as many sandboxes as the kernel allows within each other.',
      instruction: 'Start Deskterity outside of them.',
    };
  }
  const detail = problem.detail === undefined ? '' : ` (${problem.detail})`;
  return { works: false, reason: `${problem.message}${detail}`, instruction: problem.suggestion };
}

async function reportOf(workerFile: string): Promise<LevelReport> {
  const scope = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-level-')));
  try {
    const confinement = { scope, read: [], write: [], network: false, unixSockets: false, denyReport: false };
    const { rules } = await systemReads({ network: false });
    const plan = confinementPlan({ by: 'landlock', ...confinement }, rules);
    const canary = await makeCanary(plan.paths);
    try {
      const order: LevelOrder = { plan, canary };
      const { stdout } = await run(process.execPath, [workerFile, JSON.stringify(order)], {
        timeout: DEADLINE_MS,
        killSignal: 'SIGKILL',
        env: {},
      });
      return JSON.parse(stdout) as LevelReport;
    } finally {
      await removeCanary(canary);
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const message = 'The sandbox could not be tried out.';
    return {
      isConfinedAlready: false,
      problem: { message, suggestion: 'Install deskterity again: a file of it may be missing.', detail },
    };
  } finally {
    await rm(scope, { recursive: true, force: true });
  }
}

async function tryBubblewrap(
  path: string | undefined,
): Promise<Finding & { readonly path?: string | undefined }> {
  if (path === undefined) {
    return {
      works: false,
      reason: 'bubblewrap is not installed.',
      instruction: 'Install the package "bubblewrap".',
    };
  }
  const options = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/'];
  try {
    await run(path, [...options, '--proc', '/proc', '--dev', '/dev', '--', '/bin/sh', '-c', ':'], {
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
      env: {},
    });
    return { works: true, path };
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = said === '' ? String(error) : said;
    return {
      works: false,
      path,
      reason: `bubblewrap does not work here: ${reason.split('\n')[0]}`,
      instruction: 'Allow user namespaces to this user, as bubblewrap needs them.',
    };
  }
}
