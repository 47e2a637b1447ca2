import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { ConsentAnswer } from '../../../model/effects/consent-answer.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import type { ConsentDialogOptions } from '../../../ports/platform.ts';
import { findProgram } from '../../node/find-program.ts';
import {
  definedVariables,
  DESKTOP_VARIABLES,
  DIALOG_MARKER,
  PRIVATE_DESKTOP_MARKER,
} from './desktop-environment.ts';

/** Not the caller's PATH, where an agent may have put a program that agrees. */
const SYSTEM_FOLDERS = '/usr/bin:/usr/local/bin:/bin';
/** Nothing that makes a program load code of others. */
const PASSED = new Set<string>([...DESKTOP_VARIABLES, 'HOME', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_MESSAGES']);
const TITLE = 'Deskterity asks for your consent';
const LONGEST_TYPED = 200;

/** Each asks for a line of text, shows the question as it is, without markup, and prints what was typed. */
const PROGRAMS: readonly {
  readonly name: string;
  readonly words: (text: string) => readonly string[];
}[] = [
  {
    name: 'zenity',
    // It resolves backslashes.
    words: (text) => ['--entry', `--title=${TITLE}`, `--text=${text.replaceAll('\\', '\\\\')}`],
  },
  {
    name: 'kdialog',
    // It takes what looks like a tag for markup.
    words: (text) => ['--title', TITLE, '--inputbox', text.replaceAll('<', '‹')],
  },
  {
    name: 'yad',
    words: (text) => ['--entry', '--center', '--no-markup', `--title=${TITLE}`, `--text=${text}`],
  },
];

/**
 * Asks the user of a desktop for consent in a window of a program of the system. The answer is a number that is shown only there, so that neither a
 * click nor a key sent or pressed before agrees. Never rejects.
 */
export async function askOnDesktop(
  environment: Environment,
  question: string,
  { limitMs, signal, folders = SYSTEM_FOLDERS }: ConsentDialogOptions,
): Promise<ConsentAnswer> {
  const isVisible = Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  // Only the agent is on a private desktop.
  if (!isVisible || environment[PRIVATE_DESKTOP_MARKER] !== undefined) return 'absent';
  for (const { name, words } of PROGRAMS) {
    const program = findProgram(name, folders);
    if (program === undefined) continue;
    const code = String(randomInt(1000, 10_000));
    const text = `${withoutControls(question)}\n\nIt may be irreversible. To agree to this one act, type ${code} and press OK within ${Math.round(limitMs / 1000)} seconds.`;
    return run(program, words(text), code, { environment, limitMs, signal });
  }
  return 'absent';
}

/** Names in the question come from applications. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, ' ');
}

async function run(
  program: string,
  words: readonly string[],
  code: string,
  { environment, limitMs, signal }: ConsentDialogOptions & { readonly environment: Environment },
): Promise<ConsentAnswer> {
  return new Promise((resolve) => {
    const env = { ...definedVariables(environment, (name) => PASSED.has(name)), [DIALOG_MARKER]: '1' };
    const options = { env, cwd: '/', timeout: limitMs, killSignal: 'SIGKILL', signal } as const;
    execFile(program, words, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.slice(0, LONGEST_TYPED).trim() === code ? 'agreed' : 'declined');
      else if (error.killed === true || signal?.aborted === true) resolve('unanswered');
      // It never had a window; nobody has declined.
      else resolve(typeof error.code !== 'number' || /display|plugin/i.test(stderr) ? 'absent' : 'declined');
    }).stdin?.end();
  });
}
