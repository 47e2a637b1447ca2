import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import type { ManifestParameter } from '../../../src/surfaces/cli/arguments/manifest.ts';
import { parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { UsageError } from '../../../src/surfaces/cli/arguments/usage-error.ts';
import { toArguments } from '../../../src/registry/command-line.ts';
import { parameterFacts } from '../../../src/registry/parameter-facts.ts';
import { createRegistry } from '../../../src/registry/registry.ts';

const registry = createRegistry(commands);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('-', '--', '-5', '--app', '-i', '=', '@e1', 'a=b', 'json', ' '),
);

const pair = fc.record({ target: text, value: text });
const step = fc.oneof(
  fc.record({ command: fc.constant('click'), ref: text, heal: fc.boolean() }),
  fc.record({ command: fc.constant('wait'), text }),
  fc.record({
    command: fc.constant('fill'),
    fields: fc.array(pair, { minLength: 1 }),
  }),
);

function valueOf(parameter: ManifestParameter): fc.Arbitrary<unknown> {
  switch (parameter.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer();
    case 'number':
      // Minus nought is written as nought.
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case 'strings':
      // A list of choices is written with commas between, so that only texts without one survive.
      return fc.array(parameter.values === undefined ? text : fc.constantFrom(...parameter.values), {
        minLength: 1,
      });
    case 'object':
      return fc.dictionary(fc.string(), text);
    case 'objects':
      return fc.array<unknown>(parameter.bare === 'pairs' ? pair : step, { minLength: 1 });
    default:
      // A command's own --format is only told from the global one while their values differ.
      return parameter.key === 'format' ? fc.constantFrom('png', 'jpg') : text;
  }
}

const typed = registry.commands.filter(({ definition }) => definition.surfaces?.includes('cli') !== false);

describe.each(typed.map((command) => [command.name, command] as const))('%s', (_, command) => {
  it('any input survives the round trip over the command line', () => {
    const { positionals = [], rest } = command.definition;
    const entries = parameterFacts(command).map((parameter): [string, fc.Arbitrary<unknown>] => [
      parameter.key,
      valueOf(parameter),
    ]);
    const requiredKeys = positionals.map(String);
    fc.assert(
      fc.property(fc.record(Object.fromEntries(entries), { requiredKeys }), (input) => {
        // Behind "--" there is room for only one of the two: a list, or bare arguments that look like flags.
        fc.pre(rest === undefined || positionals.every((key) => !String(input[key]).startsWith('-')));
        const parsed = parseLine(toArguments(command, { input }, registry), manifest);
        expect(parsed).toMatchObject({ kind: 'run' });
        expect(parsed.kind === 'run' ? parsed.input : undefined).toEqual(input);
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});

it('only fails with a usage error', () => {
  const words = fc.oneof(
    text,
    fc.constantFrom(
      ...manifest.commands.map(({ name }) => name),
      '--format',
      '--session',
      '-ic',
      '--max-depth',
      '--no-wait',
    ),
  );
  fc.assert(
    fc.property(fc.array(words), (argv) => {
      expect(outcome(argv)).toMatch(/^(run|help|version|mistake: .+)$/s);
    }),
    { numRuns: 600, seed: 7 },
  );
});

function outcome(argv: readonly string[]): string {
  try {
    return parseLine(argv, manifest).kind;
  } catch (error) {
    if (error instanceof UsageError) return `mistake: ${error.suggestion}`;
    throw error;
  }
}
