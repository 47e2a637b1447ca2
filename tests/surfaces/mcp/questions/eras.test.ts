import type { CreateMessageResult, ElicitResult } from '@modelcontextprotocol/client';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveLines } from '../../../../src/surfaces/mcp/connections/serve-lines.ts';
import type { McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';
import type { ClientQuestions } from '../../../../src/surfaces/mcp/questions/question.ts';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { FakeConnection } from '../support/fake-connection.ts';
import { streamPair } from '../support/line-client.ts';
import { meet, painter, type Era, type Painted } from './support.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Scene {
  readonly answers?: readonly ElicitResult[];
  readonly tools?: readonly McpTool[];
  readonly capabilities?: object;
}

async function scene(
  era: Era,
  { answers = [], tools = [], capabilities = { elicitation: { form: {} } } }: Scene,
) {
  const painted: Painted = { runs: [] };
  const met = await meet(era, [painter(painted), ...tools], { capabilities });
  endings.push(met.close);
  const asked: unknown[] = [];
  if ('elicitation' in capabilities)
    met.client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      const answer = answers[asked.length - 1];
      if (answer === undefined) throw new Error('not expected');
      return answer;
    });
  await met.connect();
  return { ...met, ...painted, asked };
}

const GREEN: ElicitResult = { action: 'accept', content: { colour: 'g' } };

it.each([
  ['no object', { result: 5 }],
  ['nothing', { result: null }],
  ['a result and an error', { result: { action: 'accept' }, error: { code: 1, message: 'no' } }],
  ['an error without a code', { error: 'no' }],
])(
  'a client of the legacy era that answers with %s has not answered, and is not waited for',
  async (_what, answer) => {
    const painted: Painted = { runs: [] };
    const [near, far] = streamPair();
    const connection = new FakeConnection([painter(painted)]);
    const gone = serveLines({ stream: far, version: '1', open: async () => connection });
    endings.push(async () => {
      near.destroy();
      far.destroy();
      await gone;
    });
    const said: Record<string, unknown>[] = [];
    const send = (message: object) => near.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    createInterface({ input: near }).on('line', (line) => {
      const message: Record<string, unknown> = JSON.parse(line);
      said.push(message);
      if (message['method'] === 'elicitation/create') send({ id: message['id'], ...answer });
    });
    const capabilities = { elicitation: {} };
    const clientInfo = { name: 'test', version: '1' };
    send({
      id: 'i',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
    });
    send({ id: 'call', method: 'tools/call', params: { name: 'paint', arguments: {} } });
    await vi.waitFor(() => expect(said.find(({ id }) => id === 'call')).toHaveProperty('error'));
    expect(painted.runs).toEqual([]);
  },
);

describe.each(['legacy', 'modern'] as const)('a call that asks a client of the %s era', (era) => {
  it('is answered, and runs once', async () => {
    const { client, runs, asked } = await scene(era, { answers: [GREEN] });
    await client.callTool({ name: 'paint', arguments: {} });
    expect(runs).toEqual([[{ action: 'accept', content: { colour: 'g' } }]]);
    expect(asked).toMatchObject([
      { message: expect.stringContaining('Which colour?'), requestedSchema: { required: ['colour'] } },
    ]);
  });

  it('asks one question after the other', async () => {
    const sure: ElicitResult = { action: 'accept', content: { sure: true } };
    const { client, runs, asked } = await scene(era, { answers: [GREEN, sure] });
    await client.callTool({ name: 'paint', arguments: { second: true } });
    expect(runs).toEqual([[GREEN, sure]]);
    expect(asked).toHaveLength(2);
  });

  it.each(['decline', 'cancel'] as const)('knows a %s', async (action) => {
    const { client, runs } = await scene(era, { answers: [{ action }] });
    await client.callTool({ name: 'paint', arguments: {} });
    expect(runs).toEqual([[{ action }]]);
  });

  it.each([
    [{ colour: 'black' }, 'colour'],
    [{}, 'colour'],
    [{ colour: ['g'] }, 'colour'],
    [undefined, 'colour'],
  ])('refuses %j, which does not fit the form', async (content, field) => {
    const failing: McpTool = caught();
    const answers = [{ action: 'accept', ...(content === undefined ? {} : { content }) } as ElicitResult];
    const { client } = await scene(era, { answers, tools: [failing] });
    const result = await client.callTool({ name: 'caught', arguments: {} });
    expect(JSON.stringify(result)).toContain('INVALID_ARGUMENT');
    expect(JSON.stringify(result)).toContain(field);
  });

  it('drops what was not asked for', async () => {
    const content = JSON.parse('{"colour": "r", "__proto__": {"x": "y"}, "more": "z"}');
    const { client, runs } = await scene(era, { answers: [{ action: 'accept', content }] });
    await client.callTool({ name: 'paint', arguments: {} });
    expect(runs).toEqual([[{ action: 'accept', content: { colour: 'r' } }]]);
  });

  it('does not ask a client that has not declared that it answers', async () => {
    const { client, asked, runs } = await scene(era, { capabilities: {}, tools: [caught()] });
    const result = await client.callTool({ name: 'caught', arguments: {} });
    expect(JSON.stringify(result)).toContain('ACTION_NOT_SUPPORTED');
    expect(JSON.stringify(result)).toContain('elicitation.form');
    expect([asked, runs]).toEqual([[], []]);
  });

  it('asks everything at once: a page, the model, and the roots', async () => {
    const got = vi.fn<(answers: unknown) => void>();
    const tool: McpTool = {
      definition: { name: 'all', inputSchema: { type: 'object' } },
      call: async (_, { client }) => {
        got(
          await client.ask({
            page: { kind: 'url', message: 'Log in.', url: 'http://127.0.0.1:1/login' },
            model: {
              kind: 'sampling',
              params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 },
            },
            roots: { kind: 'roots' },
          }),
        );
        return { content: [] };
      },
    };
    const met = await meet(era, [tool], {
      capabilities: { elicitation: { url: {} }, sampling: {}, roots: {} },
    });
    endings.push(met.close);
    met.client.setRequestHandler('elicitation/create', async () => ({ action: 'accept' }));
    met.client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'Hello' },
    }));
    met.client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work' }] }));
    await met.connect();
    await met.client.callTool({ name: 'all', arguments: {} });
    expect(got.mock.calls).toMatchObject([
      [
        {
          page: { action: 'accept' },
          model: { role: 'assistant', content: { text: 'Hello' } },
          roots: [{ uri: 'file:///work' }],
        },
      ],
    ]);
  });
});

