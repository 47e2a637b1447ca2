import { mentionCommand, mentionKey } from '../model/text/mention.ts';
import { z } from 'zod';
import { Mode } from '../model/effects/mode.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { parseLocator } from '../model/refs/locator.ts';
import type { RefKind } from '../model/refs/ref.ts';
import { parseRef } from '../model/refs/ref.ts';
import { parseRole, ROLES } from '../model/tree/role.ts';
import { nearest } from '../model/text/nearest.ts';

/** Longest deadline a caller may ask for: one hour. */
export const MAX_TIMEOUT_MS = 3_600_000;

/** The application a command looks at. */
export const App = z.string().min(1).describe('Application: its name in any case, or its process id.');

/** The window a command looks at. */
export const WindowSelector = z
  .string()
  .min(1)
  .describe('Window: a reference (@w3), an id or a part of its title.');

/** An element: a ref, or a locator that matches it. A terminal (`@t1`) stands for its screen; windows (`@w3`) are none. */
export const Target = targetOf(['e', 't'], 'an element reference like @e7');

/** An element, a window or a terminal: a ref, or a locator of an element. */
export const AnyTarget = targetOf(['e', 'w', 't'], 'a reference like @e7 or @w3');

/** The terminal a command is about, instead of the desktop. */
export const TerminalChoice = z.string().describe('Terminal (@t1, id or tag).');

/** A role by its ARIA name, or by one of the other names people use for it. */
export const RoleName = z
  .string()
  .refine((text) => parseRole(text) !== undefined, {
    error: ({ input }) => `${quote(input)} is not a role${didYouMean(input, ROLES)}`,
    params: {
      suggestion: 'Use an ARIA role such as button, textbox, checkbox, menuitem, tab, link or listitem.',
    },
  })
  .describe(
    'Role, by its ARIA name (button, textbox, …); native names such as AXButton or "push button" work too.',
  );

/** Deadline of a call that talks to applications. */
export function timeout(defaultMs: number) {
  return z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(defaultMs)
    .describe('Deadline for the whole call, in milliseconds.');
}

/** What an act may use. */
export const ModeChoice = Mode.optional().describe(
  'Accessibility alone, keyboard or pointer; else the first that works.',
);

/** The element an act is for, and what the act may use. */
export const actTarget = {
  ref: Target,
  heal: z.boolean().default(false).describe('Where it matches nothing, take what is clearly meant.'),
  mode: ModeChoice,
};

/** A switch that is off unless given. */
export function flag(description: string) {
  return z.boolean().default(false).describe(description);
}

/** What an answer says about a reading that may have been cut short. */
export const completeness = {
  complete: z
    .boolean()
    .describe(`False when a part could not be read; ${mentionKey('incomplete_reasons')} says why.`),
  incomplete_reasons: z.array(z.string()).optional(),
};

/** The completeness fields of an answer, with the reasons left out when there are none. */
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
          : { message: `${quote(text)} is not ${expected}`, suggestion: NO_REF };
      if (problem === undefined) return;
      const { message, suggestion } = problem;
      issues.addIssue({ code: 'custom', message: message.replace(/\.$/, ''), params: { suggestion } });
    })
    .describe('Reference (@e7) or locator (role:button[name="Save"]).');
}

const NO_REF = `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} to get references.`;

/** Why a text is no locator. */
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
