import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { parseConditionLine } from '../../src/model/effects/condition-line.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';

describe('a condition as it is typed', () => {
  it.each([
    ['@e7 enabled', '@e7', { enabled: true }],
    ['@e7 disabled  focused', '@e7', { enabled: false, focused: true }],
    ['@e4 value=42', '@e4', { value: '42' }],
    ['@e4 value=', '@e4', { value: '' }],
    ['@e4 value="Ada Lovelace" unchecked', '@e4', { value: 'Ada Lovelace', checked: false }],
    [String.raw`@e4 value="say \"hi\" \\ \n"`, '@e4', { value: String.raw`say "hi" \ \n` }],
    ["@e4 contains='a=b c'", '@e4', { contains_text: 'a=b c' }],
    ['role:button[name="Save as"] visible', 'role:button[name="Save as"]', { visible: true }],
    ['role:button[name="is enabled"] gone', 'role:button[name="is enabled"]', { exists: false }],
    [
      'window:"My App" >> role:textbox[value="x y"] title="Name" role=textfield',
      'window:"My App" >> role:textbox[value="x y"]',
      { title: 'Name', role: 'textbox' },
    ],
    ['text:enabled enabled', 'text:enabled', { enabled: true }],
    ['enabled enabled', 'enabled', { enabled: true }],
    ['@e1 name="It\'s" HIDDEN', '@e1', { title: "It's", visible: false }],
  ])('%j is about %s', (line, target, expected) => {
    expect(parseConditionLine(line)).toEqual({ target, expected });
  });

  it.each([
    '',
    '@e7',
    'enabled',
    '@e7 enabled soon',
    '@e7 value=1 value=2',
    '@e7 enabled disabled',
    '@e7 role=x',
  ])('%j is none', (line) => {
    expect(() => parseConditionLine(line)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('that says a name of an object prototype is none', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'constructor=1', '__proto__=1'])
      expect(() => parseConditionLine(`@e1 ${word}`)).toThrow(DeskterityError);
  });

  it('takes any text between quotes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
        expect(parseConditionLine(`@e1 focused value=${quoted} enabled`)).toEqual({
          target: '@e1',
          expected: { focused: true, value: text, enabled: true },
        });
      }),
    );
  });
});
