import { mentionCommand } from '../../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import type { Trial } from '../../model/effects/trial.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import type { TerminalApplicationsPort } from '../../ports/terminals/terminal-applications.ts';
import { shellKindOf } from '../shells/shell-kind.ts';
import type { ShellKind } from '../shells/shell-kind.ts';
import type { Environment } from '../../model/sessions/caller.ts';

/** What checks of terminals work on. */
export interface TerminalCheckParts {
  readonly terminals: () => Promise<TerminalsPort>;
  /** Starts the terminal of a tag in the caller's folder, as calls do. */
  readonly start: (port: TerminalsPort, tag: string) => Promise<TerminalFactsView>;
  /** Absolute path of what runs in terminals of the caller. */
  readonly shell: string;
  /** The login shell, where it is another one. */
  readonly inPlaceOf?: string | undefined;
  readonly environment: Environment;
  readonly clock: ClockPort;
  readonly app: TerminalAppChoice;
  readonly applications: Pick<TerminalApplicationsPort, 'choose'>;
  /** Path of a program in a PATH. */
  readonly findProgram: (name: string, searchPath: string) => string | undefined;
  readonly isExecutable: (file: string) => boolean;
  /** Level of the log of terminals, and where it goes. */
  readonly logLevel: string;
  readonly logFolder: () => Promise<string>;
  /** `undefined` when the process is gone. */
  readonly memoryOf: (pid: number) => Promise<number | undefined>;
}

const SAID = 'deskterity';
/** For the start files of a shell, and the command. */
const COMMAND_MS = 10_000;
const END_WAITS = { interruptMs: 0, terminateMs: 200 };
const GONE_WITHIN_MS = 2000;
const LOOK_EVERY_MS = 20;
const LONGEST_SHOWN = 80;
const FREE_CHOICE = 'Set your login shell to bash, zsh or fish ("chsh -s /bin/bash").';

const HOW: Readonly<Record<ShellKind, string>> = {
  bash: 'its commands have marks from hooks that it reads after your own files',
  zsh: 'its commands have marks from hooks that it reads after your own files',
  fish: 'its commands have marks from hooks that it reads after your own files',
  posix:
    'its commands have marks from a line that is typed at its first prompt, as it has no hooks of its own',
  none: 'its commands have no marks',
};

/** What sort of shell terminals run, and whether it is one whose commands have a beginning and an end. */
export async function tryShell(
  { shell, inPlaceOf, isExecutable }: TerminalCheckParts,
  trial: Trial,
): Promise<string> {
  trial.step('look at the login shell');
  if (!isExecutable(shell))
    throw new TrialFailure(
      'broken',
      `The login shell ${quote(shell)} is no program that can be run.`,
      FREE_CHOICE,
    );
  const kind = shellKindOf(shell);
  const why =
    inPlaceOf === undefined
      ? ''
      : ` It runs in place of your login shell ${quote(inPlaceOf)}, of whose commands the end and the exit code cannot be told.`;
  return `${quote(shell)} is ${kind === 'posix' ? 'a POSIX shell' : basename(shell)}: ${HOW[kind]}.${why}`;
}

/** All of it: a pseudo-terminal in its holder, a login shell, a command that is typed, its output and end, and the end of the terminal. */
export async function tryTerminal(parts: TerminalCheckParts, trial: Trial): Promise<string> {
  trial.step('start a terminal');
  const port = await parts.terminals();
  const terminal = await parts.start(port, `doctor-${randomBytes(4).toString('hex')}`);
  let isClosed = false;
  try {
    trial.step('type a command');
    const ran = await port.run(
      terminal.id,
      {
        command: `echo ${SAID}`,
        isBackground: false,
        waitMs: COMMAND_MS,
        lines: 10,
        interrupt: undefined,
        clear: false,
      },
      trial.signal ?? new AbortController().signal,
    );
    trial.step('see its end');
    if (ran.kind !== 'completed' || ran.exitCode !== 0)
      throw new TrialFailure(
        'broken',
        `The command ${ran.kind === 'completed' ? `ended with exit code ${ran.exitCode}` : ran.kind.replace('_', ' ')}; its shell ${quote(parts.shell)} is ${ran.terminal.state.replaceAll('_', ' ')}.`,
        'Look at what the start files of your shell do when nobody is there to answer: they may ask for something, or start another shell.',
      );
    if (ran.output.trim() !== SAID)
      throw new TrialFailure(
        'broken',
        `It wrote ${quote(SAID)}, and ${quote(clip(ran.output, LONGEST_SHOWN))} was read.`,
        `Report it with the output of ${mentionCommand('version')}.`,
      );
    trial.step('end the terminal');
    await port.close(terminal.id, END_WAITS);
    isClosed = true;
    if (!(await hasGone(parts, terminal.pid, trial.signal)))
      throw new TrialFailure(
        'broken',
        `The terminal was ended, and its shell, process ${terminal.pid}, still runs.`,
      );
    return `A command was typed into ${terminal.ttyPath} in ${quote(parts.shell)}; its output and its end were seen, and the terminal was ended.`;
  } finally {
    if (!isClosed) await port.close(terminal.id, END_WAITS).catch(() => undefined);
  }
}

async function hasGone(
  { clock, memoryOf }: TerminalCheckParts,
  pid: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const end = clock.now() + GONE_WITHIN_MS;
  while ((await memoryOf(pid)) !== undefined) {
    if (clock.now() >= end) return false;
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  return true;
}

/** Which application shows terminals. */
export async function tryApplication(
  { environment, app, applications, findProgram }: TerminalCheckParts,
  trial: Trial,
): Promise<string> {
  trial.step('look for a terminal application');
  const searchPath = environment['PATH'] ?? '';
  const found = applications.choose(app, {
    environment,
    isThere: (program) => findProgram(program, searchPath) !== undefined,
  });
  if (found === undefined)
    throw new TrialFailure(
      'refused',
      'No terminal application is here that could show a terminal, or there is no display for one.',
      `Install one, such as xterm, kitty or Konsole; or run ${mentionCommand('terminal attach')} by hand in any terminal, also over ssh.`,
    );
  const grouping =
    found.tabs === undefined
      ? 'each terminal has a window of its own, as its tabs cannot be chosen from outside'
      : 'terminals share windows as terminal.window_grouping says';
  return `${found.title} shows terminals: ${grouping}.`;
}

/** Whether what is done with terminals can be noted. */
export async function tryTerminalLog(
  { logLevel, logFolder }: TerminalCheckParts,
  trial: Trial,
): Promise<string> {
  if (logLevel === 'none') return 'It is switched off: terminal.log_level is none.';
  trial.step('look for a folder that can be written');
  const folder = await logFolder().catch((error: unknown) => {
    throw new TrialFailure(
      'broken',
      `No folder for it can be written: ${error instanceof Error ? error.message : String(error)}`,
      'Set terminal.log_dir to a folder that only you can write to.',
    );
  });
  const commands = logLevel === 'debug' ? ' Commands are in it, as the level is debug.' : '';
  return `Calls and events of the level ${logLevel} go to ${quote(folder)}.${commands}`;
}
