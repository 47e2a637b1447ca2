import type { ToolFacts } from '../../../app/tool-facts.ts';

/** What an access token may permit; each includes those before it. */
export const SCOPES = ['read', 'act', 'admin'] as const;
export type Scope = ToolFacts['access'];

/** Of a tool that names none: a new kind of tool must not be open to everybody by mistake. */
export const STRICTEST: Scope = 'admin';

/** Whether granted scopes permit what needs this one, which may also be one of the authorization server's own. */
export function covers(granted: readonly string[], needed: string): boolean {
  if (granted.includes(needed)) return true;
  const level = levelOf(needed);
  return level >= 0 && granted.some((scope) => levelOf(scope) > level);
}

export function higher(one: Scope, other: Scope): Scope {
  return levelOf(one) > levelOf(other) ? one : other;
}

function levelOf(scope: string): number {
  return SCOPES.findIndex((each) => each === scope);
}
