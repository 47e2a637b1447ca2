import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import type { CommandDefinition, CommandFacts } from './definition.ts';

export * from './act-parts.ts';
export * from './definition.ts';
export * from './input-parts.ts';
export * from './operation-parts.ts';
export * from './outline-parts.ts';
export * from './parameters.ts';
export * from './terminal-parts.ts';
export type { ToolFacts } from '../ports/tools.ts';

/** Declares a command; the identity function that gives `run` its types. */
export function defineCommand<I extends z.ZodObject, O extends z.ZodType>(
  definition: CommandDefinition<I, O>,
): CommandDefinition<I, O> {
  return definition;
}

/** Declares a verb of the command line that no other surface has; its body is in `cli/verbs`. */
export function defineClientVerb<I extends z.ZodObject>(
  definition: Omit<CommandFacts<I, z.ZodObject>, 'run' | 'runsIn' | 'output'>,
): CommandDefinition<I, z.ZodObject> {
  return {
    ...definition,
    kind: 'admin',
    runsIn: 'client',
    output: z.object({}),
    run: () => {
      const name = typeof definition.name === 'string' ? definition.name : definition.name.join(' ');
      throw new DeskterityError('INVALID_ARGUMENT', `"${name}" is a verb of the command line only.`, {
        suggestion: `Run "desk ${name}" in a shell.`,
      });
    },
  };
}
