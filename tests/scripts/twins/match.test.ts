import { describe, expect, it } from 'vitest';
import { matchNode, type OurNode } from '../../../scripts/proof/twins/act/match.ts';
import { isOnlySelected, usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import type { SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { node, seen } from './seen.ts';

function ours(role: string, name: string, ref: string, box = [10, 10, 20, 10]): OurNode {
  const [x = 0, y = 0, width = 0, height = 0] = box;
  return { role, name, ref, bounds: { x, y, width, height } };
}

function match(wanted: ReturnType<typeof node>, ...children: OurNode[]): string | undefined {
  return matchNode({ role: 'window', children }, wanted);
}

describe('the element of a snapshot that a node of libatspi stands for', () => {
  const button = node('push button', 'OK', { box: [10, 10, 20, 10] });

  it('is at the same place', () => {
    const far = ours('button', 'OK', '@e1', [100, 10, 20, 10]);
    expect(match(button, far, ours('button', 'OK', '@e2'))).toBe('@e2');
    expect(match(button, far)).toBeUndefined();
  });

  it('has its role and name rather than those of what lies in it', () => {
    expect(match(button, ours('listitem', 'OK', '@e1'), ours('button', 'OK', '@e2'))).toBe('@e2');
    expect(match(button, ours('button', 'Other', '@e1'), ours('button', 'OK', '@e2'))).toBe('@e2');
  });

  it('may be called by another name', () => {
    expect(match(button, ours('button', '_OK', '@e1'))).toBe('@e1');
    expect(match(node('text', '', { box: [10, 10, 20, 10] }), ours('textbox', 'Name', '@e1'))).toBe('@e1');
  });
});

it('what is selected alone needs no click; a selected row beside it does', () => {
  const row = (name: string, y: number, ...states: string[]): SeenNode =>
    node('table cell', name, { box: [0, y, 20, 10], states: ['sensitive', 'showing', ...states] });
  const isAlone = (...rows: SeenNode[]): boolean => {
    const shown = seen(rows);
    const [first] = usableWidgets(shown);
    return first !== undefined && isOnlySelected(shown, first.key);
  };
  expect(isAlone(row('a', 0, 'selected'), row('its size', 0, 'selected'), row('b', 10))).toBe(true);
  // Texts of one row may begin a pixel higher or lower.
  expect(isAlone(row('a', 0, 'selected'), row('its time', 1, 'selected'))).toBe(true);
  expect(isAlone(row('a', 0, 'selected'), { ...row('its time', 10, 'selected'), box: null })).toBe(true);
  expect(isAlone(row('a', 0, 'selected'), row('b', 10, 'selected'))).toBe(false);
  expect(isAlone(row('a', 0), row('b', 10))).toBe(false);
});
