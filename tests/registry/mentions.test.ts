import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../src/commands/index.generated.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';
import { GLOBAL_FLAGS } from '../../src/surfaces/cli/arguments/globals.ts';
import { literalOf, membersOf, mentionCalls, type MentionCall } from './mention-calls.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const registry = createRegistry(commands);

/** These make mentions, or mention the command at hand, whatever it is. */
const ITSELF = [
  'src/model/text/mention.ts',
  'src/registry/command-line-speller.ts',
  'src/registry/refinements.ts',
  'src/registry/wrappers/parse-input.ts',
  'src/surfaces/library/library-speller.ts',
  'src/surfaces/mcp/tools/client-spelling.ts',
];

/** Their messages mention all their arguments as parameters. */
const REFINEMENTS: ReadonlySet<string> = new Set(['excludes', 'exactlyOne', 'atLeastOne']);

const mentions = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts') && !ITSELF.includes(file) && !file.endsWith('.generated.ts'))
  .toSorted()
  .flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    return mentionCalls(source).map((call) => ({ file, call }));
  });

it('the mentions are found in the sources', () => {
  expect(mentions.length).toBeGreaterThan(150);
  expect(new Set(mentions.map(({ call }) => call.name))).toEqual(
    new Set(['mentionCommand', 'mentionName', 'mentionParameter', ...REFINEMENTS]),
  );
});

it('every mention names an existing command and parameter, with an accepted value', () => {
  const wrong = mentions.flatMap(({ file, call }) =>
    problemsOf(call).map(
      (problem) => `${file}:${call.line} ${call.name}(${call.args.join(', ')}): ${problem}`,
    ),
  );
  expect(wrong).toEqual([]);
});

it.each([
  ["mentionCommand('snapshto')", 'there is no command snapshto'],
  ["mentionCommand('snapshot', { ap: 'X' })", 'snapshot takes no ap'],
  ["mentionCommand('scroll', { direction: 'sideways' })", 'scroll takes no direction "sideways"'],
  ["mentionCommand('snapshot', { app })", undefined],
  ["mentionCommand('set-value', { ref: 'REF', value: `a ${b('c}')}` })", undefined],
  ["mentionCommand('snapshot', input)", 'it cannot be read'],
  ["mentionCommand('snapshot', { ...input })", 'it cannot be read'],
  ['mentionCommand(name)', 'it cannot be read'],
  ["mentionName('clikc')", 'there is no command clikc'],
  ["mentionHelp('click')", undefined],
  ["mentionParameter('mode', 'pointer')", undefined],
  ["mentionParameter('mode', 'pointre')", 'no command takes mode "pointre"'],
  ["mentionParameter('mod')", 'no command takes mod'],
  ["mentionParameter('mode', undefined, 'find')", 'find takes no mode'],
  ['mentionParameter(key)', 'it cannot be read'],
  ["excludes('path', 'live')", undefined],
  ["exactlyOne('from', 'form')", 'no command takes form'],
])('%s is checked', (source, problem) => {
  const problems = mentionCalls(['text(`a ${', source, '} and (more`)'].join('')).flatMap((call) =>
    problemsOf(call),
  );
  expect(problems).toEqual(problem === undefined ? [] : [problem]);
});

function problemsOf({ name, args }: MentionCall): readonly string[] {
  if (REFINEMENTS.has(name))
    return args.flatMap((key) => problemsOfParameter(String(literalOf(key)), 'undefined', undefined));
  const [first = '', second, third] = args;
  const subject = literalOf(first);
  const named = third === undefined ? undefined : literalOf(third);
  const isReadable = typeof subject === 'string' && (third === undefined || typeof named === 'string');
  if (!isReadable) return ['it cannot be read'];
  if (name === 'mentionParameter')
    return problemsOfParameter(subject, second ?? 'undefined', typeof named === 'string' ? named : undefined);
  const command = registry.get(subject);
  if (command === undefined) return [`there is no command ${subject}`];
  if (second === undefined || name !== 'mentionCommand') return [];
  try {
    return [...membersOf(second)].flatMap(([key, value]) => problemsOfMember(command, key, value));
  } catch {
    return ['it cannot be read'];
  }
}

function problemsOfMember(command: RegisteredCommand, key: string, value: string): readonly string[] {
  if (!takes(command, key)) return [`${command.name} takes no ${key}`];
  return accepts(command, key, value) ? [] : [`${command.name} takes no ${key} ${shown(value)}`];
}

function problemsOfParameter(key: string, value: string, named: string | undefined): readonly string[] {
  if (named !== undefined) {
    const command = registry.get(named);
    return command === undefined ? [`there is no command ${named}`] : problemsOfMember(command, key, value);
  }
  const taking = registry.commands.filter((command) => takes(command, key));
  const flag = GLOBAL_FLAGS.find((global) => global.key === key);
  if (taking.length === 0 && flag === undefined) return [`no command takes ${key}`];
  const isAccepted =
    flag?.values?.includes(String(literalOf(value))) === true ||
    (flag !== undefined && flag.values === undefined) ||
    taking.some((command) => accepts(command, key, value));
  return isAccepted ? [] : [`no command takes ${key} ${shown(value)}`];
}

function takes(command: RegisteredCommand, key: string): boolean {
  return key in command.input.shape;
}

/** Capitals stand for what the reader fills in. */
function accepts(command: RegisteredCommand, key: string, expression: string): boolean {
  const value = literalOf(expression);
  const isOpen = [value].flat().some((one) => typeof one === 'string' && /^[A-Z]+$/.test(one));
  if (value === undefined || isOpen) return true;
  return z.safeParse(command.input.shape[key] ?? z.never(), value).success;
}

function shown(expression: string): string {
  return JSON.stringify(literalOf(expression));
}
