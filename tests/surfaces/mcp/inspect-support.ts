import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { expect } from 'vitest';
import { z } from 'zod';
import { createEngine } from '../../../src/engine/create-engine.ts';
import type { Answer } from '../../../src/app/app.ts';
import {
  INSPECT_TIMEOUTS_MS,
  inspectTools,
} from '../../../src/surfaces/mcp/dialects/inspect/inspect-tools.ts';
import type { McpTool, RequestChannel } from '../../../src/surfaces/mcp/connections/connection.ts';
import type { ClientCallOptions, ClientCalls } from '../../../src/surfaces/mcp/tools/client-calls.ts';
import type { ServerContext } from '../../../src/surfaces/mcp/sdk.ts';
import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedApp } from '../../simulated/simulated-world.ts';
import { fakeApp } from '../../app/fake-app.ts';
import { SILENT_CLIENT } from './support/silent-client.ts';

const Result = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()),
  isError: z.boolean().default(false),
});

const validator = new AjvJsonSchemaValidator();

/** Commands answered by the real app and engine on a scripted desktop. */
export function simulatedCalls(apps: SimulatedApp[]): { calls: ClientCalls; world: SimulatedWorld } {
  const world = new SimulatedWorld(apps);
  const app = fakeApp(
    async () => new SimulatedDesktop(world),
    () => Promise.reject(new Error('not used')),
    { createEngine: (parts) => createEngine({ ...parts, clock: world.clock }) },
  );
  return {
    world,
    calls: fakeCalls((command, input, options) =>
      app.answer('default', command, input, { form: 'json', ...options }),
    ),
  };
}

/** Commands answered by the test. */
export function fakeCalls(
  answer: (
    command: string,
    input: Readonly<Record<string, unknown>>,
    options: ClientCallOptions,
  ) => Promise<Answer>,
): ClientCalls {
  return {
    session: 'test',
    answer: (command, input, options = {}) => answer(command, input, options),
    look: () => Promise.reject(new Error('look was not expected')),
    watch: () => Promise.reject(new Error('watch was not expected')),
  };
}

export function answerOf(output: Record<string, unknown>): Answer {
  return { output, outline: '', quoted: '', finished: '', pictures: [], isFromDesktop: true, durationMs: 1 };
}

export function voice(
  signal = new AbortController().signal,
  log: RequestChannel['log'] = () => undefined,
): RequestChannel {
  return {
    signal,
    progress: () => undefined,
    log,
    client: SILENT_CLIENT,
    may: () => true,
    // No tool of this dialect looks at it.
    context: {} as ServerContext,
  };
}

/** Calls tools by name, and checks of every answer what holds for all of them. */
export function inspector(
  calls: ClientCalls,
  timeoutsMs: Partial<Record<keyof typeof INSPECT_TIMEOUTS_MS, number>> = {},
) {
  const options = { timeoutsMs: { ...INSPECT_TIMEOUTS_MS, ...timeoutsMs } };
  const tools = new Map(inspectTools(calls, options).map((tool) => [tool.definition.name, tool]));
  const call = async (name: string, input: Record<string, unknown>, signal?: AbortSignal) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const result = Result.parse(await tool.call(input, voice(signal)));
    const [{ text }] = result.content;
    const data = result.structuredContent;
    // A failure is also in the text, as some clients show nothing else of it; an answer only begins there.
    if (result.isError) expect(JSON.parse(text)).toEqual(data);
    else expect([text.length <= 300, text.slice(0, 150)]).toEqual([true, JSON.stringify(data).slice(0, 150)]);
    expectValid(tool, data);
    return { data, text, isError: result.isError };
  };
  const texts = new Map(
    inspectTools(calls, { ...options, isTextOnly: true }).map((tool) => [tool.definition.name, tool]),
  );
  return {
    tools,
    call,
    /** The answer as a client without structured content gets it. */
    written: async (name: string, input: Record<string, unknown>) =>
      Result.omit({ structuredContent: true }).parse(await texts.get(name)?.call(input, voice())).content[0]
        .text,
    ok: async (name: string, input: Record<string, unknown>) => {
      const { data, isError } = await call(name, input);
      if (isError) throw new Error(JSON.stringify(data));
      return data;
    },
    failure: async (name: string, input: Record<string, unknown>, signal?: AbortSignal) => {
      const { data, isError } = await call(name, input, signal);
      if (!isError) throw new Error(JSON.stringify(data));
      expect(Object.keys(data).filter((key) => key !== 'app')).toEqual([
        'operation',
        'error_type',
        'message',
        'guidance',
      ]);
      expect(data['operation']).toBe(name);
      return data;
    },
  };
}

function expectValid({ definition: { outputSchema } }: McpTool, data: unknown): void {
  if (outputSchema === undefined) throw new Error('the tool has no output schema');
  expect(validator.getValidator(outputSchema)(data)).toMatchObject({ valid: true });
}
