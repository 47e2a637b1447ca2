import type { CallOptions } from '../../ports/desktop.ts';
import type { Point } from '../../ports/input.ts';
import type { Actor } from '../acting/act.ts';
import type { Scope } from '../engine.ts';
import type { TargetResolver } from '../refs/resolve.ts';
import type { ScopeResolver } from '../refs/scope.ts';
import type { Session } from '../session.ts';
import type { SettleLimits } from '../evidence/settle.ts';
import type { PointerParts } from './aim.ts';

/** What acting with keyboard and pointer needs. */
export interface InputParts extends PointerParts {
  readonly actor: Actor;
  readonly resolver: TargetResolver;
  readonly scope: ScopeResolver;
  readonly session: Session;
}

export interface InputRequest extends CallOptions {
  /** See `ActRequest`. */
  readonly settle?: SettleLimits | undefined;
}

/** Where keys go: an element, a window, or whatever has the keyboard now. */
export interface KeysRequest extends InputRequest, Scope {
  readonly ref?: string | undefined;
}

/** A place: an element, or pixels of the screen. */
export type Place = { readonly ref: string } | { readonly point: Point };
