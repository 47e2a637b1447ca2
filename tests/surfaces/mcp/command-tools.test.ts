import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, vi } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import type { Answer } from '../../../src/app/app.ts';
import { markApplicationText, FRAME_TOKENS } from '../../../src/surfaces/mcp/tools/application-text.ts';
import { allToolFacts, commandTools } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import type { RequestChannel } from '../../../src/surfaces/mcp/connections/connection.ts';
import type { ClientCalls } from '../../../src/surfaces/mcp/tools/client-calls.ts';
import { choose, requireToolsets, toolsetNames } from '../../../src/surfaces/mcp/tools/toolsets.ts';
import {
  mentionCommand,
  mentionHelp,
  mentionName,
  mentionParameter,
} from '../../../src/model/text/mention.ts';
import { commandLineSpeller } from '../../../src/registry/command-line-speller.ts';
import { spelledCalls, toolSpeller } from '../../../src/surfaces/mcp/tools/client-spelling.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { fakeDesktop } from '../../commands/fake-engine.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { SILENT_CLIENT } from './support/silent-client.ts';
import { isShown } from '../../../src/surfaces/mcp/access/hidden-tool.ts';
import { OPEN, READING } from './support/policies.ts';

const registry = createRegistry(commands);
const all = allToolFacts(registry.commands);
const spellerFor = (offered: typeof all) =>
  toolSpeller({ offered, commandLine: commandLineSpeller(registry) });
const EVERYTHING = { toolsets: ['all'], capabilities: undefined };

interface Asked {
  readonly command: string;
  readonly input: unknown;
  readonly options: Parameters<ClientCalls['answer']>[2];
}

function tools(
  answer: (asked: Asked) => Promise<Partial<Answer>> | Partial<Answer>,
  settings: Partial<Parameters<typeof commandTools>[0]> = {},
) {
  const asked: Asked[] = [];
  const calls: ClientCalls = {
    session: 'own',
    answer: async (command, input, options) => {
      asked.push({ command, input, options });
      const given = await answer({ command, input, options });
      return {
        output: {},
        outline: '',
        quoted: '',
        finished: '',
        pictures: [],
        isFromDesktop: false,
        durationMs: 5,
        ...given,
      };
    },
    look: () => Promise.reject(new Error('nobody looks')),
    watch: () => Promise.reject(new Error('nobody watches')),
  };
  const offered = choose(all, EVERYTHING);
  const speller = spellerFor(offered);
  const made = commandTools({
    calls: spelledCalls(calls, speller),
    offered,
    speller,
    isTextOnly: false,
    policy: OPEN,
    hasTerminals: () => true,
    hasSessionArgument: () => false,
    ...settings,
  });
  const get = (name: string) => {
    const tool = made.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`no ${name}`);
    return tool;
  };
  return { made, get, asked };
}

function voice() {
  const said = { progress: vi.fn<RequestChannel['progress']>(), log: vi.fn<RequestChannel['log']>() };
  const heard: RequestChannel = {
    signal: new AbortController().signal,
    ...said,
    client: SILENT_CLIENT,
    may: () => true,
    ...said,
    context: never(),
  };
  return { heard, ...said };
}

/** The library's own context, which no command may need. */
function never(): RequestChannel['context'] {
  return new Proxy({} as RequestChannel['context'], {
    get: () => {
      throw new Error('the context was used');
    },
  });
}

function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map(({ text }) => text ?? '').join('\n');
}

