import type { ResolvedConfiguration } from '../../model/configuration/config.ts';
import type { TerminalDialect } from '../../model/terminals/terminal-action.ts';
import type { TerminalAnswer } from '../../model/terminals/terminal-answer.ts';
import type { DesktopPort } from '../../ports/desktop.ts';
import { terminalSettings } from '../../terminal/use-cases/terminal-settings.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { withUserDesktop } from '../../sessions/find-desktop.ts';
import type { AppParts } from '../app.ts';
import { callTerminal } from './terminal-calls.ts';
import type { TerminalCallOptions, TerminalCallParts } from './terminal-calls.ts';
import { once } from '../../sessions/once.ts';
import type { TerminalSeats } from './terminal-seats.ts';
import { terminalTool } from './terminal-words.ts';
import type { TerminalTool } from './terminal-words.ts';
import { applicationTitle, WindowStage } from './window-stage.ts';

export type TerminalDeskParts = Pick<AppParts, 'system' | 'desktops' | 'clock' | 'outlivesCalls'> &
  Pick<TerminalCallParts, 'start' | 'configuration' | 'terminals' | 'refs' | 'log'> & {
    readonly seats: TerminalSeats;
    readonly desktopOf: (environment: Environment) => Promise<DesktopPort>;
  };

/** One call, with what of it depends on the machine. @throws as {@link callTerminal} */
export function callFor(
  parts: TerminalDeskParts,
  given: Readonly<Record<string, unknown>>,
  options: TerminalCallOptions,
): Promise<TerminalAnswer> {
  const { system, start, configuration, terminals, log } = parts;
  return callTerminal(
    {
      start,
      configuration,
      terminals,
      refs: parts.refs,
      stage: stageFor(parts),
      version: system.version,
      log,
    },
    given,
    options,
  );
}

function stageFor({
  start: { caller },
  configuration,
  terminals,
  seats,
  desktops,
  desktopOf,
  clock,
  system,
  outlivesCalls,
}: TerminalDeskParts): WindowStage {
  const found = once(() => withUserDesktop(caller, desktops));
  const { program } = system;
  return new WindowStage({
    environment: async () => (await found.get()).environment,
    settings: terminalSettings(configuration),
    terminals,
    seats,
    desktopOf,
    clock,
    isDaemon: outlivesCalls,
    program: program && [program.node, program.script],
  });
}

/** What a client is offered to call. Never rejects. */
export async function toolFor(
  {
    configuration,
    system,
    start,
  }: Pick<TerminalDeskParts, 'start' | 'system'> & {
    readonly configuration: Pick<ResolvedConfiguration, 'values' | 'entries'>;
  },
  dialect: TerminalDialect,
): Promise<TerminalTool> {
  return terminalTool(dialect, {
    settings: terminalSettings(configuration),
    app: applicationTitle(configuration.values.terminal.app, start.caller.environment),
    version: system.version,
    system: systemName(system.platform),
  });
}

/** As people call it. */
function systemName(platform: string): string {
  return { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[platform] ?? platform;
}
