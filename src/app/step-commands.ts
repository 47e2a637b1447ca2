import { z } from 'zod';
import { mentionHelp } from '../model/text/mention.ts';
import type { CommandContext, StepCommand, StepCommands } from '../registry/define.ts';
import { checkInput } from '../registry/wrappers/parse-input.ts';
import { invoke } from '../registry/invoke.ts';
import type { RegisteredCommand, Registry } from '../registry/registry.ts';
import { outlineAnswer } from './render.ts';
import { DeskterityError } from '../model/effects/errors.ts';

/** The commands of a registry, for one that runs several of them. `context` is that of a call which runs nothing else. */
export function stepCommands(registry: Registry, context: () => CommandContext): StepCommands {
  const known = (name: string): RegisteredCommand => {
    const command = registry.get(name);
    if (command !== undefined) return command;
    throw new DeskterityError('INVALID_ARGUMENT', `There is no command ${JSON.stringify(name)}.`, {
      suggestion: mentionHelp('do'),
    });
  };
  return {
    find: (name) => {
      const command = registry.get(name);
      return command === undefined || command.definition.runsIn === 'client' ? undefined : facts(command);
    },
    names: registry.commands.flatMap(({ name, aliases }) => [name, ...aliases]),
    check: (name, input) => void checkInput(known(name), context(), input),
    run: (name, input, { signal, form }) => {
      const ctx = context();
      return invoke(known(name), { ...ctx, signal, form: form ?? ctx.form }, input);
    },
  };
}

function facts(command: RegisteredCommand): StepCommand {
  const { definition, name } = command;
  const shape = Object.entries(command.input.shape);
  return {
    name,
    kind: definition.kind,
    group: definition.group,
    keys: shape.map(([key]) => key),
    targetKeys: shape.flatMap(([key, type]) => (isTarget(type) ? [key] : [])),
    outline: (output) => outlineAnswer(command, { ...output }).trimEnd(),
  };
}

/** Whether a parameter takes references and locators, but not any text. */
function isTarget(type: unknown): boolean {
  if (!(type instanceof z.ZodType)) return false;
  const accepts = (text: string): boolean => type.safeParse(text).success;
  return accepts('@e7') && accepts('role:button') && !accepts('no reference');
}
