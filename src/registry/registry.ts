import { once } from '../model/once.ts';
import type { z } from 'zod';
import type { CommandDefinition } from './definition.ts';
import { DRY_RUN_KEY, DryRunInput, takesDryRun } from './dry-run/takes-dry-run.ts';
import { SeatInput } from './seat/takes-seat.ts';

/** A command as the rest of the program sees it. */
export interface RegisteredCommand {
  readonly definition: CommandDefinition;
  /** As typed: `set-value`, or `clipboard get`. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Absent for commands that are not MCP tools, such as command line verbs. */
  readonly toolName: string | undefined;
  /** The definition's input with unknown keys refused. */
  readonly input: z.ZodObject;
}

/** All commands by name. */
export interface Registry {
  readonly commands: readonly RegisteredCommand[];
  /** By name or alias. */
  get(name: string): RegisteredCommand | undefined;
}

/** @throws Error if two commands claim the same name, alias or tool name, which is a bug in this program. */
export function createRegistry(definitions: readonly CommandDefinition[]): Registry {
  const commands = definitions.map((definition) => registerCommand(definition));
  const byName = new Map<string, RegisteredCommand>();
  const byToolName = new Map<string, RegisteredCommand>();
  for (const command of commands) {
    for (const name of [command.name, ...command.aliases]) claim(byName, name, command);
    if (command.toolName !== undefined) claim(byToolName, command.toolName, command);
  }
  return { commands, get: (name) => byName.get(name) };
}

/** A command outside the registry, such as a tool of a tool file. */
export function registerCommand(definition: CommandDefinition): RegisteredCommand {
  const path = typeof definition.name === 'string' ? [definition.name] : [...definition.name];
  const name = path.join(' ');
  // Few commands of a process are ever called.
  const input = once(() => inputOf(definition));
  return {
    definition,
    name,
    aliases: definition.aliases ?? [],
    toolName:
      definition.runsIn === 'client' || definition.surfaces?.includes('mcp') === false
        ? undefined
        : (definition.mcpName ?? toolNameOf(path, definition.group)),
    get input() {
      return input();
    },
  };
}

function inputOf(definition: CommandDefinition): z.ZodObject {
  const { input: own, foreignInput } = definition;
  if (foreignInput !== undefined) return own;
  const input = definition.takesSeat === true ? own.safeExtend(SeatInput) : own;
  const hasOwn = DRY_RUN_KEY in input.shape;
  return takesDryRun(definition) && !hasOwn ? input.safeExtend(DryRunInput).strict() : input.strict();
}

function toolNameOf(path: readonly string[], group: CommandDefinition['group']): string {
  const name = path.join('_').replaceAll('-', '_');
  // Command-line operations do not concern the desktop.
  return group === 'operations' ? name : `desktop_${name}`;
}

function claim(taken: Map<string, RegisteredCommand>, name: string, command: RegisteredCommand): void {
  const owner = taken.get(name);
  if (owner !== undefined)
    throw new Error(`"${name}" is claimed by the commands ${owner.name} and ${command.name}.`);
  taken.set(name, command);
}