describe.each(['legacy', 'modern'] as const)('an earlier answer in the %s era', (era) => {
  /** Each picture differs, so the question about it never comes up again. */
  async function viewer(model: (text: string) => unknown) {
    const pictures: string[] = [];
    const seen: unknown[] = [];
    const look = async (client: ClientQuestions) => {
      const earlier = client.earlier('seen', 'sampling');
      if (earlier !== undefined) return earlier;
      pictures.push(`picture ${Math.random()}`);
      const text = pictures.at(-1) ?? '';
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
      const asked = await client.ask({ seen: { kind: 'sampling', params: { messages, maxTokens: 5 } } });
      return asked.seen;
    };
    const tool: McpTool = {
      definition: { name: 'look', inputSchema: { type: 'object' } },
      call: async (_, { client }) => {
        const { content } = await look(client);
        const { roots } = await client.ask({ roots: { kind: 'roots' } });
        seen.push([content, roots]);
        return { content: [] };
      },
    };
    const met = await meet(era, [tool], { capabilities: { sampling: {}, roots: {} } });
    endings.push(met.close);
    met.client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const [message] = params.messages;
      return model(JSON.stringify(message?.content)) as CreateMessageResult;
    });
    met.client.setRequestHandler('roots/list', async () => ({ roots: [] }));
    await met.connect();
    return { ...met, pictures, seen };
  }

  it('is kept until the call has all its answers', async () => {
    const { client, pictures, seen } = await viewer((text) => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: `I see ${text.includes('picture')}` },
    }));
    await client.callTool({ name: 'look', arguments: {} });
    expect(pictures).toHaveLength(1);
    expect(seen).toEqual([[{ type: 'text', text: 'I see true' }, []]]);
  });
});

describe('in the legacy era', () => {
  it('cancels the question with the call', async () => {
    const met = await scene('legacy', { tools: [] });
    let withdrawn: AbortSignal | undefined;
    met.client.setRequestHandler('elicitation/create', (_, { mcpReq }) => {
      withdrawn = mcpReq.signal;
      return new Promise(() => undefined);
    });
    const cancel = new AbortController();
    const call = met.client.callTool({ name: 'paint', arguments: {} }, { signal: cancel.signal });
    await vi.waitFor(() => expect(withdrawn).toBeDefined());
    cancel.abort();
    await expect(call).rejects.toThrow('abort');
    await vi.waitFor(() => expect(withdrawn?.aborted).toBe(true));
    expect(met.runs).toEqual([]);
  });

  it('reports a client that refuses to answer', async () => {
    const { client } = await scene('legacy', { answers: [], tools: [caught()] });
    const result = await client.callTool({ name: 'caught', arguments: {} });
    expect(JSON.stringify(result)).toContain('ACTION_FAILED');
  });
});

/** The painter, with its error as the answer. */
function caught(): McpTool {
  const paint = painter({ runs: [] });
  return {
    definition: { ...paint.definition, name: 'caught' },
    call: async (input, channel) => {
      try {
        return await paint.call(input, channel);
      } catch (error) {
        if (!(error instanceof DeskterityError)) throw error;
        return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }] };
      }
    },
  };
}
