import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { libraryFiles } from '../../scripts/generate/library.ts';
import { outlineAnswer, renderAnswer, renderFailure } from '../../src/app/render.ts';
import { commands } from '../../src/commands/index.generated.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import {
  mentionCommand,
  mentionHelp,
  mentionKey,
  mentionName,
  mentionParameter,
  onCommandLine,
} from '../../src/model/text/mention.ts';
import { commandLineSpeller } from '../../src/registry/command-line-speller.ts';
import { defineCommand } from '../../src/registry/define.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { spelledCalls } from '../../src/surfaces/mcp/tools/client-spelling.ts';
import { toolSpeller } from '../../src/surfaces/mcp/tools/client-spelling.ts';
import { SILENT_CLIENT } from '../surfaces/mcp/support/silent-client.ts';
import { deskWorld, VOICE } from '../surfaces/mcp/resources/desk-world.ts';

/** A mark of a mention, raw, made visible or escaped, or the content between the marks. */
const LEAK = new RegExp(
  [
    '[\u0002\u0003]',
    String.raw`\\u\{0?[23]\}|\\u000[23]|\\x0[23]`,
    String.raw`"kind\\*":\\*"(?:command|name|parameter|key|help|on_command_line)`,
  ].join('|'),
);
const FORMATS = ['json', 'outline', 'text', 'quiet'] as const;

const registry = createRegistry(commands);
const speller = commandLineSpeller(registry);
const options = { pretty: false, secrets: [], speller };
const MENTIONS = [
  mentionCommand('snapshot', { app: 'A "b"' }),
  mentionName('click'),
  mentionParameter('mode', 'pointer'),
  mentionKey('near_misses'),
  mentionHelp('find'),
  onCommandLine(' (exit code 1)'),
].join(' and ');

const [telling] = createRegistry([
  defineCommand({
    name: 'probe',
    group: 'system',
    kind: 'read',
    summary: 'Probe.',
    input: z.object({}),
    output: z.object({ hint: z.string() }),
    examples: [],
    outline: ({ hint }) => `hint: ${hint}\u0007`,
    text: ({ hint }) => hint,
    quoted: ({ hint }) => hint,
    run: async () => ({ hint: MENTIONS }),
  }),
]).commands;

function command() {
  if (telling === undefined) throw new Error('no command');
  return telling;
}

function refusal(): DeskterityError {
  return new DeskterityError('TIMEOUT', MENTIONS, {
    suggestion: MENTIONS,
    candidates: [{ ref: '@e1', detail: MENTIONS }],
    result: { hint: [MENTIONS] },
  });
}

it.each([
  '\u0002',
  String.raw`\u{2}`,
  String.raw`\u0002`,
  '{"kind":"command"',
  String.raw`{\"kind\":\"key\"`,
])('%j would be detected', (text) => expect(text).toMatch(LEAK));

describe.each(FORMATS)('as %s', (format) => {
  it('an answer is spelled', () => {
    const { stdout } = renderAnswer(command(), { hint: MENTIONS }, { ...options, format });
    expect(stdout).not.toMatch(LEAK);
    expect(stdout.includes('desk snapshot --app')).toBe(format !== 'quiet');
  });

  it('a failure is spelled', () => {
    const { stdout, stderr } = renderFailure('probe', refusal(), { ...options, format });
    expect(stdout + stderr).not.toMatch(LEAK);
    expect((stdout + stderr).includes('desk snapshot --app')).toBe(format !== 'quiet');
  });
});

describe('for a client of the MCP server', () => {
  const tools = toolSpeller({ offered: [], commandLine: speller });

  it('an answer is spelled, and other text is made visible', async () => {
    const output = { hint: MENTIONS };
    const answer = {
      output,
      outline: outlineAnswer(command(), output),
      quoted: MENTIONS,
      finished: '',
      pictures: [],
      isFromDesktop: false,
      durationMs: 1,
    };
    const calls = { session: 's', answer: async () => answer, look: async () => answer };
    const spelling = spelledCalls({ ...calls, watch: () => Promise.reject(refusal()) }, tools);
    const told = await spelling.answer('probe', {});
    expect(JSON.stringify(told)).not.toMatch(LEAK);
    expect(told.outline).toContain('desk snapshot --app');
    expect(told.outline).toContain(String.raw`\u{7}`);
  });

  it.each(['answer', 'look', 'watch'] as const)('a failure of %s is spelled', async (kind) => {
    const fail = () => Promise.reject(refusal());
    const calls = spelledCalls({ session: 's', answer: fail, look: fail, watch: fail }, tools);
    const asked = kind === 'watch' ? calls.watch({}, () => undefined) : calls[kind]('probe', {});
    const error: unknown = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DeskterityError);
    const { message, suggestion, candidates, result } = error as DeskterityError;
    expect(JSON.stringify({ message, suggestion, candidates, result })).not.toMatch(LEAK);
  });

  it('every tool, and a failure of each dialect, is spelled', async () => {
    const { app } = deskWorld([]);
    const connection = await openConnection({
      app: { ...app, answer: () => Promise.reject(refusal()) },
      caller: { environment: { DISPLAY: ':1' }, cwd: '/' },
      version: '1',
      options: {
        toolsets: ['all', 'inspect', 'terminator'],
        isReadOnly: false,
        structured: 'always',
        session: undefined,
      },
      hasSessionArgument: false,
    });
    await connection.toolsKnown;
    const said = { progress: () => undefined, log: () => undefined };
    const heard = { ...VOICE, ...said, client: SILENT_CLIENT, may: () => true };
    const names = connection.tools.map(({ definition }) => definition.name);
    expect(names).toEqual(expect.arrayContaining(['desktop_snapshot', 'get_ui_tree', 'terminal']));
    for (const { definition } of connection.tools) {
      expect(JSON.stringify([definition.description, definition])).not.toMatch(LEAK);
    }
    for (const tool of connection.tools) {
      const input = { app: 'x', action: 'list', name: 'x' };
      expect(JSON.stringify(await tool.call(input, heard as never))).not.toMatch(LEAK);
    }
    expect(JSON.stringify([connection.instructions, connection.facts])).not.toMatch(LEAK);
    await connection.close();
  });
});

it('the generated texts of the library are spelled', () => {
  for (const [file, text] of libraryFiles(registry, '1')) expect(`${file}: ${text}`).not.toMatch(LEAK);
});
