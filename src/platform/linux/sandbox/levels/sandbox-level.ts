import { byPerson } from '../../../../model/text/mention.ts';
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
  /** Path of bwrap; default the installed one. */
  readonly bubblewrap?: string | undefined;
}

type Finding = Pick<SandboxFinding, 'works' | 'reason' | 'instruction'>;

const LIMITS = { timeout: 20_000, killSignal: 'SIGKILL', env: {} } as const;
const OPEN_WITH_LANDLOCK =
  'Not restricted: chmod, chown, timestamps and stat of your files outside, command lines of other processes, and the use of CPU, memory and disk.';
const run = promisify(execFile);

/** Tests both sandboxes in short-lived processes. */
export async function detectSandboxLevel(options: LevelOptions): Promise<SandboxLevel> {
  const [report, bubblewrap] = await Promise.all([
    reportOf(options.workerFile),
    tryBubblewrap(options.bubblewrap ?? findBubblewrap()),
  ]);
  const abi = report.landlockAbi ?? 0;
  const { path = 'installed', ...finding } = bubblewrap;
  return {
    sandboxes: [
      {
        name: 'landlock',
        title: 'Landlock',
        detail: `Landlock ABI ${abi || 'unknown'}, a system call filter, ${heldCapabilities(report)}: a test program inside could not read, write or create files outside, open a socket, or signal the process that started it.`,
        leavesOpen: OPEN_WITH_LANDLOCK,
        ...landlockFinding(report),
      },
      {
        name: 'bubblewrap',
        title: 'bubblewrap',
        detail: `bubblewrap (${path}) starts a program in its own namespaces.`,
        leavesOpen: 'Not restricted: the use of CPU, memory and disk.',
        ...finding,
      },
    ],
    system: `Linux ${release()}, ${abi > 0 ? `Landlock ABI ${abi}` : 'no Landlock'}`,
    isNested: report.isConfinedAlready,
  };
}

function heldCapabilities({ capabilities = [] }: LevelReport): string {
  return capabilities.length === 0
    ? 'no capabilities'
    : `no capabilities except ${capabilities.join(' and ')}`;
}

function fails(reason: string, instruction: string): Finding {
  return { works: false, reason, instruction };
}

/** The finding from a report. */
export function landlockFinding(report: LevelReport): Finding {
  const { problem, landlockAbi = 0, landlockError } = report;
  if (problem === undefined) return { works: true };
  if (landlockError === 'ENOSYS')
    return fails(
      'This kernel has no Landlock.',
      'Use Linux 6.12 or newer, built with CONFIG_SECURITY_LANDLOCK.',
    );
  if (landlockError === 'EOPNOTSUPP')
    return fails(
      'This kernel has Landlock, but it is disabled.',
      'Add landlock to the boot parameter "lsm=", for example "lsm=landlock,yama,apparmor".',
    );
  if (landlockError !== undefined)
    return fails(
      `This process may not use Landlock (${landlockError}), probably because of a container.`,
      'Allow the Landlock system calls in the seccomp profile of the container.',
    );
  if (landlockAbi > 0 && landlockAbi < LEAST_LANDLOCK_ABI)
    return fails(
      `Landlock ABI ${landlockAbi} cannot prevent programs from sending signals to others; ABI ${LEAST_LANDLOCK_ABI} can.`,
      'Use Linux 6.12 or newer.',
    );
  if (problem.detail?.endsWith('E2BIG') === true)
    return fails(
      'Deskterity already runs in the maximum number of nested sandboxes.',
      'Start Deskterity outside them.',
    );
  const detail = problem.detail === undefined ? '' : ` (${problem.detail})`;
  return fails(`${problem.message}${detail}`, problem.suggestion);
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
      const { stdout } = await run(process.execPath, [workerFile, JSON.stringify(order)], LIMITS);
      return JSON.parse(stdout) as LevelReport;
    } finally {
      await removeCanary(canary);
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const message = 'The sandbox could not be tested.';
    return {
      isConfinedAlready: false,
      problem: { message, suggestion: 'Reinstall deskterity: one of its files may be missing.', detail },
    };
  } finally {
    await rm(scope, { recursive: true, force: true });
  }
}

async function tryBubblewrap(
  path: string | undefined,
): Promise<Finding & { readonly path?: string | undefined }> {
  if (path === undefined)
    return fails('bubblewrap is not installed.', `${byPerson('Install the package "bubblewrap"')}.`);
  const options = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/'];
  try {
    await run(path, [...options, '--proc', '/proc', '--dev', '/dev', '--', '/bin/sh', '-c', ':'], LIMITS);
    return { works: true, path };
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = printed === '' ? String(error) : printed;
    const instruction = `${byPerson('Allow this user to create user namespaces, which bubblewrap needs')}.`;
    return { ...fails(`bubblewrap does not work here: ${reason.split('\n')[0]}`, instruction), path };
  }
}
