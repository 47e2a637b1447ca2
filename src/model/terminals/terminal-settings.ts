import type { Configuration, ResolvedConfiguration } from '../configuration/config.ts';
import type { TerminalAppChoice, TerminalLogLevel, TerminalNotify, WindowGrouping } from './terminal-app.ts';

/** Defaults of terminals for calls that do not say otherwise. */
export interface TerminalSettings {
  readonly app: TerminalAppChoice;
  readonly logLevel: TerminalLogLevel;
  /** As it was given. */
  readonly logDirectory: string;
  readonly windowGrouping: WindowGrouping;
  readonly lines: number;
  readonly backgroundStartupSeconds: number;
  readonly foregroundCompletionSeconds: number;
  /** `undefined` if not configured: each dialect then has its own default. */
  readonly focus: boolean | undefined;
  readonly background: boolean;
  readonly notify: TerminalNotify;
  /** Pauses between the signals that end a command. */
  readonly waits: { readonly interruptMs: number; readonly terminateMs: number };
  /** All of them by their names in the configuration. */
  readonly configured: Configuration['terminal'];
}

/** The facts of this machine and its settings for descriptions of terminals. */
export interface TerminalFacts {
  readonly settings: TerminalSettings;
  /** The application that shows terminals, as the user knows it: `Konsole`; `undefined` if none is installed. */
  readonly app: string | undefined;
  readonly version: string;
  /** Such as `Linux`. */
  readonly system: string;
}

/** The settings `terminal.*` of a call. */
export function terminalSettings({
  values: { terminal },
  entries,
}: Pick<ResolvedConfiguration, 'values' | 'entries'>): TerminalSettings {
  const isFocusConfigured = entries.some(
    ({ key, source }) => key === 'terminal.default_focus_on_action' && source !== 'default',
  );
  return {
    configured: terminal,
    app: terminal.app,
    logLevel: terminal.log_level,
    logDirectory: terminal.log_dir,
    windowGrouping: terminal.window_grouping,
    lines: terminal.default_lines,
    backgroundStartupSeconds: terminal.background_startup_seconds,
    foregroundCompletionSeconds: terminal.foreground_completion_seconds,
    focus: isFocusConfigured ? terminal.default_focus_on_action : undefined,
    background: terminal.default_background_execution,
    notify: terminal.notify,
    waits: {
      interruptMs: terminal.sigint_wait_seconds * 1000,
      terminateMs: terminal.sigterm_wait_seconds * 1000,
    },
  };
}
