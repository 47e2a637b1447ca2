import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToBytes, partAfter } from '../../src/model/tree/budget/whole-nodes.ts';
import { assignRefs } from '../../src/model/tree/distill/assign-refs.ts';
import { prune } from '../../src/model/tree/distill/distill.ts';
import type { DistilledTree, Form } from '../../src/model/tree/distill/types.ts';
import type { OutputNode, TreeNode } from '../../src/model/tree/node.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import { stringifyVisibly } from '../../src/model/text/untrusted-text.ts';
import { options, rawTree, RUNS } from './arbitrary-tree.ts';
import { counter, PLAIN, raw } from './raw-tree.ts';

const bytes = (root: OutputNode, form: Form): number =>
  Buffer.byteLength(form === 'outline' ? renderOutline(root) : stringifyVisibly(root));

/** The part of a distilled tree below one of its elements. */
function below(tree: DistilledTree, source: TreeNode): DistilledTree {
  const found = [...tree.sources].find(([, of]) => of === source);
  if (found === undefined) throw new Error('not in the tree');
  return { ...tree, root: found[0] };
}

interface Answers {
  readonly shown: readonly TreeNode[];
  readonly largest: number;
  readonly count: number;
}

/** Reads a tree in answers of at most `maxBytes`, following every place where reading goes on. */
function readAll(whole: DistilledTree, maxBytes: number, form: Form): Answers {
  const shown: TreeNode[] = [];
  let largest = 0;
  let count = 0;
  const next: { readonly tree: DistilledTree; readonly container?: TreeNode }[] = [{ tree: whole }];
  for (let part = next.shift(); part !== undefined; part = next.shift()) {
    count += 1;
    if (count > 2000) throw new Error('reading does not end');
    const { root, sources, cuts = [] } = assignRefs(cutToBytes(part.tree, maxBytes, form), counter());
    const sourceOf = (node: OutputNode): TreeNode => {
      const source = sources.get(node);
      if (source === undefined) throw new Error('an element without a source');
      return source;
    };
    const visit = (node: OutputNode): void => {
      if (sourceOf(node) !== part.container) shown.push(sourceOf(node));
      for (const child of node.children ?? []) visit(child);
    };
    visit(root);
    largest = Math.max(largest, bytes(root, form));
    for (const cut of cuts) {
      expect(cut.root.ref).toBeDefined();
      const container = below(whole, sourceOf(cut.root));
      const last = cut.after && sourceOf(cut.after);
      expect(cut.after === undefined || cut.after.ref !== undefined).toBe(true);
      const rest = last === undefined ? container : partAfter(container, (source) => source === last);
      if (rest === undefined) throw new Error('the last element is not in its container');
      next.push({ tree: rest, container: sourceOf(cut.root) });
    }
  }
  return { shown, largest, count };
}

const forms = fc.constantFrom<Form>('outline', 'json');

describe('an answer that would be too long', () => {
  it('is cut at whole elements, and following the cuts shows every element once', () => {
    fc.assert(
      fc.property(
        rawTree,
        options,
        fc.integer({ min: 300, max: 6000 }),
        forms,
        (tree, chosen, maxBytes, form) => {
          const whole = prune(tree, chosen);
          const all = readAll(whole, maxBytes, form);
          expect(new Set(all.shown).size).toBe(all.shown.length);
          expect(new Set(all.shown)).toEqual(new Set(whole.sources.values()));
        },
      ),
      { ...RUNS, numRuns: 30, endOnFailure: true, interruptAfterTimeLimit: 15_000 },
    );
  });

  it('is at most as long as allowed, whatever its form', () => {
    const rows = Array.from({ length: 3000 }, (_, index) =>
      raw('row', `Row ${index}`, {}, [raw('cell', `ü ${index}`), raw('cell', 'yes')]),
    );
    const whole = prune(raw('window', 'W', {}, [raw('table', 'T', {}, rows)]), PLAIN);
    for (const form of ['json', 'outline'] as const) {
      const all = readAll(whole, 20_000, form);
      expect(all.largest).toBeLessThanOrEqual(20_000);
      expect(all.largest).toBeGreaterThan(10_000);
      expect(all.shown).toHaveLength(9002);
      expect(all.count).toBeLessThan(60);
    }
  });

  it('is not touched if it fits', () => {
    const whole: DistilledTree = prune(raw('window', 'W', {}, [raw('button', 'OK')]), PLAIN);
    expect(cutToBytes(whole, 1000, 'json')).toBe(whole);
  });
});
