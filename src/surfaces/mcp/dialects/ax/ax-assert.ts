import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { Check } from '../../../../model/effects/expectation.ts';
import { invalid } from '../invalid-parameter.ts';
import type { AxCall } from './ax-call.ts';
import { app, query } from './ax-reading.ts';
import { axTool, type AxTool } from './ax-tool.ts';

export const AX_ASSERT: AxTool = axTool({
  name: 'ax_assert',
  title: 'Assert element state',
  description:
    'Verify that a UI element matches expected state. Use for test automation to confirm actions had the expected effect.',
  commands: ['expect', 'find', 'list-windows'],
  parameters: z.strictObject({
    app,
    query,
    assertions: z
      .strictObject({
        exists: z.boolean(),
        enabled: z.boolean(),
        focused: z.boolean(),
        value: z.string().max(100_000),
        title: z.string().max(4000),
        role: z.string().max(64),
        visible: z.boolean(),
        contains_text: z.string().min(1).max(4000),
      })
      .partial()
      .describe('Expected state. Keys: exists, enabled, focused, value, title, role, visible, contains_text'),
  }),
  output: z.object({
    passed: z.boolean(),
    failures: z
      .array(z.object({ property: z.string(), expected: z.unknown(), actual: z.unknown() }).partial())
      .optional(),
  }),
  reads: true,
  run: async (call, { app: of, query: wanted, assertions }) => {
    if (Object.keys(assertions).length === 0)
      throw invalid('No assertion is given.', 'Pass at least one, such as {"enabled": true}.');
    const failures = await failuresOf(call, of, wanted, assertions);
    return { data: { passed: failures.length === 0, failures } };
  },
});

type Failures = Pick<Check, 'property' | 'expected' | 'actual'>[];

async function failuresOf(
  call: AxCall,
  of: string,
  wanted: string,
  assertions: Readonly<Record<string, unknown>>,
): Promise<Failures> {
  const ref = await elementOrNone(call, of, wanted);
  if (ref === undefined) {
    if (assertions['exists'] === false) return [];
    return [{ property: 'exists', expected: true, actual: false }];
  }
  try {
    await call.read('expect', { ref, ...assertions, timeout_ms: 0 }, z.unknown());
    return [];
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'EXPECTATION_FAILED') throw error;
    const { failures } = z.object({ failures: z.array(Check) }).parse(error.result);
    return failures.map(({ property, expected, actual }) => ({ property, expected, actual }));
  }
}

/** `undefined` only if the whole application was read and has no such element. @throws DeskterityError */
async function elementOrNone(call: AxCall, of: string, wanted: string): Promise<string | undefined> {
  const { node, isSimilar } = await call.find(of, wanted);
  if (node !== undefined && !isSimilar) return node.ref ?? call.element(of, wanted);
  const whole = await call.find(of, wanted, 'auto', { whole_tree: true });
  if (whole.node !== undefined && !whole.isSimilar) return whole.node.ref;
  if (whole.isComplete) return undefined;
  throw new DeskterityError('TREE_TIMEOUT', 'Part of the application could not be read.', {
    suggestion: 'Call again in a moment.',
    retryable: true,
  });
}
