import type { McpPrompt, Unwatch } from '../connections/connection.ts';
import { invalidParams, unknownName } from '../protocol-errors.ts';
import { ITEMS_PER_PAGE, paginate } from './paginate.ts';
import { channelOf, withQuestions, type Served } from './served.ts';

export function servePrompts(served: Served): void {
  const { server, connection, era } = served;
  let watch: Unwatch | undefined;
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    watch?.();
  };
  server.setRequestHandler('prompts/list', ({ params }) => {
    // As for tools: modern clients subscribe explicitly.
    if (era === 'legacy')
      watch ??= connection.watchPrompts?.(() => void server.sendPromptListChanged().catch(() => undefined));
    const { items, ...rest } = paginate(connection.prompts, params?.cursor, ITEMS_PER_PAGE);
    return { prompts: items.map(({ definition }) => definition), ...rest };
  });
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: input = {} } }, context) => {
    const { prompts } = connection;
    const prompt = prompts.find(({ definition }) => definition.name === name);
    if (prompt === undefined)
      throw unknownName(
        'prompt',
        name,
        prompts.map(({ definition }) => definition.name),
      );
    requireArguments(prompt, input);
    const channel = channelOf(context, served);
    return withQuestions(served, { channel, name, input }, (asking) => prompt.get(input, asking));
  });
}

function requireArguments({ definition }: McpPrompt, given: Readonly<Record<string, string>>): void {
  const names = (definition.arguments ?? []).map(({ name }) => name);
  const missing = (definition.arguments ?? []).find(
    ({ name, required }) => required === true && (given[name] ?? '').trim() === '',
  );
  if (missing !== undefined)
    throw invalidParams(`The prompt "${definition.name}" needs the argument "${missing.name}".`);
  const extra = Object.keys(given).find((name) => !names.includes(name));
  if (extra !== undefined) throw unknownName(`argument of the prompt "${definition.name}"`, extra, names);
}
