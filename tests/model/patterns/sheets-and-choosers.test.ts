import { expect, it } from 'vitest';
import { detectPatterns } from '../../../src/model/patterns/detect-patterns.ts';
import type { OutputNode } from '../../../src/model/tree/node.ts';

const said = (tree: OutputNode): string[] =>
  detectPatterns(tree, tree.name ?? '').map(({ pattern }) => pattern);

it('an empty sheet, which shows none of its many cells, is a table', () => {
  const sheet = (cells: number): OutputNode => ({
    role: 'window',
    name: 'Untitled 1',
    children: [{ role: 'table', name: 'Sheet1', elided: cells, elided_reason: 'lazy' }],
  });
  expect(said(sheet(2_147_483_647))).toContain('table_view');
  expect(said(sheet(500))).not.toContain('table_view');
});

it('fields with nothing but a button that copies are no form', () => {
  const spin = (name: string): OutputNode => ({ role: 'spinbutton', name, value: '0' });
  const colour = (last: string): OutputNode => ({
    role: 'dialog',
    name: 'Colour Selection',
    children: [
      ...['Red:', 'Green:', 'Blue:'].map(spin),
      { role: 'textbox', name: 'Colour name:', value: '#FFFFFF', states: ['editable'] },
      { role: 'button', name: last },
      { role: 'button', name: 'Close' },
    ],
  });
  expect(said(colour('Copy'))).not.toContain('form');
  expect(said(colour('Send'))).toContain('form');
});
