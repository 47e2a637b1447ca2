import { isRecord } from '../../../model/is-record.ts';
import type { McpConnection, McpTool } from '../connections/connection.ts';
import { parseAddress } from '../resources/address.ts';
import { ProtocolError } from '../sdk.ts';
import { wantedTasks } from '../tasks/listen-tasks.ts';
import { higher, STRICTEST, type Scope } from './scopes.ts';

/** The parameter that leads to the screen of a terminal. */
export const TERMINAL = 'terminal';

/** Resources that show what others have started. */
const OF_OTHERS: ReadonlySet<string> = new Set(['operations', 'operation', 'terminals']);

export type JudgedConnection = Pick<McpConnection, 'tools' | 'toolsKnown' | 'tasks'>;

/**
 * The scope that the messages of one HTTP request need: that of the tools they call, and of those whose tasks they use, `admin` for
 * resources of others, and `read` for everything else.
 */
export async function scopeNeeded(
  body: unknown,
  connection: JudgedConnection,
  account: string,
): Promise<Scope> {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  let needed: Scope = 'read';
  for (const message of messages) {
    const call = calledTool(message);
    if (call !== undefined) {
      if (findTool(connection.tools, call.name) === undefined) await connection.toolsKnown;
      const tool = findTool(connection.tools, call.name);
      // Nobody is asked for more permissions in order to learn that a tool does not exist.
      if (tool !== undefined) needed = higher(needed, scopeOf(tool, call.input));
    }
    if (namedResources(message).some((uri) => OF_OTHERS.has(parseAddress(uri)?.kind ?? '')))
      needed = higher(needed, 'admin');
    for (const taskId of namedTasks(message))
      needed = higher(needed, await scopeOfTask(taskId, connection, account));
  }
  return needed;
}

/** The tool of this name or alias. */
export function findTool(tools: readonly McpTool[], name: string): McpTool | undefined {
  return tools.find(({ definition, aliases = [] }) => definition.name === name || aliases.includes(name));
}

/** What somebody must be permitted to use a task: what its tool needs at most. */
export function scopeOfTaskOf(tools: readonly McpTool[], toolName: string): Scope {
  const { scope = STRICTEST, beyondReading } = findTool(tools, toolName) ?? {};
  return beyondReading === undefined ? scope : higher(scope, 'act');
}

async function scopeOfTask(
  taskId: string,
  { tools, tasks }: JudgedConnection,
  account: string,
): Promise<Scope> {
  try {
    const found = await tasks?.find(taskId, account);
    return found === undefined ? 'read' : scopeOfTaskOf(tools, found.record.tool);
  } catch (error) {
    // There is none, as the request will be told.
    if (error instanceof ProtocolError) return 'read';
    throw error;
  }
}

function scopeOf({ scope = STRICTEST, beyondReading }: McpTool, input: unknown): Scope {
  if (!isRecord(input)) return scope;
  if (Object.hasOwn(input, TERMINAL)) return 'admin';
  const isBeyond = beyondReading !== undefined && Object.hasOwn(input, beyondReading);
  return isBeyond ? higher(scope, 'act') : scope;
}

function calledTool(message: unknown): { readonly name: string; readonly input: unknown } | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call') return undefined;
  const params = message['params'];
  if (!isRecord(params) || typeof params['name'] !== 'string') return undefined;
  return { name: params['name'], input: params['arguments'] };
}

/** The resources that a message reads or watches. */
function namedResources(message: unknown): readonly string[] {
  if (!isRecord(message) || !isRecord(message['params'])) return [];
  const { uri, notifications } = message['params'];
  const watched = isRecord(notifications) ? notifications['resourceSubscriptions'] : undefined;
  return [uri, ...(Array.isArray(watched) ? watched : [])].filter((each) => typeof each === 'string');
}

/** The tasks that a message reads, watches, answers or cancels. */
function namedTasks(message: unknown): readonly string[] {
  const watched = wantedTasks(message)?.taskIds ?? [];
  if (!isRecord(message) || !isRecord(message['params'])) return watched;
  const { taskId } = message['params'];
  return typeof taskId === 'string' ? [taskId, ...watched] : watched;
}
