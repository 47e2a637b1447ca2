import type { ToolFacts } from '../../../app/tool-facts.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { nearest } from '../../../model/text/nearest.ts';

/** Every command that is a tool. */
const ALL = 'all';
/** The four tools of the inspect dialect. */
export const INSPECT = 'inspect';
/** The one tool of the Terminator dialect. */
export const TERMINATOR = 'terminator';
/** The tools of the ax dialect. */
export const AX = 'ax';
const DIALECTS: readonly string[] = [INSPECT, TERMINATOR, AX];

/** The toolsets that a client can choose: those of commands, then `all` and the dialects. */
export function toolsetNames(all: readonly ToolFacts[]): readonly string[] {
  return [...new Set(all.flatMap(({ toolsets }) => toolsets)), ALL, ...DIALECTS];
}

/** The toolsets that a client may choose where `most` is the ceiling: `all` contains the others, but not the dialects. */
export function offeredToolsets(
  all: readonly ToolFacts[],
  most: readonly string[] | undefined,
): readonly string[] {
  const names = toolsetNames(all);
  if (most === undefined) return names;
  return names.filter((name) => most.includes(name) || (most.includes(ALL) && !DIALECTS.includes(name)));
}

/** @throws DeskterityError INVALID_ARGUMENT for an unknown name */
export function requireToolsets(chosen: readonly string[], all: readonly ToolFacts[]): void {
  const names = toolsetNames(all);
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined && chosen.length > 0) return;
  const close = unknown === undefined ? undefined : nearest(unknown, names);
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    unknown === undefined
      ? 'No toolset is given.'
      : `Unknown toolset ${JSON.stringify(unknown.slice(0, 80))}.`,
    {
      suggestion: close === undefined ? `Available: ${names.join(', ')}.` : `Did you mean ${close}?`,
    },
  );
}

export interface Choice {
  readonly toolsets: readonly string[];
  /** Capabilities of the desktop; if unknown, all are assumed. */
  readonly capabilities: Readonly<Record<string, boolean>> | undefined;
}

/** The commands offered to a client, as far as the policy lets it use them. */
export function choose(all: readonly ToolFacts[], choice: Choice): readonly ToolFacts[] {
  const { toolsets, capabilities } = choice;
  return all.filter(
    (facts) =>
      (toolsets.includes(ALL) || facts.toolsets.some((name) => toolsets.includes(name))) &&
      facts.needs.every((need) => capabilities?.[need] !== false),
  );
}
