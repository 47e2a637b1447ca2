import * as fc from 'fast-check';
import type { TreeNode } from '../../src/model/tree/node.ts';
import { ROLES } from '../../src/model/tree/role.ts';
import { STATES } from '../../src/model/tree/state.ts';
import { raw } from './raw-tree.ts';

/** Fixed seeds: runs are the same each time. */
export const RUNS = { seed: 20_261_121, numRuns: 100 } as const;

export const SECRET = 'hunter2-s3cret';

const words = fc.constantFrom(
  'OK',
  '_OK OK',
  'Save',
  'Port:',
  'GtkEntry',
  'Bora Bora',
  '7 7',
  'a "quoted" one',
  'line\nbreak',
  '\u202Eabc',
  '日本語',
  '👩‍👧',
  '',
);
const name = fc.oneof(
  { weight: 5, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: name },
  { weight: 1, arbitrary: fc.string({ minLength: 300, maxLength: 2000 }) },
);
const box = fc.option(
  fc.record({
    x: fc.integer({ min: -50, max: 200 }),
    y: fc.integer({ min: -50, max: 200 }),
    width: fc.nat(300),
    height: fc.nat(300),
  }),
  { nil: undefined, freq: 2 },
);
const ownStates = fc.uniqueArray(fc.constantFrom(...STATES), { maxLength: 3 });

interface Plan {
  readonly node: Partial<TreeNode> & { readonly role: TreeNode['role'] };
  readonly isPassword: boolean;
  readonly children: readonly Plan[];
}

const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    node: fc.record({
      role: fc.oneof(
        fc.constantFrom(...ROLES),
        fc.constantFrom(
          'text' as const,
          'generic' as const,
          'group' as const,
          'button' as const,
          'textbox' as const,
          'listitem' as const,
        ),
      ),
      name,
      value,
      description: fc.option(words, { nil: undefined, freq: 3 }),
      identifier: fc.option(words, { nil: undefined, freq: 5 }),
      states: ownStates,
      bounds: box,
      actions: fc.constantFrom(undefined, ['click'], ['clipboard.copy', 'show menu']),
      childCount: fc.constantFrom(undefined, undefined, 40),
      elided: fc.constantFrom(
        undefined,
        undefined,
        undefined,
        undefined,
        'too_many' as const,
        'deadline' as const,
        'cycle' as const,
      ),
    }),
    isPassword: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    children: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 4, arbitrary: fc.array(tie('plan'), { minLength: 1, maxLength: 4 }) },
    ),
  }),
}));

function build({ node, isPassword, children }: Plan): TreeNode {
  const { role, name: ownName = '', ...fields } = node;
  const known = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
  if (!isPassword) return raw(role, ownName, known, children.map(build));
  const inner = [raw('text', SECRET), ...children.map(build)];
  return raw(
    'textbox',
    ownName,
    { ...known, nativeRole: 'password text', value: SECRET, description: SECRET },
    inner,
  );
}

/** Trees as the worst toolkit might report them: any role anywhere, hostile names, boxes that do not fit, passwords in the clear. */
export const rawTree: fc.Arbitrary<TreeNode> = plan.map(build);

export const options = fc.record({
  interactiveOnly: fc.boolean(),
  compact: fc.boolean(),
  wholeTree: fc.boolean(),
  includeBounds: fc.boolean(),
  includeActions: fc.boolean(),
  maxDepth: fc.constantFrom(undefined, undefined, 0, 1, 3),
});
