import { afterEach, expect, it } from 'vitest';
import type { McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { abilitiesOf } from '../../../../src/surfaces/mcp/questions/abilities.ts';
import { formFor } from '../../../../src/surfaces/mcp/questions/revisions.ts';
import { COLOUR, meet, painter } from './support.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** What a client of this revision is asked, and what the tool does. */
async function asked(revision: string) {
  const runs: unknown[] = [];
  const params: unknown[] = [];
  const paint = painter({ runs });
  const ableTo: boolean[] = [];
  const tool: McpTool = {
    ...paint,
    call: async (input, channel) => {
      ableTo.push(channel.client.canAnswer('form'));
      return channel.client.canAnswer('form') ? paint.call(input, channel) : { content: [] };
    },
  };
  const { client, connect, close } = await meet('legacy', [tool], {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
    supportedProtocolVersions: [revision],
  });
  endings.push(close);
  client.setRequestHandler('elicitation/create', async (request) => {
    params.push(request.params);
    return { action: 'accept', content: { colour: 'g' } };
  });
  await connect();
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  await client.callTool({ name: 'paint', arguments: {} });
  return { params, runs, ableTo };
}

it('spells choices as two lists for clients of 2025-06-18, which have no modes either', async () => {
  const { params, runs } = await asked('2025-06-18');
  // The official client adds the mode that is meant by its absence.
  const [{ mode: _mode, ...form }] = params as [Record<string, unknown>];
  expect(form).toEqual({
    // Also what is no part of what is answered.
    message: 'Which colour? Asked 1 times.',
    requestedSchema: {
      type: 'object',
      properties: { colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] } },
      required: ['colour'],
    },
  });
  expect(runs).toEqual([[{ action: 'accept', content: { colour: 'g' } }]]);
});

it('spells choices with titles since 2025-11-25', async () => {
  const { params } = await asked('2025-11-25');
  expect(params).toMatchObject([
    { mode: 'form', requestedSchema: { properties: { colour: COLOUR.properties['colour'] } } },
  ]);
});

it.each(['2024-11-05', '2025-03-26'])('asks no client of %s, whatever it declares', async (revision) => {
  const { params, runs, ableTo } = await asked(revision);
  expect([params, runs, ableTo]).toEqual([[], [], [false]]);
});

it('asks clients of 2025-06-18 for no pages and no tools of a model', () => {
  const can = abilitiesOf({ elicitation: { form: {}, url: {} }, sampling: { tools: {} } }, '2025-06-18');
  expect([can('form'), can('url'), can('sampling'), can('sampling-with-tools')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('does not refuse all roots for one that is no file', async () => {
  const got: unknown[] = [];
  const tool: McpTool = {
    definition: { name: 'roots', inputSchema: { type: 'object' } },
    call: async (_, { client }) => {
      got.push((await client.ask({ roots: { kind: 'roots' } })).roots.map(({ uri }) => uri));
      return { content: [] };
    },
  };
  const uris = ['https://example.com/a', 'file:///work'];
  for (const era of ['legacy', 'modern'] as const) {
    const { client, connect, close } = await meet(era, [tool], { capabilities: { roots: {} } });
    endings.push(close);
    client.setRequestHandler('roots/list', async () => ({ roots: uris.map((uri) => ({ uri })) }));
    await connect();
    await client.callTool({ name: 'roots', arguments: {} });
  }
  expect(got).toEqual([uris, uris]);
});

it('keeps what all revisions know', () => {
  const schema = {
    type: 'object' as const,
    properties: {
      many: { type: 'integer' as const, title: 'Many', minimum: 1, default: 2 },
      sure: { type: 'boolean' as const, default: true },
      one: {
        type: 'string' as const,
        title: 'One',
        description: 'Of two.',
        oneOf: [{ const: 'a', title: 'A' }],
      },
    },
  };
  expect(formFor('2025-06-18', { message: 'm', schema })).toEqual({
    message: 'm',
    requestedSchema: {
      type: 'object',
      properties: {
        many: { type: 'integer', title: 'Many', minimum: 1 },
        sure: { type: 'boolean', default: true },
        one: { type: 'string', title: 'One', description: 'Of two.', enum: ['a'], enumNames: ['A'] },
      },
    },
  });
});
