import type { ServerCallOptions } from '../ports/upstream/servers.ts';
import type { CommandContext } from './definition.ts';
import { heedServerTool, type ToolCall } from './heed-tool.ts';

/** Characters of one token, at least. */
const CHARACTERS_PER_TOKEN = 3;
/** What is printed or sent ends below 100 KB. */
const MOST_PRINTED = 60_000;
const MOST_DATA = 16 * 1024 * 1024;

/** How long the text of an answer of another MCP server may be. */
export function mostCharacters({ isForModel, isData, configuration }: CommandContext): number {
  if (isData === true) return MOST_DATA;
  return isForModel === true
    ? configuration.values.operations.answer_tokens * CHARACTERS_PER_TOKEN
    : MOST_PRINTED;
}

/** What a call of a tool of another MCP server takes from the call of its command. */
export function serverCallOptions(ctx: CommandContext, call: ToolCall): ServerCallOptions {
  const { attach, progress } = ctx;
  return {
    signal: ctx.signal,
    guard: (tool) => heedServerTool(ctx, call, tool),
    mostCharacters: mostCharacters(ctx),
    ...(progress === undefined ? {} : { onProgress: (message: string) => progress({ message }) }),
    ...(attach === undefined ? {} : { onPicture: attach }),
  };
}
