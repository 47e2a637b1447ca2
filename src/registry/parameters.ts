import { mentionCommand, mentionKey } from '../model/text/mention.ts';
import { z } from 'zod';
import { Mode } from '../model/effects/mode.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { parseLocator } from '../model/refs/locator.ts';
import { parseRef, type RefKind } from '../model/refs/ref.ts';
import { parseRole, ROLES } from '../model/tree/role.ts';
import { nearest } from '../model/text/nearest.ts';

/** Longest deadline: one hour. */
export const MAX_TIMEOUT_MS = 3_600_000;

/** The application a command concerns. */
export const App = z.string().min(1).describe('Name, process id or alias.');

/** The window a command concerns. */
export const WindowSelector = z.string().min(1).describe('Part of its title, id or @w3.');

/** An element: a ref, or a locator that matches it. A terminal (`@t1`) means its screen; windows (`@w3`) are refused. */
export const Target = targetOf(['e', 't'], 'an element reference like @e7');

/** An element, a window or a terminal: a ref, or a locator of an element. */
export const AnyTarget = targetOf(['e', 'w', 't'], 'a reference like @e7 or @w3');

/** Whether a text is a reference, or a locator that says so by its beginning, rather than something to type. */
export function looksLikeTarget(text: string): boolean {
  if (parseRef(text.trim()) !== undefined) return true;
  if (!/^\s*(?:role|text|label|id|path|cell|app|window):/i.test(text)) return false;
  return problemOf(text) === undefined;
}

/** The terminal a command concerns, instead of the desktop. */
export const TerminalChoice = z.string().describe('Tag, id or @t1.');

/** A role by its ARIA name or a common synonym. */
export const RoleName = z
  .string()
  .refine((text) => parseRole(text) !== undefined, {
    error: ({ input }) => `${quote(input)} is not a role${didYouMean(input, ROLES)}`,
    params: {
      suggestion: 'Use an ARIA role such as button, textbox, checkbox, menuitem, tab, link or listitem.',
    },
  })
  .describe('ARIA role (button, textbox, …); native names such as AXButton or "push button" also work.');

/** Deadline of a call that talks to applications. */
export function timeout(defaultMs: number) {
  return z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(defaultMs)
    .describe('Deadline for the whole call, in milliseconds.');
}

/** The strategies an act may use. */
export const ModeChoice = Mode.optional().describe(
  'Only by accessibility (background), keyboard (focus) or pointer.',
);

/** The element an act is for, and the strategies the act may use. */
export const actTarget = {
  ref: Target,
  heal: z.boolean().default(false).describe('Accept an obvious replacement if it is lost.'),
  mode: ModeChoice,
};

/** Text that may be left out, but not be empty. */
export function optionalText(description: string) {
  return z.string().min(1).optional().describe(description);
}

/** A switch that is off unless given. */
export function flag(description: string) {
  return z.boolean().default(false).describe(description);
}

/** Whether what earlier readings told may be used. */
export const Mirror = z
  .boolean()
  .default(true)
  .describe('False reads everything anew: nothing known from earlier readings and events is used.');

/** The part of an answer that says whether everything was read. */
export const completeness = {
  complete: z
    .boolean()
    .describe(`False if a part could not be read; ${mentionKey('incomplete_reasons')} says why.`),
  incomplete_reasons: z.array(z.string()).optional(),
};

/** The completeness fields of an answer; the reasons are left out if there are none. */
export function completenessOf(result: { complete: boolean; incompleteReasons: readonly string[] }): {
  complete: boolean;
  incomplete_reasons?: string[];
} {
  const { complete, incompleteReasons } = result;
  return incompleteReasons.length === 0
    ? { complete }
    : { complete, incomplete_reasons: [...incompleteReasons] };
}

function quote(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 80));
}

function targetOf(kinds: readonly RefKind[], expected: string) {
  return z
    .string()
    .superRefine((text, issues) => {
      const kind = parseRef(text)?.kind;
      if (kind !== undefined && kinds.includes(kind)) return;
      const problem =
        kind === undefined
          ? problemOf(text)
          : { message: `${quote(text)} is not ${expected}`, suggestion: HOW_TO_GET_REFS };
      if (problem === undefined) return;
      const { message, suggestion } = problem;
      issues.addIssue({ code: 'custom', message: message.replace(/\.$/, ''), params: { suggestion } });
    })
    .describe('Reference (@e7) or locator: role:button[name="Save"], cell:B2.');
}

const HOW_TO_GET_REFS = `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} to get references.`;

/** Why a text is not a locator. */
function problemOf(text: string): DeskterityError | undefined {
  try {
    parseLocator(text);
    return undefined;
  } catch (error) {
    if (error instanceof DeskterityError) return error;
    throw error;
  }
}

function didYouMean(value: unknown, accepted: readonly string[]): string {
  const close = nearest(String(value), accepted);
  return close === undefined ? '' : `; did you mean ${close}?`;
}
