import { resolvePaths } from '../platform/paths.ts';
import { createConfigurationLoader } from '../platform/node/configuration/configuration-file.ts';
import { createLog, formatForTerminal, logFolder } from '../platform/node/logs/log.ts';
import type { FileLog } from '../platform/node/logs/log.ts';
import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import { LOG_LEVELS } from '../ports/log.ts';
import type { LogEntry, LogLevel } from '../ports/log.ts';
import type { Environment } from '../model/sessions/caller.ts';

const loader = createConfigurationLoader();

/** The settings of a caller. @throws DeskterityError CONFIG_INVALID */
export async function configurationOf(environment: Environment): Promise<ResolvedConfiguration> {
  return loader({ environment, configFolder: resolvePaths(environment).config });
}

/** The log file of this process; with default settings where the configuration cannot be read, which each call then says for itself. */
export async function openProcessLog(environment: Environment): Promise<FileLog> {
  const log = await configurationOf(environment).then(
    ({ values }) => values.log,
    () => undefined,
  );
  return createLog({
    folder: logFolder(resolvePaths(environment).cache),
    level: log?.level ?? 'info',
    keepDays: log?.keep_days ?? 7,
  });
}

/** An entry as a line for standard error; `undefined` when it is less severe than `least`. */
export function toTerminalLine(entry: LogEntry, least: LogLevel, colour: boolean): string | undefined {
  if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(least)) return undefined;
  return formatForTerminal(entry, { colour, time: new Date() });
}
