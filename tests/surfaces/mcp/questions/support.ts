import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { serveLines } from '../../../../src/surfaces/mcp/connections/serve-lines.ts';
import type { McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';
import type { FormSchema } from '../../../../src/surfaces/mcp/questions/question.ts';
import { FakeConnection } from '../support/fake-connection.ts';
import { LineClientTransport, streamPair } from '../support/line-client.ts';

export const COLOUR: FormSchema = {
  type: 'object',
  properties: {
    colour: {
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    },
  },
  required: ['colour'],
};

/** Runs of the tools below: what they did after their questions. */
export interface Painted {
  readonly runs: unknown[];
}

/** A tool that paints in the colour that the client chooses; `second` asks another question after the first. */
export function painter({ runs }: Painted): McpTool {
  let times = 0;
  return {
    definition: { name: 'paint', inputSchema: { type: 'object' } },
    call: async (input, { client }) => {
      const { colour } = await client.ask({
        // Different each time, as the file of a picture is, and the same question.
        colour: {
          kind: 'form',
          message: 'Which colour?',
          aside: `Asked ${(times += 1)} times.`,
          schema: COLOUR,
        },
      });
      const said: unknown[] = [colour];
      if (input['second'] === true) {
        const { sure } = await client.ask({
          sure: {
            kind: 'form',
            message: 'Sure?',
            schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
          },
        });
        said.push(sure);
      }
      runs.push(said);
      return { content: [{ type: 'text', text: JSON.stringify(said) }] };
    },
  };
}

export type Era = 'legacy' | 'modern';

/** Serves tools to an official client. `close` ends both. */
export async function meet(era: Era, tools: readonly McpTool[], options: ClientOptions = {}) {
  const [near, far] = streamPair();
  const connection = new FakeConnection(tools);
  const gone = serveLines({ stream: far, version: '1.2.3', open: async () => connection });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      ...options,
    },
  );
  return {
    client,
    connect: () => client.connect(new LineClientTransport(near)),
    close: async () => {
      await client.close();
      near.destroy();
      far.destroy();
      await gone;
    },
  };
}
