import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import { definedVariables } from './desktop-environment.ts';
import { killSession } from '../process/kill-family.ts';

/** The environment that the user's login shell sets up. */
export interface LoginEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the shell answered; otherwise this is the inherited environment. */
  readonly fromShell: boolean;
  /** Why the shell did not answer. */
  readonly problem?: string | undefined;
}

export interface LoginEnvironmentOptions {
  readonly inherited: Environment;
  /** Path of the shell; default `SHELL`, else the shell of the user's account. */
  readonly shell?: string | undefined;
  /** For each attempt. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Shells that accept `-l -i` together, and so also read the interactive files, where version managers add themselves. */
const INTERACTIVE_LOGIN = new Set(['bash', 'zsh', 'fish', 'ksh', 'mksh']);
/** Variables that the shell sets for itself. */
const SHELL_VARIABLES = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'COLUMNS', 'LINES', 'TERM', 'PS1']);
const MOST_BYTES = 4 * 1024 * 1024;
const MARK = 'deskterity-environment';

/**
 * The environment of the user's login shell, with the PATH of a terminal, which programs started from a desktop lack. Profiles are code
 * that may print, wait for input or take over a terminal, so the shell has no terminal, no input, and a deadline.
 */
export async function loginEnvironment(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const inherited = definedVariables(options.inherited);
  const shell = options.shell ?? inherited['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const timeoutMs = options.timeoutMs ?? 5000;
  const attempts = INTERACTIVE_LOGIN.has(basename(shell)) ? [['-l', '-i'], ['-l']] : [['-l']];
  let problem = '';
  for (const flags of attempts) {
    const answer = await runShell(shell, flags, inherited, timeoutMs);
    if (typeof answer !== 'string') return { environment: { ...answer }, fromShell: true };
    problem = `${shell} ${flags.join(' ')}: ${answer}`;
  }
  return { environment: inherited, fromShell: false, problem };
}

/** @returns the environment, or why there is none */
async function runShell(
  shell: string,
  flags: readonly string[],
  inherited: Record<string, string>,
  timeoutMs: number,
): Promise<Record<string, string> | string> {
  // Between marks, as profiles may print anything. `command` bypasses aliases.
  const script = `command printf '%s' '${MARK}<'; command env -0; command printf '%s' '>${MARK}'`;
  const child = spawn(shell, [...flags, '-c', script], {
    // In our session, a profile could take over the controlling terminal.
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
      // With background jobs, which are in process groups of their own.
      if (child.pid !== undefined) killSession(child.pid);
      resolve(answer);
    };
    const deadline = setTimeout(() => end(`no answer within ${timeoutMs} ms`), timeoutMs);
    child.once('error', (error) => end(error.message));
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      // A process that a profile leaves running may hold the pipe open, so its end is not awaited.
      const found = parseMarked(Buffer.concat(parts).toString('utf8'));
      if (found !== undefined) end(found);
      else if (bytes > MOST_BYTES) end(`it printed more than ${MOST_BYTES} bytes`);
    });
    child.stdout.once('end', () => end('it ended without an answer'));
  });
}

/** The variables between the marks; `undefined` while they are incomplete. */
export function parseMarked(output: string): Record<string, string> | undefined {
  const start = output.indexOf(`${MARK}<`);
  const end = output.indexOf(`\0>${MARK}`, start);
  if (start === -1 || end === -1) return undefined;
  const entries = output.slice(start + MARK.length + 1, end).split('\0');
  const environment: Record<string, string> = {};
  for (const entry of entries) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, equals);
    // Functions exported by bash are no use to other programs.
    if (equals > 0 && !SHELL_VARIABLES.has(name) && !name.startsWith('BASH_FUNC_'))
      environment[name] = entry.slice(equals + 1);
  }
  return environment;
}
