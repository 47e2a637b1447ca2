import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distill } from '../../src/model/tree/distill/distill.ts';
import { OutputNode, type TreeNode } from '../../src/model/tree/node.ts';
import { LONGEST_OUTLINE_TEXT, renderOutline, shownChildren } from '../../src/model/tree/outline.ts';
import { parseOutline } from './parse-outline.ts';
import { isInteractive } from '../../src/model/tree/role.ts';
import { stringifyVisibly } from '../../src/model/text/untrusted-text.ts';
import { options, rawTree, RUNS, SECRET } from './arbitrary-tree.ts';
import { counter, raw } from './raw-tree.ts';

function flatten<T extends { children?: T[] | undefined }>(node: T): T[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}

/** What the outline must contain. */
function essence(node: OutputNode): unknown {
  return {
    role: node.role,
    name: node.name,
    ref: node.ref,
    value: node.value,
    states: node.states,
    children: shownChildren(node).map(essence),
  };
}

function asRaw(node: OutputNode): TreeNode {
  const children = (node.children ?? []).map(asRaw);
  return raw(
    node.role,
    node.name ?? '',
    { states: node.states ?? [], ...(node.value === undefined ? {} : { value: node.value }) },
    children,
  );
}

describe('distill, on any tree', () => {
  it('gives refs that are unique, in document order, and only to interactive elements, the focus, scrolled containers and drill handles', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const { root, refCount } = distill(tree, chosen, counter());
        const withRef = flatten(root).filter((node) => node.ref !== undefined);
        expect(withRef.map((node) => node.ref)).toStrictEqual(withRef.map((_, index) => `@e${index + 1}`));
        expect(refCount).toBe(withRef.length);
        for (const node of flatten(root)) {
          const handle = node.elided_reason !== undefined && node.elided_reason !== 'cycle';
          const focused = flatten(node).filter(({ states }) => states?.includes('focused') === true);
          const isFocus = focused.length === 1 && focused[0] === node;
          expect(node.ref !== undefined).toBe(
            isInteractive(node.role) || handle || isFocus || node.offscreen !== undefined,
          );
        }
      }),
      RUNS,
    );
  });

  it('invents nothing: every node represents one raw node of the same role, in document order, with texts of the tree', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const order = new Map(flatten(tree).map((node, index) => [node, index]));
        const said = flatten(tree)
          .map((node) => `${node.name}\n${node.value ?? ''}\n${node.description ?? ''}`)
          .join('\n');
        const { root, sources } = distill(tree, chosen, counter());
        const shown = flatten(root);
        const places = shown.map((node) => order.get(sources.get(node) ?? raw('generic')) ?? -1);
        expect(new Set(places).size).toBe(shown.length);
        expect(places).toStrictEqual(places.toSorted((a, b) => a - b));
        expect(places[0]).toBe(0);
        for (const node of shown) {
          const native = sources.get(node)?.role;
          expect(native === 'menu' ? ['menu', 'menuitem'] : [native]).toContain(node.role);
          for (const word of (node.name ?? '').replace(/…$/, '').split(/\s+/)) expect(said).toContain(word);
        }
        for (const node of shown) {
          for (const child of node.children ?? [])
            expect(within(sources.get(node), sources.get(child))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('never shows what is typed into a password field', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const { root } = distill(tree, chosen, counter());
        expect(JSON.stringify(root)).not.toContain(SECRET);
        expect(renderOutline(root)).not.toContain(SECRET);
      }),
      RUNS,
    );
  });

  it('conforms to its schema and leaves the raw tree as it was', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const before = JSON.stringify(tree);
        const { root } = distill(tree, chosen, counter());
        expect(OutputNode.safeParse(root).error).toBeUndefined();
        expect(JSON.stringify(tree)).toBe(before);
        expect(JSON.stringify(distill(tree, chosen, counter()).root)).toBe(JSON.stringify(root));
      }),
      RUNS,
    );
  });

  it('finds nothing more in its own output', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const first = distill(tree, { ...chosen, wholeTree: true, maxDepth: undefined }, counter());
        const second = distill(
          asRaw(first.root),
          { ...chosen, wholeTree: true, maxDepth: undefined },
          counter(),
        );
        expect(flatten(second.root).length).toBeLessThanOrEqual(flatten(first.root).length);
      }),
      RUNS,
    );
  });
});

describe('outline and JSON, on any tree', () => {
  it('show the same role, name, ref, value and states', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const { root } = distill(tree, chosen, counter());
        const short = flatten(root).every(
          (node) => Math.max(node.name?.length ?? 0, node.value?.length ?? 0) <= LONGEST_OUTLINE_TEXT,
        );
        const outline = renderOutline(root);
        const parsed = parseOutline(outline);
        expect(outline.split('\n').length).toBeLessThanOrEqual(flatten(root).length + 1);
        expect(short ? essence(parsed) : undefined).toStrictEqual(short ? essence(root) : undefined);
        expect(parsed.elided).toBe(root.elided);
        expect(JSON.parse(stringifyVisibly(root))).toStrictEqual(JSON.parse(JSON.stringify(root)));
      }),
      RUNS,
    );
  });
});

function within(outer: TreeNode | undefined, inner: TreeNode | undefined): boolean {
  return (
    outer !== undefined &&
    inner !== undefined &&
    (outer.children.includes(inner) || outer.children.some((child) => within(child, inner)))
  );
}
