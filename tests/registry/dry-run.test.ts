import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { createRegistry } from '../../src/registry/registry.ts';
it('x', () => {
  const r = createRegistry(commands);
  console.log(r.commands.filter(c => 'dry_run' in c.input.shape).map(c => c.name + ':' + c.definition.kind).join(' '));
  console.log('WITHOUT', r.commands.filter(c => !('dry_run' in c.input.shape) && c.definition.kind !== 'read').map(c => c.name + ':' + c.definition.kind + (c.definition.runsIn ? ':client' : '')).join(' '));
  expect(1).toBe(1);
});
