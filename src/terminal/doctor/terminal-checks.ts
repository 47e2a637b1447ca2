import { byPerson, mentionCommand } from '../../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { TrialFailure, type Trial } from '../../model/effects/trial.ts';
import type { TerminalAppChoice } from '../../model/terminals/terminal-app.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import type { TerminalApplicationsPort } from '../../ports/terminals/terminal-applications.ts';
import { shellKindOf, type ShellKind } from '../shells/shell-kind.ts';
import type { Environment } from '../../model/sessions/caller.ts';

/** What the checks of terminals use. */
export interface TerminalCheckParts {
  readonly terminals: () => Promise<TerminalsPort>;
  /** Starts a terminal with a tag in the caller's folder, as commands do. */
  readonly start: (port: TerminalsPort, tag: string) => Promise<TerminalFactsView>;
  /** Absolute path of the shell in the caller's terminals. */
  readonly shell: string;
  /** The login shell, if a different shell is used. */
  readonly inPlaceOf?: string | undefined;
  readonly environment: Environment;
  readonly clock: ClockPort;
  readonly app: TerminalAppChoice;
  readonly applications: Pick<TerminalApplicationsPort, 'choose'>;
  /** Finds a program in a search path. */
  readonly findProgram: (name: string, searchPath: string) => string | undefined;
  readonly isExecutable: (file: string) => boolean;
  /** Level of the terminal log. */
  readonly logLevel: string;
  readonly logFolder: () => Promise<string>;
  /** `undefined` if the process has exited. */
  readonly memoryOf: (pid: number) => Promise<number | undefined>;
}

const TEST_OUTPUT = 'deskterity';
/** For the start files of a shell and the command. */
const COMMAND_MS = 10_000;
const END_WAITS = { interruptMs: 0, terminateMs: 200 };
const GONE_WITHIN_MS = 2000;
const POLL_MS = 20;
const LONGEST_SHOWN = 80;
const FREE_CHOICE = 'Set your login shell to bash, zsh or fish ("chsh -s /bin/bash").';

const HOOKED = 'hooks loaded after your own start files mark where its commands begin and end';
const MARKING: Readonly<Record<ShellKind, string>> = {
  bash: HOOKED,
  zsh: HOOKED,
  fish: HOOKED,
  posix: 'it has no hooks, so a line typed at its first prompt sets up the marks of its commands',
  none: 'the beginning and end of its commands cannot be detected',
};

/** Checks which shell terminals run and whether the beginning and end of its commands can be detected. */
export async function tryShell(
  { shell, inPlaceOf, isExecutable }: TerminalCheckParts,
  trial: Trial,
): Promise<string> {
  trial.step('look at the login shell');
  if (!isExecutable(shell))
    throw new TrialFailure(
      'broken',
      `The login shell ${quote(shell)} is not an executable program.`,
      FREE_CHOICE,
    );
  const kind = shellKindOf(shell);
  const why =
    inPlaceOf === undefined
      ? ''
      : ` It replaces your login shell ${quote(inPlaceOf)}, because the end and exit code of that shell's commands cannot be detected.`;
  return `${quote(shell)} is ${kind === 'posix' ? 'a POSIX shell' : basename(shell)}: ${MARKING[kind]}.${why}`;
}

/** Tests everything: a pseudo-terminal in its holder, a login shell, a typed command, its output and end, and the end of the terminal. */
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
        command: `echo ${TEST_OUTPUT}`,
        isBackground: false,
        waitMs: COMMAND_MS,
        lines: 10,
        interrupt: undefined,
        clear: false,
      },
      trial.signal ?? new AbortController().signal,
    );
    trial.step('check how it ended');
    if (ran.kind !== 'completed' || ran.exitCode !== 0)
      throw new TrialFailure(
        'broken',
        `The command did not succeed (${ran.kind === 'completed' ? `exit code ${ran.exitCode}` : ran.kind.replace('_', ' ')}); the state of its shell ${quote(parts.shell)} is "${ran.terminal.state.replaceAll('_', ' ')}".`,
        'Check the start files of your shell: they may ask a question or start another shell.',
      );
    if (ran.output.trim() !== TEST_OUTPUT)
      throw new TrialFailure(
        'broken',
        `The command wrote ${quote(TEST_OUTPUT)}, but ${quote(clip(ran.output, LONGEST_SHOWN))} was read.`,
        `Report this with the output of ${mentionCommand('version')}.`,
      );
    trial.step('end the terminal');
    await port.close(terminal.id, END_WAITS);
    isClosed = true;
    if (!(await hasGone(parts, terminal.pid, trial.signal)))
      throw new TrialFailure(
        'broken',
        `The terminal was ended, but its shell, process ${terminal.pid}, is still running.`,
      );
    return `A command was typed into ${quote(parts.shell)} on ${terminal.ttyPath}; its output and end were detected, and the terminal was ended.`;
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
    await clock.sleep(POLL_MS, signal);
  }
  return true;
}

/** Checks which application shows terminals. */
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
      'No terminal application is installed, or there is no display for one.',
      `${byPerson('Install one, such as xterm, kitty or Konsole')}, or run ${mentionCommand('terminal attach')} in any terminal, also over ssh.`,
    );
  const grouping =
    found.tabs === undefined
      ? 'each terminal has its own window, because tabs cannot be selected from outside'
      : 'terminals share windows according to terminal.window_grouping';
  return `${found.title} shows terminals: ${grouping}.`;
}

/** Checks whether the terminal log can be written. */
export async function tryTerminalLog(
  { logLevel, logFolder }: TerminalCheckParts,
  trial: Trial,
): Promise<string> {
  if (logLevel === 'none') return 'The log is off: terminal.log_level is none.';
  trial.step('look for a writable folder');
  const folder = await logFolder().catch((error: unknown) => {
    throw new TrialFailure(
      'broken',
      `None of the folders for the terminal log is writable: ${error instanceof Error ? error.message : String(error)}`,
      'Set terminal.log_dir to a folder that only you can write.',
    );
  });
  const commands = logLevel === 'debug' ? ' It contains commands, because the level is debug.' : '';
  return `Calls and events of level ${logLevel} or above are logged in ${quote(folder)}.${commands}`;
}
