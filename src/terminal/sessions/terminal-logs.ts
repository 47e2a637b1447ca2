import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../model/configuration/config.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalLogLevel } from '../../model/terminals/terminal-app.ts';
import type { LogFolderChoice, LogPort, LogsPort } from '../../ports/log.ts';
import type { Caller } from '../../model/sessions/caller.ts';

/** Names of its files begin so: unlike other logs it can have commands in it, so it is a file of its own. */
const STEM = 'deskterity-terminal';
/** How long one that cannot be written stays off before its folders are looked at again. */
const RETRY_MS = 30_000;
/** Callers may name any folder; logs that were used longest ago are forgotten. */
const MOST_LOGS = 16;

export interface TerminalLogCaller {
  readonly caller: Pick<Caller, 'environment' | 'cwd'>;
  readonly configuration: Pick<Configuration, 'terminal' | 'log'>;
  /** Where all logs of the caller go. */
  readonly usual: string;
}

/** Folders that a log may go to. All are absolute. */
export interface LogPlaces {
  /** Where all logs go. */
  readonly usual: string;
  /** For `~`. */
  readonly home: string;
  /** Of this user alone, else another could be first. */
  readonly temporary: string;
  /** What a relative folder is in. */
  readonly cwd: string;
}

/** Folders for the log of terminals, best first: the first that can be written is taken. One that was named has no second. */
export function terminalLogFolders(asked: string, places: LogPlaces): readonly [string, ...string[]] {
  const temporary = join(places.temporary, 'deskterity-terminal');
  if (asked === '') return [places.usual, temporary];
  if (asked === 'SYSTEM_TEMP') return [temporary];
  if (asked === '~') return [places.home];
  if (asked.startsWith('~/')) return [join(places.home, asked.slice(2))];
  return [asked.startsWith('/') ? asked : join(places.cwd, asked)];
}

/** Folders that the log of terminals may go to by the settings of a caller, best first. */
function choices({ caller, configuration, usual }: TerminalLogCaller): readonly LogFolderChoice[] {
  const { environment, cwd } = caller;
  const asked = configuration.terminal.log_dir;
  const temporary = join(environment['TMPDIR'] || tmpdir(), `deskterity-${process.getuid?.() ?? 'user'}`);
  const folders = terminalLogFolders(asked, {
    usual,
    home: environment['HOME'] || homedir(),
    temporary,
    cwd,
  });
  return folders.map((path) => ({
    path,
    isNamed: asked !== '' && asked !== 'SYSTEM_TEMP',
    isTemporary: path.startsWith(`${temporary}/`),
  }));
}

/** Where the log of terminals goes for a caller. @throws Error when none of its folders can be written, with the reasons */
export async function terminalLogFolder(
  files: Pick<LogsPort, 'firstFolder'>,
  of: TerminalLogCaller,
): Promise<string> {
  return (await files.firstFolder(choices(of))).path;
}

/** Logs of terminals of all callers: each at its level, in its folder. */
export class TerminalLogs {
  private readonly files: Pick<LogsPort, 'open' | 'firstFolder'>;
  private readonly opened = new Map<string, Promise<LogPort>>();

  constructor(files: Pick<LogsPort, 'open' | 'firstFolder'>) {
    this.files = files;
  }

  /** @throws DeskterityError CONFIG_INVALID where the folder that was named cannot be had; what goes nowhere else is lost */
  of(asking: TerminalLogCaller): Promise<LogPort> {
    const { terminal, log } = asking.configuration;
    if (terminal.log_level === 'none') return Promise.resolve(SILENT);
    const key = JSON.stringify([terminal.log_level, log.keep_days, choices(asking)]);
    const known = this.opened.get(key) ?? this.open(asking, terminal.log_level, key);
    this.opened.delete(key);
    this.opened.set(key, known);
    const [oldest] = this.opened.keys();
    if (this.opened.size > MOST_LOGS && oldest !== undefined) this.opened.delete(oldest);
    return known;
  }

  /** Resolves when all is in the files. */
  async flush(): Promise<void> {
    for (const log of await Promise.allSettled(this.opened.values()))
      if (log.status === 'fulfilled') await log.value.flush();
  }

  private async open(
    asking: TerminalLogCaller,
    level: Exclude<TerminalLogLevel, 'none'>,
    key: string,
  ): Promise<LogPort> {
    const { log, terminal } = asking.configuration;
    try {
      const { path, isNamed } = await this.files.firstFolder(choices(asking));
      return this.files.open({ folder: path, isNamed, stem: STEM, level, keepDays: log.keep_days });
    } catch (error) {
      setTimeout(() => this.opened.delete(key), RETRY_MS).unref();
      if (terminal.log_dir === '') return SILENT;
      this.opened.delete(key);
      throw new DeskterityError(
        'CONFIG_INVALID',
        `terminal.log_dir cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        { suggestion: 'Name a folder that only you can write to, or leave it empty for that of all logs.' },
      );
    }
  }
}

const SILENT: LogPort = { write: () => undefined, flush: async () => undefined };
