import type { ToolFacts } from '../../../app/tool-facts.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { nearest } from '../../../model/text/nearest.ts';

/** Every command that is a tool. */
const ALL = 'all';
/** The four tools of a dialect of its own. */
export const INSPECT = 'inspect';
/** The one tool of another dialect. */
export const TERMINATOR = 'terminator';

/** The names a client can choose from: those that commands name, then those that stand for more or other tools. */
export function toolsetNames(all: readonly ToolFacts[]): readonly string[] {
  return [...new Set(all.flatMap(({ toolsets }) => toolsets)), ALL, INSPECT, TERMINATOR];
}

/** @throws DeskterityError INVALID_ARGUMENT for a name that is none */
export function requireToolsets(chosen: readonly string[], all: readonly ToolFacts[]): void {
  const names = toolsetNames(all);
  const strange = chosen.find((name) => !names.includes(name));
  if (strange === undefined && chosen.length > 0) return;
  const close = strange === undefined ? undefined : nearest(strange, names);
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    strange === undefined
      ? 'No toolset is named.'
      : `There is no toolset ${JSON.stringify(strange.slice(0, 80))}.`,
    {
      suggestion: close === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${close}?`,
    },
  );
}

export interface Choice {
  readonly toolsets: readonly string[];
  readonly isReadOnly: boolean;
  /** Of the desktop; all of them where it is not known. */
  readonly capabilities: Readonly<Record<string, boolean>> | undefined;
}

/** The commands that a client is offered. */
export function choose(all: readonly ToolFacts[], choice: Choice): readonly ToolFacts[] {
  const { toolsets, isReadOnly, capabilities } = choice;
  return all.filter(
    (facts) =>
      (toolsets.includes(ALL) || facts.toolsets.some((name) => toolsets.includes(name))) &&
      (facts.isReadOnly || !isReadOnly) &&
      facts.needs.every((need) => capabilities?.[need] !== false),
  );
}
