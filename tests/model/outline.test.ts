import { describe, expect, it } from 'vitest';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { LONGEST_OUTLINE_TEXT, renderOutline } from '../../src/model/tree/outline.ts';
import { parseOutline } from './parse-outline.ts';

describe('renderOutline', () => {
  it('renders the documented form', () => {
    const tree: OutputNode = {
      ref: '@w1',
      role: 'window',
      name: 'Calculator',
      children: [
        { ref: '@e1', role: 'textbox', name: 'Display', value: '42', states: ['focused'] },
        { ref: '@e2', role: 'button', name: '7' },
        { ref: '@e9', role: 'group', name: 'History', elided: 31, elided_reason: 'budget' },
      ],
    };
    expect(renderOutline(tree)).toBe(
      'window "Calculator" @w1\n  textbox "Display" @e1 value="42" focused\n  button "7" @e2\n  group "History" (31 items) @e9+\n',
    );
  });

  it('shows that a part is missing, that its size is unknown, and that reading failed', () => {
    const partly: OutputNode = {
      role: 'list',
      elided: 9,
      elided_reason: 'too_many',
      ref: '@e1',
      children: [{ role: 'text', name: 'a' }],
    };
    expect(renderOutline(partly)).toBe('list (9 more) @e1+\n  text "a"\n');
    expect(renderOutline({ role: 'list', elided_reason: 'lazy', ref: '@e1' })).toBe('list (items) @e1+\n');
    expect(renderOutline({ role: 'list', elided: 3, elided_reason: 'deadline', ref: '@e1' })).toBe(
      'list (3 items, deadline) @e1+\n',
    );
  });

  it('marks a guessed name and shows bounds and actions when they are there', () => {
    const node: OutputNode = {
      role: 'textbox',
      name: 'Port',
      name_from: 'neighbour',
      ref: '@e4',
      bounds: { x: -5, y: 6, width: 70, height: 8 },
      actions: ['activate', 'clipboard.copy', 'show menu'],
    };
    const line = 'textbox ~"Port" @e4 [-5,6 70x8] actions=activate,clipboard.copy,"show menu"\n';
    expect(renderOutline(node)).toBe(line);
    expect(parseOutline(line)).toStrictEqual(node);
  });

  it('cuts long texts and shows the length of a value', () => {
    const text = renderOutline({ role: 'textbox', name: 'n'.repeat(300), value: 'v'.repeat(300) });
    expect(text).toBe(
      `textbox "${'n'.repeat(LONGEST_OUTLINE_TEXT)}…" value="${'v'.repeat(LONGEST_OUTLINE_TEXT)}…" (300 chars)\n`,
    );
    expect(renderOutline({ role: 'textbox', value: 'v'.repeat(1001), value_length: 4_096 })).toContain(
      '…" (4096 chars)\n',
    );
  });

  it('keeps hostile text inside its quotes', () => {
    const line = renderOutline({ role: 'button', name: 'OK" @e99\nbutton "Pay \u202E\u200B' });
    expect(line).toBe(String.raw`button "OK\" @e99\nbutton \"Pay \u{202E}\u{200B}"` + '\n');
  });
});

describe('an outline in few lines', () => {
  it('joins neighbours of one role that hold nothing, in lines that can be read, and says nothing of boxes', () => {
    const keys = Array.from({ length: 30 }, (_, at): OutputNode => ({
      role: 'button',
      name: `Key ${at}`,
      ref: `@e${at + 1}`,
    }));
    const tree: OutputNode = {
      role: 'window',
      children: [
        { role: 'group', children: [{ role: 'generic', children: keys }] },
        {
          role: 'group',
          name: 'More',
          children: [{ role: 'button', name: 'OK', ref: '@e31', states: ['disabled'] }],
        },
        { role: 'separator' },
        { role: 'separator' },
      ],
    };
    const lines = renderOutline(tree).trimEnd().split('\n');
    expect(lines[1]).toMatch(/^ {2}button "Key 0" @e1 "Key 1" @e2 /);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(lines.slice(-2)).toStrictEqual(['  group "More"', '    button "OK" @e31 disabled']);
    expect(parseOutline(renderOutline(tree)).children?.slice(0, 30)).toStrictEqual(keys);
  });

  it('tells what is scrolled out of a container, beside what was left out', () => {
    const list: OutputNode = { role: 'list', name: 'Items', ref: '@e1', offscreen: { up: 12, down: 958 } };
    expect(renderOutline(list)).toBe('list "Items" (12 up, 958 down) @e1\n');
    expect(parseOutline(renderOutline(list))).toStrictEqual(list);
    const cut: OutputNode = {
      ...list,
      elided: 20,
      elided_reason: 'budget',
      children: [{ role: 'text', name: 'a' }],
    };
    expect(renderOutline(cut)).toBe('list "Items" (20 more, 12 up, 958 down) @e1+\n  text "a"\n');
  });
});

describe('parseOutline', () => {
  it.each(['button "a', 'Button', '  button', 'button\n      text', 'button sleepy'])(
    'refuses %j',
    (text) => {
      expect(() => parseOutline(text)).toThrow(SyntaxError);
    },
  );
});
