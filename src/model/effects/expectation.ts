import { z } from 'zod';
import { ROLES } from '../tree/role.ts';
import { clip, quoteClipped } from '../text/untrusted-text.ts';

/** What can be expected of one element. All texts are compared character by character. */
export const Expected = z.object({
  exists: z.boolean().optional(),
  visible: z.boolean().optional(),
  enabled: z.boolean().optional(),
  focused: z.boolean().optional(),
  checked: z.boolean().optional(),
  role: z.enum(ROLES).optional(),
  title: z.string().optional(),
  value: z.string().optional(),
  contains_text: z.string().optional(),
});
export type Expected = z.output<typeof Expected>;

export const ExpectedProperty = Expected.keyof();
export type ExpectedProperty = z.output<typeof ExpectedProperty>;

/** One expectation with what was seen; `null` if there was nothing to see. */
export const Check = z.object({
  target: z.string().optional().describe('Of which element, if there are several.'),
  property: ExpectedProperty,
  expected: z.union([z.boolean(), z.string()]),
  actual: z.union([z.boolean(), z.string(), z.null()]),
  passed: z.boolean(),
  because: z
    .string()
    .optional()
    .describe(
      'Why it does not exist although nothing was looked at: its application or window is not there.',
    ),
});
export type Check = z.output<typeof Check>;

/** What is seen of one element that exists. */
export interface Seen {
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly focused: boolean;
  readonly checked: boolean;
  readonly role: string;
  readonly title: string;
  /** Absent if it has no readable value. */
  readonly value: string | undefined;
  /** Its own text, or that of its content. */
  readonly contains_text: string;
}

export interface Outcome {
  readonly checks: readonly Check[];
  readonly failures: readonly Check[];
}

/** Milliseconds for a single look, if no time to wait is given. */
export const LOOK_ONCE_MS = 2000;
/** Characters of a text that an answer shows as seen. */
const LONGEST_ACTUAL = 500;
const LONGEST_SHOWN = 120;

/**
 * Compares each expectation with what was seen; `undefined` for an element that does not exist, of which nothing else holds. `holds` compares
 * values, because numbers can be written in several ways.
 */
export function compare(
  expected: Expected,
  seen: Seen | undefined,
  holds: (value: string, wanted: string) => boolean,
  /** Why nothing was looked at. */
  because?: string,
): Outcome {
  const checks: Check[] = [];
  const failures: Check[] = [];
  for (const property of ExpectedProperty.options) {
    const wanted = expected[property];
    if (wanted === undefined) continue;
    const actual = property === 'exists' ? seen !== undefined : (seen?.[property] ?? null);
    const check = {
      property,
      expected: wanted,
      actual: typeof actual === 'string' ? clip(actual, LONGEST_ACTUAL) : actual,
      passed: isAsExpected(property, wanted, actual, holds),
      ...(property === 'exists' && because !== undefined ? { because } : {}),
    };
    checks.push(check);
    if (!check.passed) failures.push(check);
  }
  // Any expectation implies that the element exists.
  if (seen === undefined && expected.exists === undefined)
    failures.unshift({
      property: 'exists',
      expected: true,
      actual: false,
      passed: false,
      ...(because === undefined ? {} : { because }),
    });
  return { checks, failures };
}

function isAsExpected(
  property: ExpectedProperty,
  wanted: boolean | string,
  actual: boolean | string | null,
  holds: (value: string, wanted: string) => boolean,
): boolean {
  if (typeof wanted === 'string' && typeof actual === 'string') {
    if (property === 'contains_text') return actual.includes(wanted);
    return property === 'value' ? holds(actual, wanted) : actual === wanted;
  }
  return actual === wanted;
}

/** One check in words: `value: expected "Grace", is "Ada"`. */
export function describeCheck({ property, expected, actual, because }: Check): string {
  const verb = property === 'contains_text' ? 'text is' : 'is';
  const why = because === undefined ? '' : ` (${because})`;
  return `${property}: expected ${shown(expected)}, ${verb} ${actual === null ? 'nothing' : shown(actual)}${why}`;
}

function shown(value: boolean | string): string {
  return typeof value === 'string' ? quoteClipped(value, LONGEST_SHOWN) : String(value);
}
