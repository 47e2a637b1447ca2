import { findTool } from '../access/scope-needed.ts';
import { STRICTEST } from '../access/scopes.ts';
import type { AnsweredTool, McpTool, Unwatch } from '../connections/connection.ts';
import { unknownName } from '../protocol-errors.ts';
import { isInputRequiredResult, type ServerContext } from '../sdk.ts';
import { callTool, listedTool } from '../tasks/serve-tasks.ts';
import { paginate } from './paginate.ts';
import { channelOf, withQuestions, type Served } from './served.ts';

/** One page holds all tools, because some clients never request a second one. */
const TOOLS_PER_PAGE = 500;

export function serveTools(served: Served): void {
  const { server, connection, era } = served;
  let watch: Unwatch | undefined;
  server.onclose = () => watch?.();
  const permitted = (
    context: ServerContext,
    of: readonly McpTool[] = connection.tools,
  ): readonly McpTool[] => {
    const { may } = channelOf(context, served);
    return of.filter(({ scope = STRICTEST }) => may(scope));
  };
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    await connection.prepare?.(context);
    await connection.toolsKnown;
    // A client that has a list needs to know when it changes; modern clients subscribe explicitly.
    if (era === 'legacy')
      watch ??= connection.watchTools(() => void server.sendToolListChanged().catch(() => undefined));
    const { items, ...rest } = paginate(permitted(context), params?.cursor, TOOLS_PER_PAGE);
    return { tools: items.map((item) => listedTool(item, served)), ...rest };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    await connection.prepare?.(context);
    const find = () =>
      findTool(permitted(context), params.name) ??
      findTool(permitted(context, connection.hiddenTools ?? []), params.name);
    let tool = find();
    if (tool === undefined) {
      await connection.toolsKnown;
      tool = find();
    }
    if (tool === undefined)
      throw unknownName(
        'tool',
        params.name,
        permitted(context).map(({ definition }) => definition.name),
      );
    const result = await callTool(answeredTool(tool, served), params, channelOf(context, served), served);
    return isInputRequiredResult(result)
      ? result
      : server.projectCallToolResult(result, tool.definition.outputSchema);
  });
}

/** The tool, whose calls may ask the client that made them. */
function answeredTool(tool: McpTool, served: Served): AnsweredTool {
  const { name } = tool.definition;
  return {
    ...tool,
    call: (input, channel) =>
      withQuestions(served, { channel, name, input }, (asking) => tool.call(input, asking)),
  };
}
