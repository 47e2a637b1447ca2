import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostOptions } from '../../scripts/build.mjs';
import { simulatedPlatform } from '../simulated/simulated-build.ts';
import { piped } from './mcp-support.ts';
import { envelope, useLab } from './support.ts';

// The program with another platform instead of select.ts, the only file that may depend on the machine.

const lab = useLab({ plugins: [simulatedPlatform] });
const OF_A_PLATFORM = /^src\/platform\/(?:linux|macos|windows|select)/;
const TITLE = 'Simulated fixture';

const Found = z.looseObject({ matches: z.array(z.looseObject({ ref: z.string() })) });
const Called = z.looseObject({ result: z.looseObject({ structuredContent: z.looseObject({}) }) });

it('the bundle contains no other platform', async () => {
  const options = hostOptions('unwritten');
  const { metafile } = await build({
    ...options,
    plugins: [simulatedPlatform, ...(options.plugins ?? [])],
    metafile: true,
    write: false,
  });
  const inputs = Object.entries(metafile.inputs);
  expect(Object.keys(metafile.inputs)).toContain('tests/simulated/select.ts');
  const asking = inputs.filter(
    ([file, { imports }]) =>
      !OF_A_PLATFORM.test(file) && imports.some(({ path }) => OF_A_PLATFORM.test(path)),
  );
  expect(asking.map(([file]) => file)).toEqual([]);
});

describe.each([
  ['a daemon', []],
  ['no daemon', ['--no-daemon']],
])('the command line with %s', (_with, flags) => {
  const desk = async (...args: readonly string[]) => envelope(await lab().desk([...flags, ...args]));

  it('reports its desktop', async () => {
    expect(await desk('status')).toMatchObject({
      ok: true,
      desktop: { display: 'simulated', session_type: 'simulated' },
      daemon: flags.length === 0 ? { pid: lab().daemonPid } : null,
    });
  });

  it('lists, reads, finds and captures', async () => {
    expect(await desk('list-apps')).toMatchObject({ apps: [{ name: 'Fixture', pid: 4711 }] });
    expect(await desk('list-windows')).toMatchObject({ windows: [{ id: 'window-1', title: TITLE }] });
    expect(await desk('snapshot', '--window', 'window-1')).toMatchObject({
      window: { title: TITLE },
      tree: { role: 'window', name: TITLE },
    });
    expect(await desk('find', '--role', 'slider')).toMatchObject({ matches: [{ name: 'Volume' }] });
    expect(await desk('screenshot', 'window.png', '--window', TITLE)).toMatchObject({ ok: true });
  });

  it('acts on what it found in another call', async () => {
    const [field] = Found.parse(await desk('find', '--role', 'textbox')).matches;
    expect(await desk('set-value', field?.ref ?? '', 'typed')).toMatchObject({ effect: 'confirmed' });
    expect(await desk('click', 'role:button[name="Press"]')).toMatchObject({
      effect: 'unverified',
      via: 'simulated:press(click)',
    });
    expect(await desk('click', 'role:button[name="Nothing"]', '--timeout', '300')).toMatchObject({
      ok: false,
    });
  });

  it('refuses by name what the platform does not have', async () => {
    expect(await desk('session', 'new', 'own', '--private')).toMatchObject({
      ok: false,
      error: { code: flags.length === 0 ? 'PLATFORM_UNSUPPORTED' : 'DAEMON_UNAVAILABLE' },
    });
    expect(await desk('sandboxed-shell', 'true')).toMatchObject({ ok: false });
  });
});

it('the daemon keeps the desktop between calls', async () => {
  const desk = async (...args: readonly string[]) => envelope(await lab().desk(args));
  await desk('set-value', 'role:textbox[name="Name"]', 'kept');
  expect(await desk('get', 'value', 'role:textbox[name="Name"]')).toMatchObject({ value: 'kept' });
  await desk('clipboard', 'set', 'shared');
  expect(await desk('clipboard', 'get')).toMatchObject({ text: 'shared' });
});

describe.each([[['mcp']], [['--no-daemon', 'mcp']]])('the MCP server, as desk %j', (args) => {
  it('initializes, lists tools and runs them', async () => {
    const client = piped(lab(), [...args, '--structured', 'always']);
    expect(await client.greet()).toMatchObject({ result: { serverInfo: { name: 'deskterity' } } });
    const call = async (id: number, name: string, input: Record<string, unknown>) => {
      client.call(id, name, input);
      return Called.parse(await client.answer(id)).result.structuredContent;
    };
    expect(await call(1, 'desktop_list_apps', {})).toMatchObject({ apps: [{ name: 'Fixture' }] });
    expect(await call(2, 'desktop_snapshot', {})).toMatchObject({ window: { title: TITLE } });
    expect(await call(3, 'desktop_click', { ref: 'role:button[name="Press"]' })).toMatchObject({
      effect: 'unverified',
    });
    expect(await client.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
