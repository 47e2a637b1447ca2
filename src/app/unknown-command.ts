import { DeskterityError } from '../model/effects/errors.ts';
import { nearest } from '../model/text/nearest.ts';
import type { Registry } from '../registry/registry.ts';

/** The error for a name that no command has. */
export function unknownCommand(registry: Registry, name: string): DeskterityError {
  const close = nearest(
    name,
    registry.commands.flatMap((command) => [command.name, ...command.aliases]),
  );
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `There is no command ${JSON.stringify(name.slice(0, 80))}.`,
    {
      suggestion: close === undefined ? 'Run "desk --help" to see all commands.' : `Did you mean ${close}?`,
    },
  );
}
