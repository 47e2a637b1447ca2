import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeBetweenMentions,
  mentionCommand,
  mentionHelp,
  mentionKey,
  mentionName,
  mentionParameter,
  onCommandLine,
  spellMentions,
  spellMentionsIn,
} from '../../src/model/text/mention.ts';
import type { Speller } from '../../src/model/text/mention.ts';

const plain: Speller = {
  command: (name, input) => `<${name} ${JSON.stringify(input)}>`,
  name: (command) => `<${command}>`,
  parameter: (key, value, command) =>
    `<${[command, key, value].filter((part) => part !== undefined).join(' ')}>`,
  key: (key) => `<key ${key}>`,
  help: (command) => `<help ${command}>`,
  onCommandLine: (words) => words.toUpperCase(),
  byPerson: (step) => `PERSON(${step})`,
};

it('a surface spells what a text mentions, and does not change the rest', () => {
  const text = `Run ${mentionCommand('snapshot', { app: 'A "b"', depth: 3 })}; ${mentionName('click')} takes ${mentionParameter('mode', 'pointer')}${onCommandLine(' (exit code 7)')}. ${mentionHelp('find')} ${mentionParameter('ref', undefined, 'get')} ${mentionKey('left_out')}`;
  expect(spellMentions(text, plain)).toBe(
    'Run <snapshot {"app":"A \\"b\\"","depth":3}>; <click> takes <mode pointer> (EXIT CODE 7). <help find> <get ref> <key left_out>',
  );
});

it('whatever is in a command’s input is spelled as it was given', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'binary' })), (input) => {
      const spelled = spellMentions(`a ${mentionCommand('x', input)} b`, plain);
      expect(spelled).toBe(`a <x ${JSON.stringify(input)}> b`);
    }),
  );
});

describe('what only looks like a mention is not changed', () => {
  it.each([
    '\u0002{}\u0003',
    '\u0002not json\u0003',
    '\u0002[1]\u0003',
    '\u0002{"kind":"command","command":"x","input":{"a":{}}}\u0003',
    '\u0002{"kind":"parameter","key":1}\u0003',
    '\u0002 without an end',
    'an end without a beginning\u0003',
  ])('%j', (text) => {
    expect(spellMentions(text, plain)).toBe(text);
  });

  it('any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(spellMentions(text, plain)).toBe(text);
      }),
    );
  });
});

it('data without mentions is returned unchanged; with them only copies change', () => {
  const bare = { a: ['x', 1, null], b: { c: true } };
  expect(spellMentionsIn(bare, plain)).toBe(bare);
  const data = { a: [mentionName('click'), 1], b: { c: `x ${mentionName('find')}` } };
  expect(spellMentionsIn(data, plain)).toEqual({ a: ['<click>', 1], b: { c: 'x <find>' } });
  expect(data.b.c).not.toContain('<find>');
});

it('the text between mentions can be changed before they are spelled', () => {
  const text = `ab ${mentionName('click')} cd \u0002{}\u0003 ${mentionKey('x')}`;
  const changed = changeBetweenMentions(text, (between) => between.toUpperCase().replaceAll('\u0002', '?'));
  expect(spellMentions(changed, plain)).toBe('AB <click> CD ?{}\u0003 <key x>');
});
