import { z } from 'zod';
import type { FormSchema } from '../question.ts';
import type { Case } from './case.ts';

const Report = z.object({
  granted: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** What {@link Report} calls the setting that can be turned on; everything else that is missing needs a person. */
const CAN_BE_ENABLED = 'accessibility-enabled';

/** An answer of the command says that accessibility is off, and the call did not say whether to turn it on. */
export const PERMISSION: Case<unknown> = {
  name: 'permission',
  question: (output, input) => {
    const { data } = Report.safeParse(output);
    const missing = data?.checks.find(({ name, ok }) => name === CAN_BE_ENABLED && !ok);
    // The bus answers if the setting could be read.
    const isReachable = data?.checks.some(({ name, ok }) => name === 'accessibility-bus' && ok) === true;
    if (missing === undefined || !isReachable || input['request'] !== undefined) return undefined;
    return { kind: 'form', message: `${missing.detail} What shall be done?`, schema: ACTIONS };
  },
  change: ({ action }, input) => (action === 'enable' ? { ...input, request: true } : undefined),
};

const ACTIONS: FormSchema = {
  type: 'object',
  properties: {
    action: {
      type: 'string',
      title: 'Action',
      oneOf: [
        { const: 'enable', title: 'Turn accessibility on for me (the setting persists)' },
        { const: 'show_instructions', title: 'Show manual instructions' },
        { const: 'cancel', title: 'Cancel' },
      ],
    },
  },
  required: ['action'],
};
