import { isRecord } from '../../../model/is-record.ts';
import type { McpConnection, McpTool } from '../connections/connection.ts';
import { higher, STRICTEST, type Scope } from './scopes.ts';

/** The scope that the messages of one HTTP request need: that of the tools they call, and `read` for everything else. */
export async function scopeNeeded(
  body: unknown,
  connection: Pick<McpConnection, 'tools' | 'toolsKnown'>,
): Promise<Scope> {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  let needed: Scope = 'read';
  for (const { name, input } of messages.map(calledTool).filter((call) => call !== undefined)) {
    if (findTool(connection.tools, name) === undefined) await connection.toolsKnown;
    const tool = findTool(connection.tools, name);
    // Nobody is asked for more permissions in order to learn that a tool does not exist.
    if (tool !== undefined) needed = higher(needed, scopeOf(tool, input));
  }
  return needed;
}

/** The tool of this name or alias. */
export function findTool(tools: readonly McpTool[], name: string): McpTool | undefined {
  return tools.find(({ definition, aliases = [] }) => definition.name === name || aliases.includes(name));
}

function scopeOf({ scope = STRICTEST, beyondReading }: McpTool, input: unknown): Scope {
  const isBeyond = beyondReading !== undefined && isRecord(input) && Object.hasOwn(input, beyondReading);
  return isBeyond ? higher(scope, 'act') : scope;
}

function calledTool(message: unknown): { readonly name: string; readonly input: unknown } | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call') return undefined;
  const params = message['params'];
  if (!isRecord(params) || typeof params['name'] !== 'string') return undefined;
  return { name: params['name'], input: params['arguments'] };
}
