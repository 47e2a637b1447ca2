import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../src/commands/index.generated.ts';
import { Desktop } from '../../../src/surfaces/library/index.ts';
import { camelCase } from '../../../src/surfaces/library/library-speller.ts';
import { keysOfShape, type Shape } from '../../../src/surfaces/library/shape.ts';
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
      expect(shape?.input).toMatchObject({ keys: expect.any(String) });
      expect(wireKeysOf(shape?.input)).toEqual(Object.keys(input.shape));
    },
  );

  it('has no other methods', () => {
    expect(Object.keys(shapes.commands)).toEqual(offered.map(({ name }) => name));
  });

  it.each(offered.map((command) => [command.name, command] as const))(
    'knows every converted key in the answer of %s',
    (name, { definition }) => {
      const schema = z.toJSONSchema(definition.output, { io: 'output', reused: 'inline' });
      const changing = Object.keys(schema.properties ?? {}).filter((key) => camelCase(key) !== key);
      expect(wireKeysOf(shapes.commands[name]?.output)).toEqual(expect.arrayContaining(changing));
    },
  );
});

function wireKeysOf(shape: Shape | null | undefined): readonly string[] {
  if (shape && 'name' in shape) return wireKeysOf(shapes.named[shape.name]);
  return shape && 'keys' in shape ? keysOfShape(shape).map(({ wire }) => wire) : [];
}
