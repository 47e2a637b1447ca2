import type { RegisteredCommand, Registry } from '../../src/registry/registry.ts';

/** The commands that the command line offers. */
export function onCommandLine(registry: Registry): readonly RegisteredCommand[] {
  return registry.commands.filter(({ definition }) => definition.surfaces?.includes('cli') !== false);
}
