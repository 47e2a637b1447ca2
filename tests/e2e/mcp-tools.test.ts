import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import jpeg from 'jpeg-js';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodePng } from '../image/decode-png.ts';
import { allowEveryCall } from '../../fixtures/unlimited-calls.ts';
import { usePlace } from './harness.ts';
import { flatten, Picture, Snapshot } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { textOf, useClients, type Era, type McpDesk, type Way } from './support/mcp-client.ts';
import { fault, promised, publishedAnswer, publishedError } from './support/mcp-schemas.ts';
import { OTHER_SERVER, TOOL_CALLS, type ToolWorld } from './support/mcp-tool-calls.ts';

const place = usePlace();
const connect = useClients(place);
const EVERYTHING = ['--toolsets', 'all,inspect,terminator'];
const PROBLEM = /^(?!.*(?:undefined|\[object|NaN))/s;

let app: Bench;
beforeAll(async () => {
  // Every tool is called at once.
  allowEveryCall(place().desktop.environment['HOME'] ?? place().folder);
  app = new Bench(place(), await place().fixture('gtk3'));
  const server = fileURLToPath(new URL('../../fixtures/mcp-server/server.mjs', import.meta.url));
  const file = join(place().folder, '.deskterity/mcp.json');
  await mkdir(join(file, '..'), { recursive: true });
  const servers = { [OTHER_SERVER]: { command: process.execPath, args: [server] } };
  await writeFile(file, JSON.stringify({ servers }));
  const trusted = await place().desk(['tools', 'trust', file]);
  if (trusted.exitCode !== 0) throw new Error(trusted.toString());
});

/** What is listed, without the tools of the other server. */
async function ownTools(desk: McpDesk): Promise<readonly Tool[]> {
  const { tools } = await desk.client.listTools();
  return tools.filter(({ name }) => !name.startsWith(`${OTHER_SERVER}__`));
}

async function worldOf(
  desk: McpDesk,
): Promise<ToolWorld & { launchedPid: number; operationId: string; longId: string }> {
  await app.set('tabs', 'selected', 'Advanced');
  const advanced = await desk.data(Snapshot, 'desktop_snapshot', { app: app.app });
  const folder = flatten(advanced.tree).find((node) => node.name === 'Documents')?.ref ?? '';
  await app.set('tabs', 'selected', 'General');
  const { tree, cursor } = await desk.data(Snapshot, 'desktop_snapshot', { app: app.app });
  const refOf = (id: string): string => {
    const { role, name } = app.widget(id);
    return flatten(tree).find((node) => node.role === role && node.name === name)?.ref ?? '';
  };
  const world = {
    app: app.app,
    title: app.fixture.title,
    refs: {
      press: refOf('press'),
      name: refOf('name'),
      agree: refOf('agree'),
      colour: refOf('colour'),
      folder,
    },
    cursor,
    folder: place().folder,
    launchedPid: 0,
    operationId: '',
    longId: '',
    operation: () => world.operationId,
    longAnswer: () => world.longId,
    launched: () => world.launchedPid,
  };
  return world;
}

/** Checks one answer against everything promised about it. */
async function check(tool: Tool, result: CallToolResult, command: string | undefined): Promise<unknown> {
  const data = promised(tool, result);
  if (result.isError === true) throw new Error(`${tool.name} failed: ${textOf(result)}`);
  expect(textOf(result)).toMatch(PROBLEM);
  if (command !== undefined) {
    const wrong = fault(await publishedAnswer(command), data);
    if (wrong !== undefined) throw new Error(`${tool.name} breaks the schema of ${command}: ${wrong}`);
  }
  return data;
}

/** They accept other spellings of their arguments and ignore unknown ones. */
const LENIENT = new Set(['terminal', 'terminator.execute']);

describe.each<[Era, Way]>([
  ['legacy', 'stdio'],
  ['modern', 'HTTP'],
])('a client of the %s era over %s', (era, way) => {
  it('calls every listed tool, and each answer is as promised', async () => {
    const desk = await connect({ era, way, flags: EVERYTHING });
    const tools = await ownTools(desk);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(TOOL_CALLS).toSorted());
    const world = await worldOf(desk);
    const presses = await app.recording(async () => {
      for (const [name, { command, inputs }] of Object.entries(TOOL_CALLS)) {
        const tool = tools.find((each) => each.name === name);
        if (tool === undefined) throw new Error(`${name} is not listed`);
        for (const input of inputs(world)) {
          const data = await check(tool, await desk.call(name, input), command);
          if (name === 'sandboxed_shell')
            world.operationId = z.object({ operation_id: z.string() }).parse(data).operation_id;
          if (name === 'tools_call')
            world.longId = z.looseObject({ result_id: z.string().default('') }).parse(data).result_id;
          if (name === 'desktop_launch_app') world.launchedPid = z.object({ pid: z.int() }).parse(data).pid;
        }
      }
    });
    // A person allows acting again.
    expect((await place().desk(['resume'])).exitCode).toBe(0);
    expect(presses.events.filter(({ event }) => event === 'clicked')).toHaveLength(1);
    expect(await app.fixture.control('get', { widget: 'name' })).toMatchObject({ text: 'Grace' });
  });

  it('reports a wrong call of any tool in the promised form', async () => {
    const desk = await connect({ era, way, flags: EVERYTHING });
    const tools = await ownTools(desk);
    const errorSchema = await publishedError();
    const Failed = z.looseObject({ error: z.looseObject({ code: z.string() }) });
    const AsAnswer = z
      .looseObject({ success: z.literal(false), error_code: z.string() })
      .transform(({ error_code: code }) => ({ error: { code } }));
    for (const tool of tools) {
      const isLenient = LENIENT.has(tool.name);
      const wrong = isLenient ? { action: 'no_such_argument' } : { no_such_argument: 'x' };
      const result = await desk.call(tool.name, wrong);
      if (result.isError !== true) throw new Error(`${tool.name} takes no_such_argument`);
      expect(textOf(result)).toContain('no_such_argument');
      const data = promised(tool, result);
      if (TOOL_CALLS[tool.name]?.command === undefined) continue;
      // The tool of terminals reports failures in the form of its answers.
      const { error } = isLenient ? AsAnswer.parse(data) : Failed.parse(data);
      const unlike = isLenient ? undefined : fault(errorSchema, error);
      expect([tool.name, unlike, error.code]).toEqual([tool.name, undefined, 'INVALID_ARGUMENT']);
    }
  });
});

