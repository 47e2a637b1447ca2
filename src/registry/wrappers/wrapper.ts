import type { CommandContext } from '../definition.ts';
import type { RegisteredCommand } from '../registry.ts';

/** Runs a command on whatever the caller sent. */
export type Invoke = (ctx: CommandContext, input: unknown) => Promise<Record<string, unknown>>;

/** Adds one concern around a command, so that no command has to care for it. */
export type Wrapper = (command: RegisteredCommand, next: Invoke) => Invoke;
