import { expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { allToolFacts } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import { offeredToolsets, toolsetNames } from '../../../src/surfaces/mcp/tools/toolsets.ts';

const all = allToolFacts(createRegistry(commands).commands);

it('a path can choose from all toolsets, or only from those of the command line', () => {
  expect(offeredToolsets(all, undefined)).toEqual(toolsetNames(all));
  expect(offeredToolsets(all, ['inspect', 'core'])).toEqual(['core', 'inspect']);
  expect(offeredToolsets(all, ['all'])).toEqual(
    toolsetNames(all).filter((name) => !['inspect', 'terminator', 'ax'].includes(name)),
  );
  expect(offeredToolsets(all, ['all', 'terminator'])).toContain('terminator');
});