describe('the list', () => {
  const list = (choice: Partial<Parameters<typeof choose>[1]>, policy = OPEN) => {
    const offered = choose(all, { ...EVERYTHING, ...choice });
    return commandTools({
      calls: {} as ClientCalls,
      offered,
      speller: spellerFor(offered),
      isTextOnly: false,
      policy,
      hasTerminals: () => true,
      hasSessionArgument: () => true,
    })
      .filter((tool) => isShown(tool, policy))
      .map(({ definition }) => definition);
  };

  it('core is short, as a client gets it by default', () => {
    const offered = choose(all, { ...EVERYTHING, toolsets: ['core'] });
    const core = commandTools({
      calls: {} as ClientCalls,
      offered,
      speller: spellerFor(offered),
      isTextOnly: true,
      policy: OPEN,
      hasTerminals: () => false,
      hasSessionArgument: () => false,
    }).map(({ definition }) => definition);
    expect(core.length).toBeLessThanOrEqual(25);
    expect(encode(JSON.stringify({ tools: core })).length).toBeLessThan(4200);
    // What goes without saying is not said.
    expect(JSON.stringify(core)).not.toMatch(/\$schema|additionalProperties|"m(?:in|ax)imum"|outputSchema/);
  });

  it('all has every command that is a tool', () => {
    expect(list({}).map(({ name }) => name)).toEqual(all.map(({ tool }) => tool));
    expect(all.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining([
        'desktop_snapshot',
        'desktop_launch_app',
        'desktop_session_new',
        'desktop_version',
      ]),
    );
    expect(all.map(({ command }) => command)).not.toContain('batch');
  });

  it('declares the types of every part of an answer', () => {
    const parts = list({}).flatMap(({ name, outputSchema }) =>
      Object.entries(outputSchema?.properties ?? {}).map(([key, schema]) => ({
        part: `${name}.${key}`,
        schema,
      })),
    );
    expect(parts.filter(({ schema }) => Object.keys(schema).length === 0)).toEqual([]);
    expect(parts.find(({ part }) => part === 'desktop_focused.element')?.schema).toEqual({
      anyOf: [{ type: 'object' }, { type: 'null' }],
    });
  });

  it('mentions tools and parameters, not the command line', () => {
    for (const { description, inputSchema } of list({})) {
      expect(description).not.toMatch(/--[a-z]|"desk |exit code/);
      expect(JSON.stringify(inputSchema)).not.toMatch(/--[a-z]|desk [a-z]/);
    }
  });

  it('has a title and every annotation that the protocol does not assume', () => {
    for (const { title, annotations } of list({})) {
      expect(title).toMatch(/^[A-Z]/);
      expect(annotations).toMatchObject({ openWorldHint: false });
    }
    const hints = Object.fromEntries(list({}).map(({ name, annotations }) => [name, annotations]));
    expect(hints['desktop_close_app']).toEqual({ destructiveHint: true, openWorldHint: false });
    expect(hints['desktop_click']).toEqual({ destructiveHint: false, openWorldHint: false });
    expect(hints['desktop_set_value']).toMatchObject({ destructiveHint: false, idempotentHint: true });
    expect(hints['desktop_snapshot']).toEqual({ readOnlyHint: true, openWorldHint: false });
  });

  it('read-only has no tool that changes anything', () => {
    const names = list({}, READING);
    // Stopping is always possible.
    const changing = names.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(changing.map(({ name }) => name)).toEqual(['desktop_stop']);
    expect(names.map(({ name }) => name)).toContain('desktop_screenshot');
    // A picture is shown, never written: that would change a file.
    for (const { inputSchema } of names) {
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('path');
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('live');
    }
    const view = list({}).find(({ name }) => name === 'desktop_session_view');
    expect(Object.keys(view?.inputSchema.properties ?? {})).toContain('live');
  });

  it('leaves out tools that the desktop does not support', () => {
    const names = list({
      capabilities: { tree: true, events: true, capture: false, windows: true, clipboard: true, input: true },
    });
    expect(names.map(({ name }) => name)).not.toContain('desktop_screenshot');
    expect(names.map(({ name }) => name)).toContain('desktop_snapshot');
  });

  it('is selected by existing names', () => {
    expect(toolsetNames(all).toSorted()).toEqual([
      'all',
      'ax',
      'core',
      'input',
      'inspect',
      'operations',
      'terminal',
      'terminator',
      'verify',
      'windows',
    ]);
    expect(() => requireToolsets(['core', 'inspect'], all)).not.toThrow();
    expect(() => requireToolsets(['cor'], all)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', suggestion: 'Did you mean core?' }),
    );
    expect(() => requireToolsets([], all)).toThrow(DeskterityError);
  });
});

describe('a call', () => {
  it('returns marked text and data, in the session of the connection', async () => {
    const { get, asked } = tools(() => ({
      output: { app: 'X' },
      outline: 'window "X"\u202e\n',
      isFromDesktop: true,
    }));
    const result = await get('desktop_snapshot').call({ app: 'X' }, voice().heard);
    expect(asked).toMatchObject([
      { command: 'snapshot', input: { app: 'X' }, options: { session: 'own', form: 'json' } },
    ]);
    expect(result).toMatchObject({ structuredContent: { app: 'X' } });
    expect(textOf(result)).toMatch(/^<(untrusted-[0-9a-f]{8})>\nwindow "X"\\u\{202E\}\n<\/\1>$/);
  });

  it('shows the cursor in the text after a snapshot or act', async () => {
    const outputs = [
      { tree: {}, cursor: 'c7' },
      { effect: 'confirmed', cursor: 'c8' },
      { matches: [], cursor: 'c9' },
    ];
    const { get } = tools(() => ({ output: outputs.shift() ?? {}, outline: 'x', isFromDesktop: true }), {
      isTextOnly: true,
    });
    const ends = [];
    for (const name of ['desktop_snapshot', 'desktop_click', 'desktop_find'])
      ends.push(
        textOf(await get(name).call({}, voice().heard))
          .split('>')
          .at(-1),
      );
    expect(ends).toEqual(['\ncursor c7', '\ncursor c8', '']);
  });

  it('shows pictures', async () => {
    const { get } = tools(() => ({ pictures: [{ mimeType: 'image/png', bytes: Buffer.from('PNG') }] }));
    expect(await get('desktop_screenshot').call({}, voice().heard)).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png', data: 'UE5H' }],
    });
    expect(await get('desktop_screenshot').call({ path: '/etc/passwd' }, voice().heard)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_ARGUMENT' } },
    });
  });

  it('that fails returns code, receipt and a next step that names tools', async () => {
    const { get } = tools(() => {
      throw new DeskterityError('STALE_REF', `@e7 was "Save"; ${mentionParameter('max_depth')}`, {
        suggestion: `Run ${mentionCommand('snapshot', { app: 'X' })} again, or ${mentionCommand('session list')}.`,
        candidates: [{ ref: '@e9', role: 'button', name: 'Save\u202e' }],
        result: { effect: 'no_op' },
      });
    });
    const result = await get('desktop_snapshot').call({}, voice().heard);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        effect: 'no_op',
        error: {
          code: 'STALE_REF',
          message: '@e7 was "Save"; max_depth',
          suggestion: 'Run desktop_snapshot {"app":"X"} again, or desktop_session_list.',
          candidates: [{ ref: '@e9' }],
        },
      },
    });
    expect(textOf(result)).toContain('candidate: button "Save\\u{202E}" @e9');
    expect(textOf(result).split('\n').at(-1)).toBe(
      'Run desktop_snapshot {"app":"X"} again, or desktop_session_list.',
    );
  });

  it('with an unknown parameter mentions neither a command nor --help', async () => {
    const { get } = tools(() => {
      throw new DeskterityError(
        'INVALID_ARGUMENT',
        `${mentionName('launch')} does not take x; it takes app.`,
        {
          suggestion: mentionHelp('launch'),
        },
      );
    });
    expect(textOf(await get('desktop_launch_app').call({}, voice().heard))).toBe(
      'error INVALID_ARGUMENT: desktop_launch_app does not take x; it takes app.\nSee the input schema of the tool for its parameters.',
    );
  });

  it('with an unknown parameter does not list the picture file', async () => {
    const screenshot = registry.get('screenshot');
    if (screenshot === undefined) throw new Error('no screenshot');
    const { ctx } = fakeDesktop({}, { attach: () => undefined });
    const { get } = tools(async ({ input }) => ({ output: await invoke(screenshot, ctx, input) }));
    const refused = textOf(await get('desktop_screenshot').call({ pathh: 1 }, voice().heard));
    const [, taken] =
      /desktop_screenshot does not accept "pathh"; it accepts ([a-z_, ]+)\.\n/.exec(refused) ?? [];
    expect(taken?.split(', ')).toEqual(expect.arrayContaining(['screen', 'timeout_ms']));
    expect(taken?.split(', ')).not.toContain('path');
    expect(refused).toContain('Remove it and try again.');
  });

  it('accepts a session only if requests belong to no connection', async () => {
    const without = tools(() => ({}));
    expect(
      await without.get('desktop_click').call({ ref: '@e1', session: 'x' }, voice().heard),
    ).toMatchObject({
      isError: true,
    });
    expect(without.asked).toEqual([]);
    const { get, asked } = tools(() => ({}), { hasSessionArgument: () => true });
    await get('desktop_click').call({ ref: '@e1', session: 'x' }, voice().heard);
    await get('desktop_click').call({ ref: '@e1' }, voice().heard);
    const clicks = asked.filter(({ command }) => command === 'click');
    expect(clicks).toMatchObject([
      { input: { ref: '@e1' }, options: { session: 'x' } },
      { options: { session: 'own' } },
    ]);
    expect(clicks[0]?.input).toEqual({ ref: '@e1' });
    expect(await get('desktop_click').call({ ref: '@e1', session: 7 }, voice().heard)).toMatchObject({
      isError: true,
    });
  });

  it('of a read-only client opens no page', async () => {
    const { get, asked } = tools(() => ({}), { policy: READING });
    const refused = await get('desktop_session_view').call({ live: true }, voice().heard);
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_ARGUMENT' } },
    });
    expect(textOf(refused)).toContain('it accepts name, timeout_ms.');
    expect(asked).toEqual([]);
    await get('desktop_session_view').call({ name: 'x' }, voice().heard);
    await tools(() => ({}))
      .get('desktop_session_view')
      .call({ live: true }, voice().heard);
    expect(asked).toHaveLength(1);
  });

  it('with data only begins the text, as whole lines', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `  button "${at}" @e${at}`);
    const { get } = tools(() => ({
      output: { tree: {}, cursor: 'c7' },
      outline: `window "X" @w1\n${lines.join('\n')}\n`,
      quoted: 'quoted text',
      finished: 'finished meanwhile: op-1 make completed',
      isFromDesktop: true,
    }));
    const text = textOf(await get('desktop_snapshot').call({}, voice().heard));
    expect(text).toMatch(
      /^<(untrusted-\w+)>\nwindow "X" @w1\n {2}button "0" @e0\n[^]*\n\(\d+ more lines\) The structured content has everything\.\n<\/\1>$/,
    );
    expect(encode(text).length).toBeLessThan(200);
    expect(text).not.toMatch(/quoted text|finished|@e39/);
  });

  it('with text only has no data, and its token limit includes the marks', async () => {
    const { get, made, asked } = tools(() => ({ outline: 'x', isFromDesktop: true }), { isTextOnly: true });
    expect(made.every(({ definition }) => definition.outputSchema === undefined)).toBe(true);
    expect(await get('desktop_snapshot').call({ max_tokens: 500 }, voice().heard)).not.toHaveProperty(
      'structuredContent',
    );
    expect(asked).toMatchObject([
      { input: { max_tokens: 500 - FRAME_TOKENS }, options: { form: 'outline' } },
    ]);
    for (let index = 0; index < 200; index += 1)
      expect(
        encode(`${markApplicationText('x')}\ncursor c123456789`).length - encode('x').length,
      ).toBeLessThanOrEqual(FRAME_TOKENS);
  });

  it('reports progress each second up to the deadline, until it is answered', async () => {
    vi.useFakeTimers();
    try {
      const { get } = tools(async ({ options }) => {
        options?.onProgress?.({ message: 'waiting for a window' });
        await vi.advanceTimersByTimeAsync(2500);
        return {};
      });
      const { heard, progress } = voice();
      await get('desktop_wait').call({ window: 'X', timeout_ms: 8000 }, heard);
      expect(
        progress.mock.calls.map(([step]) => [step.message.replace(/\(.*? s/, '(… s'), step.total]),
      ).toEqual([
        ['waiting for a window (… s / 8 s)', 8],
        ['waiting for a window (… s / 8 s)', 8],
        ['waiting for a window (… s / 8 s)', 8],
      ]);
      await vi.advanceTimersByTimeAsync(5000);
      expect(progress).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is logged with duration and strategy, never with typed text', async () => {
    const { get } = tools(({ command }) => {
      if (command === 'click') throw new DeskterityError('NOT_ACTIONABLE', 'No.', { suggestion: 'Wait.' });
      return { output: { via: 'at-spi:setText', effect: 'confirmed' }, durationMs: 3000 };
    });
    const { heard, log } = voice();
    await get('desktop_set_value').call({ ref: '@e1', value: 'hunter2' }, heard);
    await get('desktop_click').call({ ref: '@e1' }, heard);
    expect(log.mock.calls).toEqual([
      [
        'warning',
        'deskterity.tools.desktop_set_value',
        {
          tool: 'desktop_set_value',
          session: 'own',
          duration_ms: 3000,
          strategy: 'at-spi:setText',
          effect: 'confirmed',
        },
      ],
      [
        'error',
        'deskterity.tools.desktop_click',
        { tool: 'desktop_click', session: 'own', duration_ms: expect.any(Number), error: 'NOT_ACTIONABLE' },
      ],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain('hunter2');
  });
});

it('exit codes of operations and foreign text with command names are not changed', async () => {
  const { get } = tools(() => ({ outline: 'op-aaaaaa sandboxed_shell failed (exit code 3) after 5 ms' }));
  const { heard } = voice();
  expect(await get('sandboxed_shell').call({ command: 'exit 3' }, heard)).toMatchObject({
    content: [{ text: 'op-aaaaaa sandboxed_shell failed (exit code 3) after 5 ms' }],
  });
  expect(get('desktop_doctor').definition.description).toMatch(/ and report what works\. /);
});