/** Installs sharp the way a user would, for WebP. */
async function installSharp(): Promise<void> {
  await mkdir(join(place().folder, 'node_modules'), { recursive: true });
  const installed = fileURLToPath(new URL('../../node_modules/sharp', import.meta.url));
  await symlink(installed, join(place().folder, 'node_modules/sharp'));
}

async function fromWebp(file: Buffer): Promise<{ width: number; height: number; data: Buffer }> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

it('returns a picture that shows the window', async () => {
  const desk = await connect({ era: 'modern', way: 'stdio' });
  const Shown = Picture.omit({ path: true });
  const whole = Shown.parse((await desk.call('desktop_screenshot', { app: app.app })).structuredContent);
  // Not the running daemon, because newer versions of Node remember missing modules.
  const refused = await place().desk(['screenshot', 'x.webp', '--app', app.app, '--no-daemon']);
  expect(refused.error('ACTION_NOT_SUPPORTED').suggestion).toContain('npm install sharp');
  await installSharp();
  for (const format of ['png', 'jpg', 'webp'] as const) {
    const result = await desk.call('desktop_screenshot', { app: app.app, format, scale: 0.5 });
    const { width, height, bytes } = Shown.parse(result.structuredContent);
    expect([width, height]).toEqual([Math.ceil(whole.width / 2), Math.ceil(whole.height / 2)]);
    const picture = result.content.find((block) => block.type === 'image');
    const file = Buffer.from(picture?.data ?? '', 'base64');
    expect([picture?.mimeType, file.length]).toEqual([`image/${format === 'jpg' ? 'jpeg' : format}`, bytes]);
    const decoded =
      format === 'png' ? decodePng(file) : format === 'jpg' ? jpeg.decode(file) : await fromWebp(file);
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    const pixels = 'bgrx' in decoded ? decoded.bgrx : decoded.data;
    expect(new Set(pixels).size).toBeGreaterThan(50);
    // Windows of this toolkit are mostly light.
    expect(pixels.reduce((sum, value) => sum + value, 0) / pixels.length).toBeGreaterThan(100);
  }
});
