import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../model/configuration/config.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { TerminalLogLevel } from '../../model/terminals/terminal-app.ts';
import { createLog, logFolder } from '../../platform/node/logs/log.ts';
import { firstLogFolder } from '../../platform/node/logs/terminal-log-folder.ts';
import type { LogFolderChoice } from '../../platform/node/logs/terminal-log-folder.ts';
import type { LogPort } from '../../ports/log.ts';
import { terminalLogFolders } from '../../terminal/use-cases/terminal-settings.ts';
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
  /** Cache folder of the caller. */
  readonly cache: string;
}

/** Folders that the log of terminals may go to by the settings of a caller, best first. */
function choices({ caller, configuration, cache }: TerminalLogCaller): readonly LogFolderChoice[] {
  const { environment, cwd } = caller;
  const asked = configuration.terminal.log_dir;
  const temporary = join(environment['TMPDIR'] || tmpdir(), `deskterity-${process.getuid?.() ?? 'user'}`);
  const usual = logFolder(cache);
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
export async function terminalLogFolder(of: TerminalLogCaller): Promise<string> {
  return (await firstLogFolder(choices(of))).path;
}

/** Logs of terminals of all callers: each at its level, in its folder. */
export class TerminalLogs {
  private readonly opened = new Map<string, Promise<LogPort>>();

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
      const { path, isNamed } = await firstLogFolder(choices(asking));
      return createLog({ folder: path, isNamed, stem: STEM, level, keepDays: log.keep_days });
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
