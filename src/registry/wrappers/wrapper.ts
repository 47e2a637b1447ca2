import type { CommandContext } from '../definition.ts';
import type { RegisteredCommand } from '../registry.ts';

/** Runs a command on the caller's input. */
export type Invoke = (ctx: CommandContext, input: unknown) => Promise<Record<string, unknown>>;

/** Adds one concern to every command. */
export type Wrapper = (command: RegisteredCommand, next: Invoke) => Invoke;
