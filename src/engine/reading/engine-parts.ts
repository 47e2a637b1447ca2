import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { Connections } from '../refs/connections.ts';
import type { TargetResolver } from '../refs/resolve.ts';
import type { ScopeResolver } from '../refs/scope.ts';
import type { Session } from '../refs/session.ts';
import type { Readings } from './readings.ts';

/** What the parts of one engine share. */
export interface EngineParts {
  readonly desktop: DesktopPort;
  readonly clock: ClockPort;
  readonly session: Session;
  readonly scope: ScopeResolver;
  readonly resolver: TargetResolver;
  readonly readings: Readings;
  readonly connections: Connections;
  /** The desktop is worked with a keyboard and a pointer of our own. */
  readonly isOwnSeat?: boolean | undefined;
  /** Nothing is sent, so nothing is waited for either: see `dry-run/`. */
  readonly isDryRun?: boolean | undefined;
}
