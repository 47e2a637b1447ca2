import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../model/configuration/config.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalLogLevel } from '../../model/terminals/terminal-app.ts';
import type { LogFolderChoice, LogPort, LogsPort } from '../../ports/log.ts';
import type { Caller } from '../../model/sessions/caller.ts';

/** File name prefix. The log is separate because, unlike others, it may contain commands. */
const STEM = 'deskterity-terminal';
/** How long an unwritable log stays off before its folders are tried again. */
const RETRY_MS = 30_000;
/** Callers may name any folder; the least recently used logs are closed. */
const MAX_LOGS = 16;

export interface TerminalLogCaller {
  readonly caller: Pick<Caller, 'environment' | 'cwd'>;
  readonly configuration: Pick<Configuration, 'terminal' | 'log'>;
  /** The caller's usual log folder. */
  readonly usual: string;
}

/** Absolute folders for choosing that of the log. */
export interface LogPlaces {
  /** The usual log folder. */
  readonly usual: string;
  /** Replaces `~`. */
  readonly home: string;
  /** Private to this user; otherwise another user could create it first. */
  readonly temporary: string;
  /** Base of relative folders. */
  readonly cwd: string;
}

/** Candidate folders for the terminal log; the first writable one is used. A configured folder has no fallback. */
export function terminalLogFolders(asked: string, places: LogPlaces): readonly [string, ...string[]] {
  const temporary = join(places.temporary, 'deskterity-terminal');
  if (asked === '') return [places.usual, temporary];
  if (asked === 'SYSTEM_TEMP') return [temporary];
  if (asked === '~') return [places.home];
  if (asked.startsWith('~/')) return [join(places.home, asked.slice(2))];
  return [asked.startsWith('/') ? asked : join(places.cwd, asked)];
}

/** Candidate folders from the settings of a caller, best first. */
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

/** The terminal log folder of a caller. @throws Error with the reasons if none of the candidates is writable */
export async function terminalLogFolder(
  files: Pick<LogsPort, 'firstFolder'>,
  of: TerminalLogCaller,
): Promise<string> {
  return (await files.firstFolder(choices(of))).path;
}

/** Terminal logs of all callers, each with its level and folder. */
export class TerminalLogs {
  private readonly files: Pick<LogsPort, 'open' | 'firstFolder'>;
  private readonly opened = new Map<string, Promise<LogPort>>();

  constructor(files: Pick<LogsPort, 'open' | 'firstFolder'>) {
    this.files = files;
  }

  /** Without a configured folder, an unwritable log is silently off. @throws DeskterityError CONFIG_INVALID if the configured folder cannot be used */
  of(asking: TerminalLogCaller): Promise<LogPort> {
    const { terminal, log } = asking.configuration;
    if (terminal.log_level === 'none') return Promise.resolve(SILENT);
    const key = JSON.stringify([terminal.log_level, log.keep_days, choices(asking)]);
    const known = this.opened.get(key) ?? this.open(asking, terminal.log_level, key);
    this.opened.delete(key);
    this.opened.set(key, known);
    const [oldest] = this.opened.keys();
    if (this.opened.size > MAX_LOGS && oldest !== undefined) this.opened.delete(oldest);
    return known;
  }

  /** Resolves when all entries are written. */
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
        {
          suggestion:
            'Set it to a folder that only you can write, or leave it empty for the usual log folder.',
        },
      );
    }
  }
}

const SILENT: LogPort = { write: () => undefined, flush: async () => undefined };
