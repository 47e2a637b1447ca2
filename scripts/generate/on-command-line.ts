import type { RegisteredCommand, Registry } from '../../src/registry/registry.ts';

/** The commands that can be typed. */
export function onCommandLine(registry: Registry): readonly RegisteredCommand[] {
  return registry.commands.filter(({ definition }) => definition.surfaces?.includes('cli') !== false);
}
