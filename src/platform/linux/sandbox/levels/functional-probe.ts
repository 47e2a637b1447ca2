import { mentionCommand } from '../../../../model/text/mention.ts';
import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { ConfinementPlan } from '../landlock/confine-thread.ts';
import { AF_INET, AF_INET6, AF_UNIX, AT_FDCWD, SOCK_DGRAM, SOCK_STREAM } from '../libc-library.ts';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';

/** A file outside the sandbox that this user could read and write unconfined. */
export interface Canary {
  readonly folder: string;
  readonly file: string;
}

const CHILD_DEADLINE_MS = 10_000;

/**
 * Tries forbidden actions, on this confined thread and in a real program that it starts. Otherwise a mistake in the layout of a system call
 * structure could silently leave everything unconfined.
 * @param whenAlone runs the task that starts the program, once that is allowed
 * @throws SandboxProblem naming the actions that succeeded
 */
export function probeConfinement(
  kernel: Kernel,
  { plan, canary }: { readonly plan: ConfinementPlan; readonly canary: Canary },
  whenAlone: (task: () => string[]) => string[] = (task) => task(),
): void {
  const onThread = triedOnThread(kernel, plan, canary);
  requireNoneSucceeded([...onThread, ...whenAlone(() => triedInChild(kernel, canary))]);
}

function triedOnThread(kernel: Kernel, plan: ConfinementPlan, canary: Canary): string[] {
  const path = (text: string) => Buffer.from(`${text}\0`);
  const open = (file: string, flags: number) =>
    kernel.call('openat', AT_FDCWD, path(file), flags | constants.O_NONBLOCK, 0o600);
  const socket = (domain: number, type: number) => kernel.call('socket', domain, type, 0);
  const inet = [AF_INET, AF_INET6].flatMap((domain) => [
    socket(domain, SOCK_STREAM),
    socket(domain, SOCK_DGRAM),
  ]);
  const unix = [socket(AF_UNIX, SOCK_STREAM), socket(AF_UNIX, SOCK_DGRAM)];
  const tries: [string, number[]][] = [
    ['reading outside', [open(canary.file, constants.O_RDONLY)]],
    ['writing outside', [open(canary.file, constants.O_WRONLY)]],
    ['creating outside', [open(join(canary.folder, 'made'), constants.O_WRONLY | constants.O_CREAT)]],
    ['deleting outside', [kernel.call('unlinkat', AT_FDCWD, path(canary.file), 0)]],
    ['signalling its launcher', [kernel.call('kill', process.pid, 0)]],
    ['a new namespace', [kernel.call('unshare', 0x10000000)]],
    ...(plan.network ? [] : [['a network socket', inet] satisfies [string, number[]]]),
    ...(plan.unixSockets ? [] : [['a Unix socket', unix] satisfies [string, number[]]]),
  ];
  for (const descriptor of [...inet, ...unix].filter((result) => result >= 0))
    kernel.call('close', descriptor);
  return tries.filter(([, results]) => results.some((result) => result >= 0)).map(([what]) => what);
}

/** Prints the actions that succeeded, and finally a word that proves the script ran. Uses only builtins of POSIX shells. */
const SCRIPT = `
tried() { if (eval "$2") 2>/dev/null; then echo "$1"; fi; }
tried 'reading outside' ': < "$FILE"'
tried 'writing outside' ': >> "$FILE"'
tried 'creating outside' ': > "$FOLDER/child"'
tried 'entering the working directory of its launcher' 'cd "/proc/$LAUNCHER/cwd"'
tried 'reading the environment of its launcher' ': < "/proc/$LAUNCHER/environ"'
tried 'reading the environment of the thread that started it' ': < "/proc/$LAUNCHER/task/$THREAD/environ"'
tried 'signalling its launcher' 'kill -0 "$LAUNCHER"'
tried 'signalling the thread that started it' 'kill -0 "$THREAD"'
filtered=0 privileges=1
while read -r name value; do
  case "$name" in Seccomp:) filtered=$value ;; NoNewPrivs:) privileges=$value ;; esac
done < /proc/self/status
[ "$filtered" = 2 ] || echo 'running without a filter'
[ "$privileges" = 1 ] || echo 'gaining privileges'
echo tried
`;

/** How to run {@link SCRIPT}. */
export function childProbe(
  canary: Canary,
  launcher: { readonly process: number; readonly thread: number },
): { readonly command: [string, ...string[]]; readonly environment: Readonly<Record<string, string>> } {
  return {
    command: ['/bin/sh', '-c', SCRIPT],
    environment: {
      FILE: canary.file,
      FOLDER: canary.folder,
      LAUNCHER: String(launcher.process),
      THREAD: String(launcher.thread),
    },
  };
}

/** @returns the actions that succeeded, from the script's output @throws SandboxProblem if the script did not finish */
export function judgeChildProbe(output: string, problem = ''): string[] {
  const lines = output.trim().split('\n');
  if (lines.at(-1) === 'tried') return lines.slice(0, -1);
  throw new SandboxProblem({
    message: 'The sandbox could not be tested: a shell does not run in it.',
    suggestion: 'Check that /bin/sh is executable and in the system folders.',
    detail: [problem, ...lines].filter((line) => line !== '').join('; '),
  });
}

/** @throws SandboxProblem naming the actions that succeeded */
export function requireNoneSucceeded(succeeded: readonly string[]): void {
  if (succeeded.length === 0) return;
  throw new SandboxProblem({
    message: `The sandbox is not effective: ${succeeded.join(', ')} succeeded inside it.`,
    suggestion: `Do not run anything here; report this with the output of ${mentionCommand('doctor')}.`,
  });
}

function triedInChild(kernel: Kernel, canary: Canary): string[] {
  const { command, environment } = childProbe(canary, {
    process: process.pid,
    thread: kernel.call('gettid'),
  });
  const [shell, ...shellArguments] = command;
  const { stdout, error } = spawnSync(shell, shellArguments, {
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: CHILD_DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
  return judgeChildProbe(stdout ?? '', error?.message);
}
