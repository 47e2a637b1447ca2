import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { hostOptions } from '../../scripts/build.mjs';
import { commandsWhenUsed } from '../../scripts/build/commands-when-used.mjs';
import { commands } from '../../src/commands/index.generated.ts';
import type { CommandDefinition } from '../../src/registry/define.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { allToolFacts } from '../../src/surfaces/mcp/tools/command-tools.ts';

describe('a command in the bundle', async () => {
  const bundled = await bundledCommands();

  it('is at the place that it has in the sources', () => {
    expect(bundled.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  });

  it.each(commands.map((command, at) => ({ name: String(command.name), command, at })))(
    'is what the sources say, and its module is not needed for its facts: $name',
    ({ command, at }) => {
      const ours = bundled[at];
      if (ours === undefined) throw new Error('It is not in the bundle.');
      const early = Object.keys(factsOnly(ours));
      expect(early).toEqual(expect.arrayContaining(['name', 'group', 'kind']));
      for (const key of ['summary', 'input', 'output', 'examples', 'run']) expect(early).not.toContain(key);
      expect(Object.keys(ours).toSorted()).toEqual(Object.keys(command).toSorted());
      // Functions and schemas are from other copies of their modules.
      expect(JSON.parse(JSON.stringify({ ...ours, input: 0, output: 0 }))).toEqual(
        JSON.parse(JSON.stringify({ ...command, input: 0, output: 0 })),
      );
      expect(Object.keys(ours.input.shape)).toEqual(Object.keys(command.input.shape));
    },
  );

  it('is found by its name and chosen for a client by its facts alone', () => {
    const chosenBy = (all: readonly CommandDefinition[]) =>
      allToolFacts(createRegistry(all).commands).map(
        ({ command, tool, title, toolsets, needs, isReadOnly, isDestructive, isIdempotent, alsoRuns }) => [
          [command, tool, title],
          [toolsets, needs, alsoRuns],
          [isReadOnly, isDestructive, isIdempotent],
        ],
      );
    const facts = chosenBy(bundled.map((command) => factsOnly(command)));
    expect(facts.length).toBeGreaterThan(50);
    expect(facts).toEqual(chosenBy(commands));
  });
});

describe('the host bundle', async () => {
  const { metafile, outputFiles } = await build({ ...hostOptions('dist'), write: false, metafile: true });

  it('runs the module of a command when that is used', () => {
    const text = outputFiles.map((file) => file.text).join('\n');
    const modules = Object.keys(metafile.inputs).filter((input) => /^src\/commands\/[a-z]+\//.test(input));
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.filter((input) => !text.includes(`"${input}"(){`))).toEqual([]);
  });

  it('makes no module around those of Node', () => {
    const imported = Object.entries(metafile.outputs).flatMap(([name, { imports }]) =>
      imports.flatMap(({ path, kind }) =>
        kind === 'import-statement' && isBuiltin(path) ? [`${name} imports ${path}`] : [],
      ),
    );
    expect(imported).toEqual([]);
  });
});

/** The commands as the bundle has them. */
async function bundledCommands(): Promise<readonly CommandDefinition[]> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { commands } from './src/commands/index.generated.ts';",
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [commandsWhenUsed(process.cwd())],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const made: { readonly commands: readonly CommandDefinition[] } = await import(
    /* @vite-ignore */ `data:text/javascript;base64,${code}`
  );
  return made.commands;
}

/** A command without what its module has to be loaded for. */
function factsOnly(command: CommandDefinition): CommandDefinition {
  const facts = Object.entries(Object.getOwnPropertyDescriptors(command)).filter(
    ([, descriptor]) => descriptor.get === undefined,
  );
  const only: CommandDefinition = Object.create(null, Object.fromEntries(facts));
  return only;
}
