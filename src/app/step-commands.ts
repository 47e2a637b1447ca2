import { z } from 'zod';
import { isDryRunReport } from '../model/effects/dry-run.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { CommandContext, StepCommand, StepCommands } from '../registry/define.ts';
import { changesNothing } from '../registry/wrappers/apply-policy.ts';
import { missingField } from '../registry/answer-fields.ts';
import { checkInput } from '../registry/wrappers/parse-input.ts';
import { ruled } from '../registry/ruled-commands.ts';
import { invoke } from '../registry/invoke.ts';
import type { RegisteredCommand, Registry } from '../registry/registry.ts';
import { outlineAnswer } from './render.ts';

/** The commands that a caller is offered, with the input keys that it is not; absent for callers who are offered everything. */
export type OfferedCommands = ReadonlyMap<string, readonly string[]>;

/** The commands of a registry, for one that runs several of them. `context` is that of the call without its wrappers. */
export function stepCommands(
  registry: Registry,
  context: () => CommandContext,
  offered?: OfferedCommands,
): StepCommands {
  const find = (name: string): RegisteredCommand | undefined => {
    const command =
      registry.get(name) ??
      registry.commands.find(({ toolName }) => toolName === name) ??
      registry.get(kebabCase(name));
    const isOffered = command !== undefined && (offered === undefined || offered.has(command.name));
    return isOffered && command.definition.runsIn !== 'client' ? command : undefined;
  };
  // Commands use others that their callers are not offered, such as fill its toggle.
  const known = (name: string): RegisteredCommand => {
    const command = registry.get(name);
    if (command !== undefined) return command;
    throw new TypeError(`There is no command ${name}.`);
  };
  return {
    explainable: (name) => {
      const command = registry.get(name);
      if (command === undefined) return undefined;
      const { definition } = command;
      const { kind, group, beyondReading } = definition;
      const judged = { name: command.name, kind, group, isReadOnly: changesNothing(definition) };
      return { judged, ruled: ruled(definition), beyondReading };
    },
    find: (name) => {
      const command = find(name);
      return command && facts(command);
    },
    names: namesOf(registry, offered, find),
    check: (name, input) => {
      const hidden = offered?.get(name)?.find((key) => key in input);
      if (hidden === undefined) return checkInput(known(name), context(), input);
      throw new DeskterityError('INVALID_ARGUMENT', `${name} does not accept ${hidden} here.`, {
        suggestion: 'Leave it out.',
      });
    },
    run: (name, input, { signal, form }) => {
      const ctx = context();
      return invoke(known(name), { ...ctx, signal, form: form ?? ctx.form, isStep: true }, input);
    },
  };
}

const EVERYTHING: OfferedCommands = new Map();
/** Made once for what callers are offered. */
const knownNames = new WeakMap<Registry, WeakMap<OfferedCommands, readonly string[]>>();

function namesOf(
  registry: Registry,
  offered: OfferedCommands | undefined,
  find: (name: string) => RegisteredCommand | undefined,
): readonly string[] {
  const byOffer = knownNames.get(registry) ?? new WeakMap<OfferedCommands, readonly string[]>();
  knownNames.set(registry, byOffer);
  const known =
    byOffer.get(offered ?? EVERYTHING) ??
    registry.commands
      .filter(({ name }) => find(name) !== undefined)
      .flatMap(({ name, aliases }) => [name, ...aliases]);
  byOffer.set(offered ?? EVERYTHING, known);
  return known;
}

/** `setValue`, as the library writes it. */
function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function facts(command: RegisteredCommand): StepCommand {
  const { definition, name } = command;
  const shape = Object.entries(command.input.shape);
  return {
    name,
    kind: definition.kind,
    isReadOnly: changesNothing(definition),
    group: definition.group,
    keys: shape.map(([key]) => key),
    targetKeys: shape.flatMap(([key, type]) => (isTarget(type) ? [key] : [])),
    accepts: (key, value) => {
      const type = command.input.shape[key];
      return type instanceof z.ZodType && type.safeParse(value).success;
    },
    missingField: (path) => missingField(definition.output, path),
    outline: (output) => outlineAnswer(command, { ...output }).trimEnd(),
    exitCode: (output) => (isDryRunReport(output) ? 0 : (definition.exitCode?.({ ...output }) ?? 0)),
  };
}

/** Whether a parameter takes references and locators, but not any text. */
function isTarget(type: unknown): boolean {
  if (!(type instanceof z.ZodType)) return false;
  const accepts = (text: string): boolean => type.safeParse(text).success;
  return accepts('@e7') && accepts('role:button') && !accepts('no reference');
}
