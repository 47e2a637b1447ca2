import * as fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { fitWithoutRefs } from '../../src/model/tree/budget.ts';
import { assignRefs } from '../../src/model/tree/distill/assign-refs.ts';
import { distill, prune } from '../../src/model/tree/distill/distill.ts';
import type { DistilledTree, Form } from '../../src/model/tree/distill/types.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { OutputNode, TreeNode } from '../../src/model/tree/node.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import { stringifyVisibly } from '../../src/model/text/untrusted-text.ts';
import { options, rawTree, RUNS } from './arbitrary-tree.ts';
import { counter, PLAIN, raw } from './raw-tree.ts';

const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

function tokens(root: OutputNode, form: Form): number {
  return encode(form === 'outline' ? renderOutline(root) : stringifyVisibly(root), PLAIN_TEXT).length;
}

/** The minimum that BUDGET_TOO_SMALL states; `undefined` when there was enough. */
function minimumAfter(attempt: () => unknown): number | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'BUDGET_TOO_SMALL') throw error;
    return Number(/at least (\d+)/.exec(error.message)?.[1]);
  }
}

function count(node: OutputNode): number {
  return (node.children ?? []).reduce((sum, child) => sum + count(child), 1);
}

function fit(tree: TreeNode, maxTokens: number, form: Form = 'outline'): DistilledTree {
  return assignRefs(fitWithoutRefs(prune(tree, PLAIN), maxTokens, form), counter());
}

function names(node: OutputNode): string[] {
  return [node.name ?? '', ...(node.children ?? []).flatMap(names)];
}

const buttons = (prefix: string, length: number): TreeNode[] =>
  Array.from({ length }, (_, index) => raw('button', `${prefix}${index}`));

describe('fitting to a budget', () => {
  it('is never exceeded, and an error names the required budget if nothing fits', () => {
    const forms = fc.constantFrom<Form>('outline', 'json');
    fc.assert(
      fc.property(
        rawTree,
        options,
        fc.integer({ min: 5, max: 400 }),
        forms,
        (tree, chosen, maxTokens, form) => {
          const attempt = (budget: number): DistilledTree =>
            distill(tree, { ...chosen, budget: { maxTokens: budget, form } }, counter());
          const refused = minimumAfter(() => attempt(maxTokens));
          expect(refused ?? Infinity).toBeGreaterThan(maxTokens);
          const spent = refused ?? maxTokens;
          const fitted = attempt(spent);
          const whole = distill(tree, chosen, counter());
          expect(tokens(fitted.root, form)).toBeLessThanOrEqual(spent);
          expect(count(fitted.root) + fitted.elided).toBe(count(whole.root) + whole.elided);
        },
      ),
      RUNS,
    );
  });

  it('does not change a tree that fits', () => {
    const tree = prune(raw('window', 'W', {}, buttons('B', 3)), PLAIN);
    const fitted = assignRefs(fitWithoutRefs(tree, 200, 'outline'), counter());
    expect(fitted.root).toBe(tree.root);
    expect(fitted.elided).toBe(0);
    expect(fitted.refCount).toBe(3);
  });

  it('shows the focus path first, wherever it is', () => {
    const focused = raw('textbox', 'Here', { states: ['focused'] });
    const fitted = fit(
      raw('window', 'W', {}, [
        ...buttons('Before', 300),
        raw('group', 'Form', {}, [raw('text', 'Hint'), focused]),
        ...buttons('After', 300),
      ]),
      60,
    );
    expect(names(fitted.root)).toContain('Here');
    expect(names(fitted.root)).toContain('Form');
  });

  it('shows dialogs and alerts before other controls', () => {
    const alert = raw('alert', 'Disk full', {}, [raw('text', 'Delete something'), raw('button', 'Delete')]);
    const fitted = fit(raw('window', 'W', {}, [...buttons('Other', 300), alert]), 70);
    expect(names(fitted.root)).toStrictEqual(
      expect.arrayContaining(['Disk full', 'Delete', 'Delete something']),
    );
  });

  it('shows controls before text, and near elements before distant ones', () => {
    const text = Array.from({ length: 100 }, (_, index) => raw('text', `Sentence ${index}`));
    const shown = names(fit(raw('window', 'W', {}, [...text, ...buttons('B', 5)]), 80).root);
    expect(shown.filter((name) => name.startsWith('B'))).toHaveLength(5);
    const near = raw('window', 'W', {}, [
      ...buttons('Far', 100),
      raw('button', 'Here', { states: ['focused'] }),
      raw('button', 'Near'),
    ]);
    expect(names(fit(near, 50).root)).toContain('Near');
    expect(names(fit(near, 50).root)).not.toContain('Far0');
  });

  it('names every part of a large window before it shows content', () => {
    const part = (name: string): TreeNode => raw('group', name, {}, buttons(name, 200));
    const fitted = fit(raw('window', 'W', {}, [part('One'), part('Two'), part('Three')]), 160);
    expect(fitted.root.children?.map((child) => child.name)).toStrictEqual(['One', 'Two', 'Three']);
    expect(fitted.root.children?.[2]).toMatchObject({ elided: 200, elided_reason: 'budget' });
    expect(fitted.root.children?.[2]?.ref).toMatch(/^@e\d+$/);
  });

  it('keeps existing refs', () => {
    const tree = distill(raw('window', 'W', {}, buttons('B', 50)), PLAIN, counter());
    let more = 0;
    const fitted = assignRefs(fitWithoutRefs(tree, 60, 'outline'), () => `@e${100 + ++more}`);
    expect(fitted.root.ref).toBe('@e101');
    expect(fitted.root.children?.[0]).toMatchObject({ name: 'B0', ref: '@e1' });
    expect(more).toBe(1);
  });
});
