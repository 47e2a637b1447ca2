import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { sessionMembers } from '../process/facts.ts';

/** What the user's login shell makes of the environment. */
export interface LoginEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the shell has answered; else it is the environment that was inherited. */
  readonly fromShell: boolean;
  /** Why the shell was of no use. */
  readonly problem?: string | undefined;
}

export interface LoginEnvironmentOptions {
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** Path of the shell; without it `SHELL`, else the one of the user's account. */
  readonly shell?: string | undefined;
  /** For the first attempt; the second has as long again. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Shells that take these together: read what a login reads, and what an interactive one reads, where version managers put themselves. */
const INTERACTIVE_LOGIN = new Set(['bash', 'zsh', 'fish', 'ksh', 'mksh']);
/** What the shell sets for itself. */
const OF_THE_SHELL = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'COLUMNS', 'LINES', 'TERM', 'PS1']);
const MOST_BYTES = 4 * 1024 * 1024;
const MARK = 'deskterity-environment';

/**
 * The environment of the user's login shell, with the PATH as in a terminal: whoever is started from a desktop does not have it. Profiles are programs of the
 * user that may print, wait for input or take over a terminal, so the shell gets none, reads nothing, and has a deadline.
 */
export async function loginEnvironment(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const inherited = defined(options.inherited);
  const shell = options.shell ?? inherited['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const timeoutMs = options.timeoutMs ?? 5000;
  const ways = INTERACTIVE_LOGIN.has(basename(shell)) ? [['-l', '-i'], ['-l']] : [['-l']];
  let problem = '';
  for (const way of ways) {
    const answer = await ask(shell, way, inherited, timeoutMs);
    if (typeof answer !== 'string') return { environment: { ...answer }, fromShell: true };
    problem = `${shell} ${way.join(' ')}: ${answer}`;
  }
  return { environment: inherited, fromShell: false, problem };
}

/** @returns the environment, or why there is none */
async function ask(
  shell: string,
  way: readonly string[],
  inherited: Record<string, string>,
  timeoutMs: number,
): Promise<Record<string, string> | string> {
  // Between marks, as profiles print what they like. `command` passes by aliases.
  const script = `command printf '%s' '${MARK}<'; command env -0; command printf '%s' '>${MARK}'`;
  const child = spawn(shell, [...way, '-c', script], {
    // A terminal that somebody else works in could be taken over from the same session.
    detached: true,
    env: { ...inherited, TERM: 'dumb' },
    cwd: inherited['HOME'] ?? '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = (answer: Record<string, string> | string) => {
      clearTimeout(deadline);
      child.stdout.destroy();
      endSession(child.pid);
      resolve(answer);
    };
    const deadline = setTimeout(() => end(`no answer within ${timeoutMs} ms`), timeoutMs);
    child.once('error', (error) => end(error.message));
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      // What a profile leaves running may hold the pipe open, so its end is not waited for.
      const found = parseMarked(Buffer.concat(parts).toString('utf8'));
      if (found !== undefined) end(found);
      else if (bytes > MOST_BYTES) end('it prints without end');
    });
    child.stdout.once('end', () => end('it ended without an answer'));
  });
}

/** Pure: the variables between the marks; `undefined` while they are not complete. */
export function parseMarked(output: string): Record<string, string> | undefined {
  const start = output.indexOf(`${MARK}<`);
  const end = output.indexOf(`\0>${MARK}`, start);
  if (start === -1 || end === -1) return undefined;
  const entries = output.slice(start + MARK.length + 1, end).split('\0');
  const environment: Record<string, string> = {};
  for (const entry of entries) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, equals);
    // Exported functions of bash are no variables that a program could use.
    if (equals > 0 && !OF_THE_SHELL.has(name) && !name.startsWith('BASH_FUNC_'))
      environment[name] = entry.slice(equals + 1);
  }
  return environment;
}

/** Also jobs in the background, which have groups of their own. */
function endSession(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const member of sessionMembers(pid)) {
    try {
      process.kill(member, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function defined(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
