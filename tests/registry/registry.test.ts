import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../src/registry/define.ts';
import { nearest } from '../../src/model/text/nearest.ts';
import { expectedPhrase, parameterFacts } from '../../src/registry/parameter-facts.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { toCommandLine } from '../../src/registry/command-line.ts';

function named(name: string | [string, ...string[]], changes: { aliases?: string[]; mcpName?: string } = {}) {
  return defineCommand({
    name,
    group: 'system',
    kind: 'read',
    summary: 'Do.',
    input: z.object({
      word: z.string().describe('A word.'),
      count: z.int().min(1).max(9).default(3).describe('How many.'),
      size: z.number().min(0).optional(),
      wait_ms: z.int().max(5).optional(),
      list: z.array(z.string()).optional(),
      mode: z.enum(['fast', 'slow']).optional(),
      loud: z.boolean().default(false),
    }),
    positionals: ['word'],
    cli: { count: { short: 'n', flag: 'number' } },
    output: z.object({}),
    examples: [],
    run: async () => ({}),
    ...changes,
  });
}

describe('a registry', () => {
  it('finds commands by name and alias, and names their tools', () => {
    const registry = createRegistry([
      named('set-value', { aliases: ['sv'] }),
      named(['clipboard', 'get']),
      named('press', { mcpName: 'desktop_press_key' }),
    ]);
    expect(registry.get('sv')?.name).toBe('set-value');
    expect(registry.get('clipboard get')).toBeDefined();
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.commands.map(({ toolName }) => toolName)).toEqual([
      'desktop_set_value',
      'desktop_clipboard_get',
      'desktop_press_key',
    ]);
  });

  it.each([
    [named('a'), named('a', { mcpName: 'x' })],
    [named('a'), named('b', { aliases: ['a'] })],
    [named('a-b'), named(['a', 'b'])],
  ])('refuses one name for two commands', (first, second) => {
    expect(() => createRegistry([first, second])).toThrow(/claimed by the commands/);
  });

  it('describes parameters from their schemas', () => {
    const [command] = createRegistry([named('a')]).commands;
    if (command === undefined) throw new Error('no command');
    const facts = parameterFacts(command);
    expect(facts[0]).toEqual({ key: 'word', type: 'string', required: true, help: 'A word.' });
    expect(facts[1]).toEqual({
      key: 'count',
      flag: 'number',
      short: 'n',
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 3,
      required: false,
      help: 'How many.',
    });
    expect(facts.map((parameter) => `${parameter.flag}: ${expectedPhrase(parameter)}`)).toEqual([
      'undefined: text',
      'number: a whole number from 1 to 9',
      'size: a number of at least 0',
      'wait: a whole number of at most 5',
      'list: a list of strings',
      'mode: one of fast, slow',
      'loud: true or false',
    ]);
    expect(toCommandLine(command, { input: { word: "it's $5", list: ['-x', 'y z'], loud: false } })).toBe(
      String.raw`desk a 'it'\''s $5' --list=-x --list "y z" --no-loud`,
    );
    expect(toCommandLine(command, { input: { word: '-x', mode: 'fast' }, format: 'text' })).toBe(
      'desk a --mode fast --format text -- -x',
    );
  });

  it('refuses parameters that a command line cannot carry', () => {
    const odd = defineCommand({
      name: 'odd',
      group: 'system',
      kind: 'read',
      summary: 'Do.',
      input: z.object({ word: z.array(z.int()) }),
      output: z.object({}),
      examples: [],
      run: async () => ({}),
    });
    const [command] = createRegistry([odd]).commands;
    expect(() => command && parameterFacts(command)).toThrow(/"word"/);
  });
});

describe('the nearest word', () => {
  it.each([
    ['snapshto', 'snapshot'],
    ['snap', 'snapshot'],
    ['SNAPSHOT', 'snapshot'],
    ['clik', 'click'],
    ['lcick', 'click'],
    ['zzz', undefined],
    ['', undefined],
  ])('%s → %s', (given, word) => {
    expect(nearest(given, ['snapshot', 'click', 'list-apps'])).toBe(word);
  });
});
