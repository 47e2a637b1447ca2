import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import type { CommandDefinition, CommandFacts } from './definition.ts';

export * from './act-parts.ts';
export * from './definition.ts';
export { heedFileTools } from './heed-tool.ts';
export * from './input-parts.ts';
export * from './operation-parts.ts';
export * from './outline-parts.ts';
export * from './page-parts.ts';
export * from './parameters.ts';
export * from './picture-parts.ts';
export * from './refinements.ts';
export * from './server-parts.ts';
export type { ServerFacts } from '../ports/upstream/servers.ts';
export type { ToolFacts, ToolFileFacts } from '../ports/tools.ts';

/** Declares a command; returns it unchanged, with `run` typed by its input and output. */
export function defineCommand<I extends z.ZodObject, O extends z.ZodType>(
  definition: CommandDefinition<I, O>,
): CommandDefinition<I, O> {
  return definition;
}

/** Declares a verb that only the command line has; `cli/verbs` implements it. */
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
      throw new DeskterityError('INVALID_ARGUMENT', `"${name}" is only available on the command line.`, {
        suggestion: `Run "desk ${name}" in a shell.`,
      });
    },
  };
}
