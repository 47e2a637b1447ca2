import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { parseConditionLine } from '../../model/effects/condition-line.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Check, LOOK_ONCE_MS, describeCheck, type Expected } from '../../model/effects/expectation.ts';
import { parseRole } from '../../model/tree/role.ts';
import {
  defineCommand,
  Target,
  TerminalChoice,
  MAX_TIMEOUT_MS,
  RoleName,
  optionalText,
  callLimits,
} from '../../registry/define.ts';

const Expectations = z.object({
  exists: z.boolean().optional().describe('It exists or, if false, no longer exists.'),
  visible: z.boolean().optional().describe('It is on screen and not hidden.'),
  enabled: z.boolean().optional().describe('It can be used.'),
  focused: z.boolean().optional().describe('It has the keyboard focus.'),
  checked: z.boolean().optional().describe('It is checked, or it is a pressed toggle button.'),
  role: RoleName.optional(),
  title: z.string().optional().describe('Its exact name.'),
  value: z.string().optional().describe('Its whole text, or its number.'),
  contains_text: optionalText('Part of its text, or of visible text inside it; case-sensitive.'),
});
/** More than anyone checks at once. */
const MOST_CONDITIONS = 50;
const PROPERTIES = Expectations.keyof().options;

const Input = z.object({
  ref: Target.optional(),
  ...Expectations.shape,
  and: z
    .array(z.string().min(1).max(4000))
    .max(MOST_CONDITIONS)
    .optional()
    .describe(
      'Another element and what is expected of it, as text: @e7 enabled, or role:textbox[name="Name"] value="Ada" focused.',
    ),
  conditions: z
    .array(z.object({ ref: Target, ...Expectations.shape }))
    .max(MOST_CONDITIONS)
    .optional()
    .describe('Other elements, each with what is expected of it.'),
  terminal: TerminalChoice.optional(),
  timeout_ms: z
    .int()
    .min(0)
    .max(MAX_TIMEOUT_MS)
    .default(5000)
    .describe('Longest wait until all expectations hold, in milliseconds; 0 checks once.'),
});
type Input = z.output<typeof Input>;

/** An element by its ref or locator, and what is expected of it. */
interface ExpectedElement {
  readonly ref: string;
  readonly expected: Expected;
}

