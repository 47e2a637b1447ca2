import { displayName, displayTag } from '../../model/terminals/session-name.ts';
import type { TerminalIdentity } from '../../model/terminals/session-name.ts';

/** A session in a list. */
export interface ListedSession {
  readonly identity: TerminalIdentity;
  readonly isBusy: boolean;
}

export interface InformationFacts {
  readonly version: string;
  /** As the user knows it: `Konsole`. */
  readonly app: string;
  readonly grouping: string;
  readonly logLevel: string;
  readonly sessions: readonly ListedSession[];
}

export function actionCompleted(action: string, session: TerminalIdentity): string {
  return `Terminator: Action '${action}' completed successfully for session '${displayTag(session)}'.`;
}

export function commandCompleted(session: TerminalIdentity, output: string): string {
  return `Terminator: Command completed in session '${displayTag(session)}'. Output:\n${output}`;
}

export function commandStarted(session: TerminalIdentity, output: string): string {
  return `Terminator: Command started in background in session '${displayTag(session)}'. Initial output (up to 'lines' limit):\n${output}`;
}

export function commandTimedOut(session: TerminalIdentity, seconds: number, output: string): string {
  return `Terminator: Command timed out after ${seconds} seconds in session '${displayTag(session)}'. Output may be incomplete. Output:\n${output}`;
}

export function contentOf(session: TerminalIdentity, content: string): string {
  return `Terminator: Content from session '${displayTag(session)}':\n${content}`;
}

export function sessionsFound(sessions: readonly ListedSession[]): string {
  if (sessions.length === 0) return 'Terminator: No active sessions found.';
  const count = sessions.length === 1 ? '1 session' : `${sessions.length} sessions`;
  return [`Terminator: Found ${count}.`, ...sessions.map(listed)].join('\n');
}

export function informationOn({ version, app, grouping, logLevel, sessions }: InformationFacts): string {
  const head = `Terminator v${version}. Config: App=${app}, Grouping=${grouping}, LogLevel=${logLevel}.`;
  if (sessions.length === 0) return `${head} No active sessions.`;
  return [`${head} Active Sessions:`, ...sessions.map(listed)].join('\n');
}

export function processTerminated(session: TerminalIdentity): string {
  return `Terminator: Process in session '${displayTag(session)}' successfully terminated.`;
}

export function sessionFocused(session: TerminalIdentity): string {
  return `Terminator: Session '${displayTag(session)}' is now focused.`;
}

function listed({ identity, isBusy }: ListedSession, index: number): string {
  return `${index + 1}. ${displayName(identity)} (${isBusy ? 'Busy' : 'Idle'})`;
}
