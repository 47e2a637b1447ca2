import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsentAnswer } from '../../../model/effects/consent-answer.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import type { ConsentDialogOptions } from '../../../ports/platform.ts';
import { findProgram } from '../../node/find-program.ts';
import { keepPicture } from '../../node/kept-picture.ts';
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
const COLUMNS = 90;
const OPENING_MS = 800;

interface DialogProgram {
  readonly name: string;
  /** Asks for a line of text, shows the question as it is, without markup, and prints what was typed. `picture`: a file that it also shows. */
  readonly words: (text: string, picture: string | undefined) => readonly string[];
  /** For programs that show no picture beside a line of text: a window of its own for it. */
  readonly shows?: (picture: string) => readonly string[];
}

/** Those first that show the picture beside the question. */
const PROGRAMS: readonly DialogProgram[] = [
  {
    name: 'kdialog',
    // It takes what looks like a tag for markup.
    words: (text, picture) => [
      '--title',
      TITLE,
      '--inputbox',
      picture === undefined
        ? text.replaceAll('<', '‹')
        : `<p>${asMarkup(text)}</p><p><img src="${picture}"/></p>`,
    ],
  },
  {
    name: 'yad',
    words: (text, picture) => [
      '--entry',
      '--center',
      '--no-markup',
      `--title=${TITLE}`,
      `--text=${text}`,
      ...(picture === undefined ? [] : [`--image=${picture}`, '--image-on-top']),
    ],
  },
  {
    name: 'zenity',
    // It resolves backslashes.
    words: (text) => ['--entry', `--title=${TITLE}`, `--text=${text.replaceAll('\\', '\\\\')}`],
    // As high as to show the picture above the question, which opens over its middle.
    shows: (picture) => [
      '--list',
      '--imagelist',
      '--hide-header',
      '--column=',
      `--title=${TITLE}: the element`,
      '--text=This is what would be pressed. Answer in the other window.',
      '--width=680',
      '--height=740',
      picture,
    ],
  },
];

function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br/>');
}

/**
 * Asks the user of a desktop for consent in a window of a program of the system. The answer is a number that is shown only there, so that neither a
 * click nor a key sent or pressed before agrees. Never rejects.
 */
export async function askOnDesktop(
  environment: Environment,
  question: string,
  { limitMs, signal, picture, folders = SYSTEM_FOLDERS }: ConsentDialogOptions,
  own: Environment = process.env,
): Promise<ConsentAnswer> {
  const isVisible = Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  // Only the agent is on a private desktop; a daemon that was started there serves no other, whatever variables a caller leaves out.
  const isPrivate = [environment, own].some((one) => one[PRIVATE_DESKTOP_MARKER] !== undefined);
  if (!isVisible || isPrivate) return 'absent';
  for (const { name, words, shows } of PROGRAMS) {
    const program = findProgram(name, folders);
    if (program === undefined) continue;
    const code = String(randomInt(1000, 10_000));
    const text = `${wrapped(withoutControls(question))}\n\nIt may be irreversible.\nTo agree to this one act, type ${code} and press OK within ${Math.round(limitMs / 1000)} seconds.`;
    const kept = picture && (await keepPicture(async () => picture));
    const isOver = new AbortController();
    try {
      const until = AbortSignal.any([isOver.signal, ...(signal === undefined ? [] : [signal])]);
      // First, so that the question is over it.
      if (kept !== undefined && shows !== undefined)
        await show(program, shows(kept.path), { environment, limitMs, signal: until });
      return await run(program, words(text, kept?.path), code, { environment, limitMs, signal });
    } finally {
      isOver.abort();
      await kept?.remove();
    }
  }
  return 'absent';
}

/** Dialogs are as wide as their longest line. */
function wrapped(text: string): string {
  let line = '';
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= COLUMNS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Names in the question come from applications. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, ' ');
}

type DialogRun = ConsentDialogOptions & { readonly environment: Environment };

/** Shows a picture until the signal ends it, and resolves when it should be there. Without one the question still stands. */
async function show(program: string, words: readonly string[], about: DialogRun): Promise<void> {
  execFile(program, words, optionsOf(about), () => undefined).stdin?.end();
  // Nothing tells when its window is there, and the one that opens last is on top.
  await sleep(OPENING_MS);
}

function optionsOf({ environment, limitMs, signal }: DialogRun) {
  const env = { ...definedVariables(environment, (name) => PASSED.has(name)), [DIALOG_MARKER]: '1' };
  return { env, cwd: '/', timeout: limitMs, killSignal: 'SIGKILL', signal } as const;
}

async function run(
  program: string,
  words: readonly string[],
  code: string,
  about: DialogRun,
): Promise<ConsentAnswer> {
  const { signal } = about;
  return new Promise((resolve) => {
    execFile(program, words, optionsOf(about), (error, stdout, stderr) => {
      if (error === null) resolve(stdout.slice(0, LONGEST_TYPED).trim() === code ? 'agreed' : 'declined');
      else if (error.killed === true || signal?.aborted === true) resolve('unanswered');
      // It never had a window; nobody has declined.
      else resolve(typeof error.code !== 'number' || /display|plugin/i.test(stderr) ? 'absent' : 'declined');
    }).stdin?.end();
  });
}
