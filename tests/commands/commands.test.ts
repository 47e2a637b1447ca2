import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { FIND_METHODS } from '../../src/engine/requests/reading.ts';
import { parseLine } from '../../src/surfaces/cli/arguments/parse.ts';
import { manifest } from '../../src/surfaces/cli/arguments/manifest.generated.ts';
import { GLOBAL_FLAGS } from '../../src/surfaces/cli/arguments/globals.ts';
import { toArguments } from '../../src/registry/command-line.ts';
import { parameterFacts } from '../../src/registry/parameter-facts.ts';
import { createRegistry } from '../../src/registry/registry.ts';

const registry = createRegistry(commands);

describe.each(registry.commands.map((command) => [command.name, command] as const))('%s', (_, command) => {
  const { definition } = command;

  it('is described for people and models', () => {
    expect(definition.summary).toMatch(/^[A-Z].*\.$/);
    expect(definition.description ?? '.').toMatch(/\.$/);
    const takesNothing = parameterFacts(command).length === 0;
    expect(definition.examples.length).toBeGreaterThanOrEqual(takesNothing ? 1 : 2);
    const helps = parameterFacts(command).map(({ key, help }) => `${key}: ${help}`);
    expect(helps.filter((line) => !/: [A-Z].*\.$/.test(line))).toEqual([]);
  });

  it('has examples that its input accepts and that the command line carries unchanged', () => {
    for (const example of definition.examples) {
      const wanted = command.input.parse(example.input);
      // Of what cannot be typed, only that the input is taken.
      if (definition.surfaces?.includes('cli') === false) continue;
      const parsed = parseLine(toArguments(command, example, registry), manifest);
      if (parsed.kind !== 'run') throw new Error(`${command.name}: not a command line that runs`);
      expect(parsed.command.name).toBe(command.name);
      expect(command.input.parse(parsed.input)).toEqual(wanted);
      expect(parsed.globals.format).toBe(example.format);
    }
  });

  it('has flags that differ from each other and from the global ones', () => {
    const facts = parameterFacts(command);
    const flags = facts.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
    const shorts = facts.flatMap(({ short }) => (short === undefined ? [] : [short]));
    expect(new Set(flags).size).toBe(flags.length);
    expect(new Set(shorts).size).toBe(shorts.length);
    const taken = GLOBAL_FLAGS.filter(
      ({ flag, short }) => flags.includes(flag) || (short !== undefined && shorts.includes(short)),
    );
    // A picture's --format is told apart from the global one by its values.
    expect(taken.filter(({ flag }) => flag !== 'format')).toEqual([]);
    expect(flags.filter((flag) => flag.startsWith('no-'))).toEqual([]);
  });

  it('has at most one optional bare argument before required ones, and then no others', () => {
    const facts = parameterFacts(command);
    const required = (definition.positionals ?? []).map(
      (key) => facts.find((parameter) => parameter.key === key)?.required === true,
    );
    const sorted = required.toSorted((a, b) => Number(b) - Number(a));
    const isAfterFirst = required[0] === false && required.slice(1).every(Boolean);
    expect(isAfterFirst ? [] : required).toEqual(isAfterFirst ? [] : sorted);
    const lists = facts
      .filter(({ type, flag }) => type === 'strings' && flag === undefined)
      .map(({ key }) => key);
    // A list takes all that is left: there is one at most, and it is the last.
    const last = definition.rest ?? definition.positionals?.at(-1);
    expect(lists.filter((key) => key !== last)).toEqual([]);
  });
});

it('find offers every method of the engine', () => {
  const by = manifest.commands
    .find(({ name }) => name === 'find')
    ?.parameters.find(({ key }) => key === 'by');
  expect(by?.values).toEqual(['auto', ...FIND_METHODS]);
});
