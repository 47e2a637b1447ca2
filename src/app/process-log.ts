import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Environment } from '../model/sessions/caller.ts';
import { logFolder, resolvePaths } from '../platform/paths.ts';
import { LOG_LEVELS, type FileLog, type LogEntry, type LogLevel } from '../ports/log.ts';
import type { Platform } from '../ports/platform.ts';

/** The settings of a caller. @throws DeskterityError CONFIG_INVALID */
export async function configurationOf(
  platform: Pick<Platform, 'configuration'>,
  environment: Environment,
): Promise<ResolvedConfiguration> {
  return platform.configuration({ environment, configFolder: resolvePaths(environment).config });
}

/** The log file of this process; with default settings if the configuration is unreadable, which every call then reports. */
export async function openProcessLog(
  platform: Pick<Platform, 'configuration' | 'logs'>,
  environment: Environment,
): Promise<FileLog> {
  const log = await configurationOf(platform, environment).then(
    ({ values }) => values.log,
    () => undefined,
  );
  return platform.logs.open({
    folder: logFolder(resolvePaths(environment).cache),
    level: log?.level ?? 'info',
    keepDays: log?.keep_days ?? 7,
  });
}

/** An entry as a line for standard error; `undefined` if it is less severe than `least`. */
export function toTerminalLine(
  { logs }: Pick<Platform, 'logs'>,
  entry: LogEntry,
  least: LogLevel,
  colour: boolean,
): string | undefined {
  if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(least)) return undefined;
  return logs.format(entry, { colour, time: new Date() });
}
