import { z } from 'zod';
import type { McpTool, RequestChannel } from '../connections/connection.ts';
import { inputSchema, readInput } from '../dialects/inspect/read-input.ts';
import { digestOf } from '../questions/request-states.ts';
import type { CallToolResult } from '../sdk.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import { reportedCall } from '../tools/reported-call.ts';
import { failureResult } from '../tools/tool-result.ts';
import { markApplicationText } from '../tools/application-text.ts';
import { Conversation } from './conversation.ts';
import { runModelTool } from './model-tools.ts';
import { lookAt, type Scene } from './scene.ts';
import { instruction, type Wanted } from './wording.ts';

export const DESCRIBE = 'desktop_describe';
const TITLE = 'Describe a window';

const text = (longest: number) => z.string().min(1).max(longest);

const Parameters = z.strictObject({
  app: text(256).optional().describe('Name, process id or alias. Default: the active application.'),
  window: text(256).optional().describe('Part of its title, id or @w3.'),
  goal: text(2000).optional().describe('Suggest the next action towards this, instead of describing.'),
  done: z.array(text(500)).max(50).optional().describe('Actions so far, for goal.'),
});
type Input = z.output<typeof Parameters>;

/** Conversations that wait for their next answer, in the modern era. Each holds a picture. */
const MOST_WAITING = 8;

/**
 * Has the client's model look at a window, if the client offers that (sampling); otherwise the answer is what it would have been shown. Offered only if
 * the user has switched it on, because it sends a picture to a model.
 */
export function describeTool(calls: ClientCalls): McpTool {
  const waiting = new Map<string, Conversation>();
  return {
    definition: {
      name: DESCRIBE,
      title: TITLE,
      description:
        "Have the client's model describe a window from a picture and its elements, or suggest the next action. Without such a client, returns the picture and the elements.",
      inputSchema: inputSchema(Parameters),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    scope: 'read',
    call: (input, channel) =>
      reportedCall({
        channel,
        title: TITLE,
        deadlineMs: undefined,
        report: { tool: DESCRIBE, session: calls.session },
        run: () => describe(calls, readInput(Parameters, input), channel, waiting),
        failed: (error) => failureResult(error, { isTextOnly: true }),
      }),
  };
}

async function describe(
  calls: ClientCalls,
  { app, window, goal, done }: Input,
  { client, context, signal }: RequestChannel,
  waiting: Map<string, Conversation>,
): Promise<CallToolResult> {
  const wanted: Wanted = { goal, done };
  const look = () => lookAt(calls, { app, window }, signal);
  if (!client.canAnswer('sampling')) return shown(await look(), wanted);
  const key = digestOf({ app, window, goal, done });
  // A call with answers continues what was asked; any other begins anew.
  const isContinued = context.mcpReq.inputResponses !== undefined;
  const known = isContinued ? waiting.get(key) : undefined;
  const conversation =
    known ?? new Conversation(await look(), wanted, client.canAnswer('sampling-with-tools'));
  remember(waiting, key, conversation);
  const { text: answer, model } = await conversation.hold(client, (use) => runModelTool(calls, use, signal));
  waiting.delete(key);
  const by = model === '' ? "The client's model" : `The client's model, ${model},`;
  const what = goal === undefined ? 'describes the window' : 'suggests';
  return { content: [{ type: 'text', text: `${by} ${what}:\n${markApplicationText(answer)}` }] };
}

function remember(waiting: Map<string, Conversation>, key: string, conversation: Conversation): void {
  waiting.delete(key);
  waiting.set(key, conversation);
  const [oldest] = waiting.keys();
  if (waiting.size > MOST_WAITING && oldest !== undefined) waiting.delete(oldest);
}

/** For a model that looks itself. */
function shown({ picture, elements }: Scene, wanted: Wanted): CallToolResult {
  return {
    content: [
      { type: 'image', ...picture },
      { type: 'text', text: `Analyze this screenshot. ${instruction(wanted, elements)}` },
    ],
  };
}
