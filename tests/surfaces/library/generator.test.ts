import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { libraryFiles } from '../../../scripts/generate/library.ts';
import { mentionKey, mentionParameter } from '../../../src/model/text/mention.ts';
import { defineCommand, Target } from '../../../src/registry/define.ts';
import type { CommandDefinition, CommandFacts } from '../../../src/registry/define.ts';
import { createRegistry } from '../../../src/registry/registry.ts';

function command(changes: Partial<CommandFacts<z.ZodObject, z.ZodType>> = {}): CommandDefinition {
  return {
    ...defineCommand({
      name: 'try-this',
      group: 'system',
      kind: 'read',
      summary: `Try it with ${mentionParameter('max_depth')}.`,
      input: z.object({
        ref: Target,
        max_depth: z
          .int()
          .min(1)
          .max(9)
          .default(3)
          .describe(
            `See ${mentionParameter('max_depth')} and ${mentionKey('near_misses')}; --unknown stays.`,
          ),
      }),
      output: z.object({ near_misses: z.array(z.string()), ref: z.string() }),
      examples: [],
      run: () => {
        throw new Error('never run');
      },
    }),
    ...changes,
  };
}

function files(...definitions: CommandDefinition[]) {
  const made = new Map(libraryFiles(createRegistry(definitions), '1.2.3'));
  const plain = (name: string) => (made.get(name) ?? '').replaceAll(/\s+/g, ' ');
  return {
    types: plain('src/surfaces/library/commands.generated.ts'),
    shapes: plain('src/surfaces/library/shapes.generated.ts'),
    page: plain('docs/reference/library.md'),
  };
}

describe('the generated library', () => {
  it('has a method for the command, with its positionals in order', () => {
    const { types } = files(command({ positionals: ['ref', 'max_depth'] }));
    const options = (left: string) => `options?: Omit<TryThisInput, ${left}> & CallOptions`;
    expect(types).toContain(`tryThis(ref: Target, ${options("'ref'")}): Promise<Answer<TryThisOutput>>;`);
    expect(types).toContain(`tryThis(ref: Target, maxDepth: number, ${options("'ref' | 'maxDepth'")})`);
    expect(types).toContain('tryThis(input: TryThisInput & CallOptions)');
  });

  it('requires its options if a required parameter is not positional', () => {
    const input = z.object({ ref: Target, value: z.string() });
    const { types } = files(command({ input, positionals: ['ref'] }));
    expect(types).toContain("tryThis(ref: Target, options: Omit<TryThisInput, 'ref'> & CallOptions)");
  });

  it('needs no arguments if nothing is required', () => {
    expect(files(command({ input: z.object({}) })).types).toContain(
      'tryThis(input?: TryThisInput & CallOptions)',
    );
  });

  it('documents range and default with the library’s names', () => {
    const { types, page } = files(command());
    const words = 'See `maxDepth` and nearMisses; --unknown stays.';
    expect(types).toContain(
      `/** ${words} From 1 to 9. Default 3. */ readonly maxDepth?: number | undefined;`,
    );
    expect(page).toContain(`| \`maxDepth?\` | \`number\` | \`3\` | ${words} From 1 to 9. |`);
    expect(types).toContain('/** Try it with `maxDepth`. */');
  });

  it('escapes a description that would end a comment', () => {
    const { types } = files(command({ summary: 'Ends */ process.exit() /* here.' }));
    expect(types).not.toContain('*/ process.exit()');
  });

  it('leaves out verbs of the command line', () => {
    expect(files(command({ runsIn: 'client' }), command({ name: 'other' })).types).not.toContain('tryThis');
  });

  it('has no shape for an answer whose keys need no conversion', () => {
    const { shapes } = files(
      command({ output: z.object({ ref: z.string(), more: z.object({ plain: z.int() }) }) }),
    );
    expect(shapes).toContain('"output":null');
  });

  it.each([
    ['a method that a Desktop has already', { name: 'close' }, /already has a member close/],
    ['an input that every method has', { input: z.object({ signal: z.string() }) }, /takes "signal"/],
    ['two keys that become one', { input: z.object({ a_b: z.int(), aB: z.int() }) }, /both aB/],
  ])('refuses %s', (_, changes, message) => {
    expect(() => files(command(changes))).toThrow(message);
  });

  it('refuses two commands with the same method name', () => {
    expect(() =>
      files(command({ name: 'go-on' }), command({ name: ['go', 'on'], mcpName: 'other' })),
    ).toThrow(/both goOn/);
  });
});
