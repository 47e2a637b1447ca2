import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../src/commands/index.generated.ts';
import { Desktop } from '../../../src/surfaces/library/index.ts';
import { camelCase } from '../../../src/surfaces/library/naming.ts';
import { shapes } from '../../../src/surfaces/library/shapes.generated.ts';
import { createRegistry } from '../../../src/registry/registry.ts';

const registry = createRegistry(commands);
const offered = registry.commands.filter(
  ({ definition }) => definition.runsIn !== 'client' && definition.surfaces?.includes('library') !== false,
);

describe('the library', () => {
  it.each(offered.map((command) => [command.name, command] as const))(
    'has %s',
    (name, { definition, input }) => {
      const method: unknown = Reflect.get(Desktop.prototype, camelCase(name));
      expect(method).toBeTypeOf('function');
      const shape = shapes.commands[name];
      expect(shape?.positionals).toEqual(definition.positionals ?? []);
      expect(shape?.input).toMatchObject({ keys: expect.anything() });
      const wireKeys = shape !== undefined && 'keys' in shape.input ? Object.keys(shape.input.keys) : [];
      expect(wireKeys).toEqual(Object.keys(input.shape));
    },
  );

  it('has no other command', () => {
    expect(Object.keys(shapes.commands)).toEqual(offered.map(({ name }) => name));
  });

  it.each(offered.map((command) => [command.name, command] as const))(
    'knows every key of the answer of %s that changes its name',
    (name, { definition }) => {
      const schema = z.toJSONSchema(definition.output, { io: 'output', reused: 'inline' });
      const shape = shapes.commands[name]?.output ?? null;
      for (const key of Object.keys(schema.properties ?? {}).filter((key) => camelCase(key) !== key))
        expect(shape).toMatchObject({
          keys: { [key]: shape !== null && 'keys' in shape ? shape.keys[key] : undefined },
        });
    },
  );
});
