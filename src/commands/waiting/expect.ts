import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
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
const PROPERTIES = Expectations.keyof().options;

const Input = z.object({
  ref: Target,
  ...Expectations.shape,
  terminal: TerminalChoice.optional(),
  timeout_ms: z
    .int()
    .min(0)
    .max(MAX_TIMEOUT_MS)
    .default(5000)
    .describe('Longest wait until all expectations hold, in milliseconds; 0 checks once.'),
});
type Input = z.output<typeof Input>;

export default defineCommand({
  name: 'expect',
  group: 'waiting',
  kind: 'read',
  title: 'Expect a state',
  toolsets: ['verify'],
  needs: ['tree'],
  summary: 'Verify that an element is as expected, waiting until it is.',
  description:
    'Give one or more expectations; all must hold at the same moment. Returns at once if they already hold. When time runs out, it fails with EXPECTATION_FAILED and "failures": property, expected and actual. ' +
    'An element that no longer exists passes only "exists": false. The content of password fields and other secrets is never compared: such an expectation always fails.',
  input: Input.refine((input) => PROPERTIES.some((property) => input[property] !== undefined), {
    path: ['ref'],
    error: `needs at least one expectation, such as ${mentionParameter('enabled')} or ${mentionParameter('value', 'TEXT')}`,
  }).refine(
    (input) =>
      input.exists !== false ||
      PROPERTIES.every((property) => property === 'exists' || input[property] === undefined),
    {
      path: ['exists'],
      error: 'cannot be false together with other expectations, which a missing element cannot meet',
    },
  ),
  positionals: ['ref'],
  output: z.object({
    ref: z.string().optional().describe('Absent if a locator matches nothing, as expected.'),
    passed: z.literal(true),
    checks: z.array(Check),
    waited_ms: z.int().nonnegative(),
  }),
  examples: [
    { about: 'A button becomes enabled within five seconds', input: { ref: '@e7', enabled: true } },
    {
      about: 'A field has a value and the focus, now',
      input: { ref: '@e4', value: '42', focused: true, timeout_ms: 0 },
    },
    { about: 'A box is checked', input: { ref: 'role:checkbox[name="Agree"]', checked: true } },
    { about: 'A dialog goes away', input: { ref: '@e9', exists: false } },
  ],
  deadlineMs: ({ timeout_ms }) => (timeout_ms === 0 ? LOOK_ONCE_MS : timeout_ms),
  outline: ({ ref = 'it', checks, waited_ms }) =>
    [
      `${ref} is as expected after ${waited_ms} ms`,
      ...checks.map((check) => `  ${describeCheck(check)}`),
    ].join('\n'),
  run: async (ctx, input) => {
    const began = ctx.clock.now();
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.ref] });
    ctx.progress?.({ message: `waiting for ${input.ref} to be as expected` });
    const { ref, checks } = await engine.expect({
      ref: input.ref,
      expected: expectedOf(input),
      ...callLimits(ctx, input),
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
