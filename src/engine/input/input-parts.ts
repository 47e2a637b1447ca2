import type { Actor } from '../acting/act.ts';
import type { TargetResolver } from '../refs/resolve.ts';
import type { ScopeResolver } from '../refs/scope.ts';
import type { Session } from '../refs/session.ts';
import type { PointerParts } from './aim.ts';

/** What acting with keyboard and pointer needs. */
export interface InputParts extends PointerParts {
  readonly actor: Actor;
  readonly resolver: TargetResolver;
  readonly scope: ScopeResolver;
  readonly session: Session;
}
