import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { Check, LOOK_ONCE_MS, tellCheck } from '../../model/effects/expectation.ts';
import type { Expected } from '../../model/effects/expectation.ts';
import { parseRole } from '../../model/tree/role.ts';
import { defineCommand, Target, TerminalChoice, MAX_TIMEOUT_MS, RoleName } from '../../registry/define.ts';

const PROPERTIES = [
  'exists',
  'visible',
  'enabled',
  'focused',
  'checked',
  'role',
  'title',
  'value',
  'contains_text',
] as const;

const Input = z.object({
  ref: Target,
  exists: z.boolean().optional().describe('It is there; false: it is gone.'),
  visible: z.boolean().optional().describe('It is on screen and not hidden.'),
  enabled: z.boolean().optional().describe('It can be used.'),
  focused: z.boolean().optional().describe('It has the keyboard focus.'),
  checked: z.boolean().optional().describe('It is checked, or a toggle button that is pressed.'),
  role: RoleName.optional(),
  title: z.string().optional().describe('Its whole name, character by character.'),
  value: z.string().optional().describe('The whole text or the number it holds.'),
  contains_text: z
    .string()
    .min(1)
    .optional()
    .describe('A part of its text, or of what is on screen inside it, in the same case.'),
  terminal: TerminalChoice.optional(),
  timeout_ms: z
    .int()
    .min(0)
    .max(MAX_TIMEOUT_MS)
    .default(5000)
    .describe('Longest time until everything holds, in milliseconds; 0 looks once.'),
});
type Input = z.output<typeof Input>;

export default defineCommand({
  name: 'expect',
  group: 'waiting',
  kind: 'read',
  title: 'Expect a state',
  toolsets: ['verify'],
  needs: ['tree'],
  summary: 'Verify that an element is as expected, waiting for it to become so.',
  description:
    'Give one or more expectations; all must hold at the same look. What holds already is not waited for. When time runs out the answer is EXPECTATION_FAILED with "failures": property, expected and actual. ' +
    'An element that is gone is as expected only where "exists" is false. What a password field or another secret holds is never compared: such an expectation always fails.',
  input: Input.refine((input) => PROPERTIES.some((property) => input[property] !== undefined), {
    path: ['ref'],
    error: `is not enough: say what is expected of it, such as ${mentionParameter('enabled')} or ${mentionParameter('value', 'TEXT')}`,
  }).refine(
    (input) =>
      input.exists !== false ||
      PROPERTIES.every((property) => property === 'exists' || input[property] === undefined),
    {
      path: ['exists'],
      error: 'cannot be false together with other expectations: nothing is true of what is gone',
    },
  ),
  positionals: ['ref'],
  output: z.object({
    ref: z.string().optional().describe('Absent where a locator matches nothing, as expected.'),
    passed: z.literal(true),
    checks: z.array(Check),
    waited_ms: z.int().nonnegative(),
  }),
  examples: [
    { about: 'A button becomes usable within five seconds', input: { ref: '@e7', enabled: true } },
    {
      about: 'A field holds a number and has the focus, now',
      input: { ref: '@e4', value: '42', focused: true, timeout_ms: 0 },
    },
    { about: 'A box is checked', input: { ref: 'role:checkbox[name="Agree"]', checked: true } },
    { about: 'A dialog goes away', input: { ref: '@e9', exists: false } },
  ],
  deadlineMs: ({ timeout_ms }) => (timeout_ms === 0 ? LOOK_ONCE_MS : timeout_ms),
  outline: ({ ref = 'it', checks, waited_ms }) =>
    [`${ref} is as expected after ${waited_ms} ms`, ...checks.map((check) => `  ${tellCheck(check)}`)].join(
      '\n',
    ),
  run: async (ctx, input) => {
    const began = ctx.clock.now();
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.ref] });
    ctx.progress?.({ message: `waiting for ${input.ref} to be as expected` });
    const { ref, checks } = await engine.expect({
      ref: input.ref,
      expected: expectedOf(input),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
    const waited = Math.max(0, Math.round(ctx.clock.now() - began));
    return {
      ...(ref === undefined ? {} : { ref }),
      passed: true as const,
      checks: [...checks],
      waited_ms: waited,
    };
  },
});

function expectedOf({
  ref: _ref,
  terminal: _terminal,
  timeout_ms: _timeout,
  role,
  ...expected
}: Input): Expected {
  return role === undefined ? expected : { ...expected, role: parseRole(role) };
}