export default defineCommand({
  name: 'expect',
  group: 'waiting',
  kind: 'read',
  longRunning: 'call',
  title: 'Expect a state',
  toolsets: ['verify'],
  needs: ['tree'],
  summary: 'Verify that one or more elements are as expected, waiting until they are.',
  description:
    'Give one or more expectations; all must hold at the same moment. Returns at once if they already hold. When time runs out, it fails with EXPECTATION_FAILED and "failures": property, expected and actual of each, while "checks" has all of them. ' +
    `Several elements are judged together, with ${mentionParameter('and')} or ${mentionParameter('conditions')}. ` +
    'An element that no longer exists passes only "exists": false. The content of password fields and other secrets is never compared: such an expectation always fails.',
  input: Input.superRefine((input, issues) => {
    const { ref, and = [], conditions = [] } = input;
    const complain = (path: string, message: string, suggestion?: string): void =>
      issues.addIssue({
        code: 'custom',
        path: [path],
        message,
        ...(suggestion === undefined ? {} : { params: { suggestion } }),
      });
    const isAny = hasExpectation(input);
    if (ref === undefined && isAny) complain('ref', 'is needed by the expectations');
    if (ref === undefined && and.length + conditions.length === 0)
      complain('ref', `, ${mentionParameter('and')} or ${mentionParameter('conditions')} is needed`);
    if ((ref !== undefined && !isAny) || conditions.some((condition) => !hasExpectation(condition)))
      complain(
        ref !== undefined && !isAny ? 'ref' : 'conditions',
        `needs at least one expectation, such as ${mentionParameter('enabled')} or ${mentionParameter('value', 'TEXT')}`,
      );
    const lines = and.flatMap((line) => {
      try {
        const { target, expected } = parseConditionLine(line);
        const problem = Target.safeParse(target).error?.issues[0];
        if (problem !== undefined) complain('and', problem.message);
        return [expected];
      } catch (error) {
        if (!(error instanceof DeskterityError)) throw error;
        complain('and', error.message.replace(/\.$/, ''), error.suggestion);
        return [];
      }
    });
    if ([input, ...conditions, ...lines].some(isContradictory))
      complain(
        'exists',
        'cannot be false together with other expectations, which a missing element cannot meet',
      );
  }),
  positionals: ['ref'],
  output: z.object({
    ref: z
      .string()
      .optional()
      .describe('Absent if a locator matches nothing, as expected, or if there are several elements.'),
    passed: z.literal(true),
    checks: z.array(Check),
    waited_ms: z.int().nonnegative(),
    notes: z.array(z.string()).optional().describe('What could not be made sure of.'),
  }),
  examples: [
    { about: 'A button becomes enabled within five seconds', input: { ref: '@e7', enabled: true } },
    {
      about: 'A field has a value and the focus, now',
      input: { ref: '@e4', value: '42', focused: true, timeout_ms: 0 },
    },
    { about: 'A box is checked', input: { ref: 'role:checkbox[name="Agree"]', checked: true } },
    {
      about: 'Two elements at the same moment',
      input: { ref: '@e4', value: '42', and: ['role:button[name="Save"] enabled'] },
    },
    { about: 'A dialog goes away', input: { ref: '@e9', exists: false } },
  ],
  deadlineMs: ({ timeout_ms }) => (timeout_ms === 0 ? LOOK_ONCE_MS : timeout_ms),
  outline: ({ ref, checks, waited_ms, notes = [] }) => {
    const targets = new Set(checks.map(({ target }) => target));
    const what = targets.size > 1 ? `${targets.size} elements are` : `${ref ?? 'it'} is`;
    const lines = checks.map((check) => {
      const of = check.target === undefined ? '' : `${check.target} `;
      return `  ${of}${describeCheck(check)}`;
    });
    return [`${what} as expected after ${waited_ms} ms`, ...lines, ...notes].join('\n');
  },
  run: async (ctx, input) => {
    const began = ctx.clock.now();
    const conditions = conditionsOf(input);
    const targets = conditions.map(({ ref }) => ref);
    const engine = await ctx.engine({ terminal: input.terminal, targets });
    const [first = ''] = targets;
    const what = targets.length > 1 ? `${targets.length} elements` : first;
    ctx.progress?.({ message: `waiting for ${what} to be as expected` });
    const call = callLimits(ctx, input);
    const [one, ...others] = conditions;
    const { met, notes } =
      one !== undefined && others.length === 0
        ? { met: [await engine.expect({ ...one, ...call })], notes: [] }
        : await engine.expectAll({ conditions, ...call });
    const waited = Math.max(0, Math.round(ctx.clock.now() - began));
    const [only] = met;
    return {
      ...(met.length > 1 || only?.ref === undefined ? {} : { ref: only.ref }),
      passed: true as const,
      checks: met.flatMap(({ checks }) => [...checks]),
      waited_ms: waited,
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    };
  },
});

type Given = Partial<z.output<typeof Expectations>>;

function conditionsOf({ ref, and = [], conditions = [], ...input }: Input): ExpectedElement[] {
  return [
    ...(ref === undefined ? [] : [{ ref, expected: expectedOf(input) }]),
    ...and.map((line) => {
      const { target, expected } = parseConditionLine(line);
      return { ref: target, expected };
    }),
    ...conditions.map(({ ref: other, ...given }) => ({ ref: other, expected: expectedOf(given) })),
  ];
}

function expectedOf({ role, ...given }: Given): Expected {
  const found = role === undefined ? undefined : parseRole(role);
  const { exists, visible, enabled, focused, checked, title, value, contains_text } = given;
  return { exists, visible, enabled, focused, checked, role: found, title, value, contains_text };
}

function hasExpectation(given: Given): boolean {
  return PROPERTIES.some((property) => given[property] !== undefined);
}

function isContradictory(given: Given): boolean {
  return (
    given.exists === false &&
    PROPERTIES.some((property) => property !== 'exists' && given[property] !== undefined)
  );
}
