import { Configuration, type ConfigurationEntry } from '../../../src/model/configuration/config.ts';
import { terminalSettings, type TerminalSettings } from '../../../src/model/terminals/terminal-settings.ts';

/** Terminal settings with these values configured, and defaults for the rest. */
export function settingsWith(terminal: Partial<Configuration['terminal']> = {}): TerminalSettings {
  const entries = Object.entries(terminal).map(([name, value]): ConfigurationEntry => ({
    key: `terminal.${name}`,
    value,
    source: 'environment',
  }));
  return terminalSettings({ values: Configuration.parse({ terminal }), entries });
}
