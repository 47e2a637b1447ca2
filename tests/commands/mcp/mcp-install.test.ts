import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import mcpInstall from '../../../src/commands/mcp/mcp-install.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { Configuration } from '../../../src/model/configuration/config.ts';
import { MCP_CLIENT_NAMES } from '../../../src/model/configuration/mcp-clients/clients.ts';
import { createDocuments } from '../../../src/platform/node/documents/documents.ts';
import { createFiles } from '../../../src/platform/node/files.ts';
import type { SessionsPort } from '../../../src/ports/sessions.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { spelledFailure } from '../../spelled.ts';

let home = '';
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-test-')));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** How each client is to get answers. */
const TEXT = ['--structured', 'never'];
const NODE = { node: '/opt/node/bin/node', script: '/opt/deskterity/dist/desk.cjs' };

async function run(input: Record<string, unknown>, changes: Partial<CommandContext> = {}) {
  const { ctx } = fakeDesktop(
    {},
    {
      files: createFiles(),
      documents: async () => createDocuments(),
      cwd: join(home, 'project'),
      environment: { HOME: home, PATH: join(home, 'bin') },
      system: {
        version: '9',
        nodeVersion: '20',
        platform: 'linux',
        architecture: 'x64',
        desktopVariables: ['DISPLAY', 'XAUTHORITY'],
        program: NODE,
      },
      ...changes,
    },
  );
  const [command] = createRegistry([mcpInstall]).commands;
  if (command === undefined) throw new Error('no command');
  return mcpInstall.output.parse(await invoke(command, ctx, input));
}

function sessionsOf(known: string): SessionsPort {
  const { sessions } = fakeDesktop().ctx;
  const info: SessionsPort['info'] = async (name) => {
    if (name === known)
      return { name, desktop: 'user', created_at: '', calls: 0, actions: 0, undo_depth: 0, subscriptions: 0 };
    throw new DeskterityError('SESSION_NOT_FOUND', `Session "${name}" does not exist.`, {
      suggestion: `Did you mean ${known}?`,
    });
  };
  return { ...sessions, info };
}

async function put(path: string, text: string, mode = 0o644): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

const linkProgram = async (name: string, target: string) => {
  const file = await put(target, '#!/bin/sh\n', 0o755);
  await mkdir(join(home, 'bin'), { recursive: true });
  await symlink(file, join(home, 'bin', name));
};

describe('the file', () => {
  it('is backed up and changed atomically, keeps its permissions, and needs no second change', async () => {
    const before = '{\n  "numStartups": 3,\n  "mcpServers": {}\n}\n';
    const file = await put('.claude.json', before, 0o640);
    const done = await run({ client: 'claude-code' });
    expect(done).toMatchObject({ client: 'claude-code', file, changed: true, dry_run: false });
    expect(done.backup).toBe(`${file}.deskterity-backup-20260131-235958-123`);
    expect(await readFile(done.backup ?? '', 'utf8')).toBe(before);
    for (const path of [file, done.backup ?? '']) expect((await stat(path)).mode & 0o777).toBe(0o640);
    const after = await readFile(file, 'utf8');
    expect(JSON.parse(after)).toEqual({
      numStartups: 3,
      mcpServers: { deskterity: { type: 'stdio', command: NODE.node, args: [NODE.script, 'mcp', ...TEXT] } },
    });
    expect(done.entry).toEqual(JSON.parse(after).mcpServers.deskterity);

    await rm(done.backup ?? '');
    expect(await run({ client: 'claude-code' })).toMatchObject({ changed: false, diff: '' });
    expect(await readdir(home)).toEqual(['.claude.json']);

    expect(await run({ client: 'claude-code', remove: true })).toMatchObject({ changed: true });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await run({ client: 'claude-code', remove: true })).toMatchObject({ changed: false });
  });

  it('names the session of the caller', async () => {
    const { entry, note } = await run({ client: 'cursor' }, { session: 'ada', sessions: sessionsOf('ada') });
    expect(note ?? '').not.toContain('session');
    expect(entry['args']).toEqual(expect.arrayContaining(['mcp', ...TEXT, '--session', 'ada']));
  });

  it('is accompanied by a note if the session does not exist, except on removal', async () => {
    const changes = { session: 'adda', sessions: sessionsOf('ada') };
    const written = await run({ client: 'cursor' }, changes);
    expect(written).toMatchObject({
      changed: true,
      note: expect.stringContaining('Session "adda" does not exist. Did you mean ada?'),
    });
    expect((await run({ client: 'cursor', remove: true }, changes)).note).toBeUndefined();
  });

  it('is created if missing, readable only by its owner', async () => {
    const done = await run({ client: 'codex', toolsets: ['core', 'all'], read_only: true, name: 'desk-1' });
    expect(done).toMatchObject({ changed: true, file: join(home, '.codex/config.toml') });
    expect(done.backup).toBeUndefined();
    const text = await readFile(join(home, '.codex/config.toml'), 'utf8');
    expect(text).toMatch(
      /^\[mcp_servers\.desk-1\]\ncommand = ".*"\nargs = \[".*", "mcp", "--structured", "never", "--toolsets", "core,all", "--read-only"\]\nenv_vars = \["DISPLAY", /,
    );
    expect((await stat(done.file ?? '')).mode & 0o777).toBe(0o600);
  });

  it('is only shown with --dry-run', async () => {
    const done = await run({ client: 'cursor', dry_run: true });
    expect(done).toMatchObject({ changed: true, dry_run: true });
    expect(done.diff).toContain('+    "deskterity": {');
    expect(await readdir(home)).toEqual([]);
  });

  it('is the target of a link', async () => {
    const real = await put('dotfiles/gemini.json', '{"theme": "x"}');
    await mkdir(join(home, '.gemini'));
    await symlink(real, join(home, '.gemini/settings.json'));
    const done = await run({ client: 'gemini-cli' });
    expect(done.file).toBe(real);
    expect(await readFile(real, 'utf8')).toMatch(/^\{"theme": "x", "mcpServers": \{ "deskterity": /);
    expect(await readdir(join(home, '.gemini'))).toEqual(['settings.json']);
  });

  it('keeps its byte order mark', async () => {
    const file = await put('.cursor/mcp.json', '\uFEFF{}\r\n');
    await run({ client: 'cursor' });
    expect(await readFile(file, 'utf8')).toMatch(/^\uFEFF\{\r\n {2}"mcpServers": \{\r\n/);
  });

  it('of a project is in the caller’s folder', async () => {
    expect(await run({ client: 'vscode', scope: 'project' })).toMatchObject({
      file: join(home, 'project/.vscode/mcp.json'),
    });
    await expect(run({ client: 'windsurf', scope: 'project' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(run({ client: 'vscode', scope: 'project' }, { cwd: '' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is the existing one of several', async () => {
    const file = await put('.config/opencode/opencode.jsonc', '{ // mine\n}\n');
    expect(await run({ client: 'opencode' })).toMatchObject({ file });
    expect(await readFile(file, 'utf8')).toMatch(
      /^\{ \/\/ mine\n {2}"mcp": \{\n {4}"deskterity": \{\n {6}"type": "local",/,
    );
  });

  it.each([
    ['of opencode 2', '{"mcp": {"servers": {"x": {"type": "local", "command": ["x"]}}}}', ['servers']],
    ['of opencode 1', '{"mcp": {"x": {"type": "local", "command": ["x"]}}}', []],
    ['with a server of that name', '{"mcp": {"servers": {"type": "local", "command": ["x"]}}}', []],
    [
      'of opencode 2 that still has the old entry',
      '{"mcp": {"servers": {}, "deskterity": {"command": ["desk", "mcp"], "enabled": false}}}',
      [],
    ],
  ])('%s gets the server where its servers are, and loses it there', async (_, before, inner) => {
    const file = await put('.config/opencode/opencode.json', before);
    await run({ client: 'opencode' });
    const table = async (): Promise<unknown> => {
      let at: unknown = JSON.parse(await readFile(file, 'utf8'));
      for (const key of ['mcp', ...inner]) at = z.record(z.string(), z.unknown()).parse(at)[key];
      return at;
    };
    expect(await table()).toMatchObject({
      deskterity: { type: 'local', command: [NODE.node, NODE.script, 'mcp', ...TEXT] },
    });
    expect(JSON.stringify(await table())).not.toContain('"enabled":true');
    await run({ client: 'opencode', remove: true });
    expect(await table()).not.toHaveProperty('deskterity');
  });

  it.each<[string, (file: string) => Promise<unknown>, string]>([
    ['a folder', (file) => mkdir(file), 'is a folder'],
    ['a link to nothing', (file) => symlink(join(home, 'gone'), file), 'is a link to'],
    ['no JSON', (file) => writeFile(file, '{"a": 1\n "b": 2}'), 'line 2, column 2'],
    ['no text', (file) => writeFile(file, new Uint8Array([0x7b, 0xff, 0x7d])), 'is not UTF-8'],
  ])('that is %s is left alone', async (_, make, problem) => {
    const file = join(home, '.claude.json');
    await make(file);
    await expect(run({ client: 'claude-code' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(problem),
    });
    expect(await readdir(home)).toEqual(['.claude.json']);
  });

  it('that is not writable is left alone', async () => {
    const file = await put('.claude.json', '{}', 0o444);
    await expect(run({ client: 'claude-code' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: `${file} or its folder is not writable.`,
    });
    expect(await readdir(home)).toEqual(['.claude.json']);
  });

  it('that its client changes meanwhile is read again, a limited number of times', async () => {
    const file = await put('.claude.json', '{"count": 0}');
    const files = createFiles();
    let writes = 0;
    const busy = (most: number): CommandContext['files'] => ({
      ...files,
      writeAtomic: async (path, data, options) => {
        await files.writeAtomic(path, data, options);
        if (path.includes('backup') && writes < most) await writeFile(file, `{"count": ${(writes += 1)}}`);
      },
    });
    const done = await run({ client: 'claude-code' }, { files: busy(1) });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ count: 1, mcpServers: {} });
    expect(await readFile(done.backup ?? '', 'utf8')).toBe('{"count": 1}');
    await expect(
      run({ client: 'claude-code', remove: true }, { files: busy(Infinity) }),
    ).resolves.toMatchObject({
      changed: false,
    });
    await expect(run({ client: 'claude-code', name: 'x' }, { files: busy(Infinity) })).rejects.toMatchObject({
      code: 'CONFLICT',
      retryable: true,
    });
  });
});

it('shows no values of other programs', async () => {
  const secret = (at: number) => `s3cr3t-${at}`;
  await put(
    '.cursor/mcp.json',
    [
      '{',
      '  "mcpServers": {',
      `    "other": { "command": "x", "args": ["--token", "${secret(1)}"], "env": { "A": "${secret(2)}" } }, // ${secret(3)}`,
      '    "deskterity": {',
      `      "command": "desk", "args": ["mcp", "--token", "${secret(4)}"],`,
      `      "env": { "KEY": "${secret(5)}", "N": 12345678 }`,
      `    } /* ${secret(6)}`,
      `${secret(7)} */`,
      '  }',
      '}',
    ].join('\n'),
  );
  for (const input of [{ read_only: true }, { remove: true }]) {
    const { diff } = await run({ client: 'cursor', dry_run: true, ...input });
    expect(diff).toContain('"command": "desk"');
    expect(diff).not.toMatch(/s3cr3t|12345678/);
  }
  await put(
    '.claude.json',
    `{"oauth":"${secret(8)}","x":[${`"${secret(9)}",`.repeat(999)}1],"mcpServers":{}}`,
  );
  const { diff } = await run({ client: 'claude-code', dry_run: true });
  expect(diff).toContain('"deskterity":{"type":"stdio"');
  expect(diff).not.toContain('s3cr3t');
  expect(diff.length).toBeLessThan(1500);
  await put(
    '.codex/config.toml',
    `a = """\n${secret(1)} token = ${secret(2)}\n"""\nb = ['${secret(3)}', 998877]`,
  );
  expect((await run({ client: 'codex', dry_run: true })).diff).not.toMatch(/s3cr3t|998877/);
});

describe('another server', () => {
  it.each([{ command: 'npx', args: ['-y', 'other'] }, { url: 'https://example.com/mcp' }, 'text'])(
    'of that name, %j, is neither changed nor removed',
    async (entry) => {
      const text = JSON.stringify({ mcpServers: { deskterity: entry } });
      const file = await put('.cursor/mcp.json', text);
      for (const remove of [false, true])
        await expect(run({ client: 'cursor', remove })).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('is recognized as Deskterity however it is started', async () => {
    for (const entry of [
      { command: 'npx', args: ['-y', 'deskterity@latest', 'mcp'] },
      { command: { path: '/x/desk', args: ['--mcp'] } },
      { command: 'C:\\node.exe', args: ['C:\\x\\dist\\desk.cjs', 'mcp'] },
    ]) {
      await put('.config/zed/settings.json', JSON.stringify({ context_servers: { deskterity: entry } }));
      expect(await run({ client: 'zed', dry_run: true })).toMatchObject({ changed: true });
    }
  });
});

describe('the command line', () => {
  const lineOf = async (input: object, changes?: Partial<CommandContext>) => {
    const { entry, note } = await run({ client: 'claude-code', print: true, ...input }, changes);
    return { line: [entry['command'], entry['args']].flat(), note };
  };

  it('is a name if the shell finds Deskterity under it', async () => {
    await linkProgram('desk', 'lib/deskterity/dist/desk.cjs');
    expect(await lineOf({})).toEqual({ line: ['desk', 'mcp', ...TEXT], note: undefined });
    const desktop = await lineOf({ client: 'cursor' });
    expect(desktop.line).toEqual(['desk', 'mcp', ...TEXT]);
    expect(desktop.note).toContain(join(home, 'bin'));
    expect((await lineOf({ absolute: true })).line).toEqual([NODE.node, NODE.script, 'mcp', ...TEXT]);
  });

  it('carries every option of the server, with folders that hold from anywhere', async () => {
    const given = (entries: Readonly<Record<string, string | boolean>>) => ({
      configuration: {
        values: Configuration.parse({}),
        entries: Object.entries(entries).map(([key, value]) => ({
          key,
          value,
          source: 'environment' as const,
        })),
        file: '',
        fileExists: false,
      },
    });
    await linkProgram('desk', 'lib/deskterity/dist/desk.cjs');
    const settings = {
      'sandbox.scope': 'here',
      'tools.folder': '/opt/tools',
      'sandbox.mode': 'off',
      'operations.synchronous': true,
    };
    const line = await lineOf({ structured: 'always', toolsets: ['core'] }, given(settings));
    expect(line.line).toEqual(
      ['desk', 'mcp', '--structured', 'always', '--toolsets', 'core'].concat([
        '--sandbox-scope',
        join(home, 'project/here'),
        '--tools-dir',
        '/opt/tools',
        '--no-sandbox',
        '--sync',
      ]),
    );
    expect((await lineOf({ text_only: true }, given({ 'sandbox.mode': 'auto' }))).line).toEqual([
      'desk',
      'mcp',
      ...TEXT,
    ]);
    await expect(run({ client: 'zed', text_only: true, structured: 'always' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('in a project contains no path of this machine', async () => {
    const shared = await lineOf({ scope: 'project' });
    expect(shared.line).toEqual(['desk', 'mcp', ...TEXT]);
    expect(shared.note).toContain('Everyone who uses this project');
    await linkProgram('deskterity', 'lib/deskterity/dist/desk.cjs');
    expect(await lineOf({ scope: 'project' })).toEqual({
      line: ['deskterity', 'mcp', ...TEXT],
      note: undefined,
    });
    const absolute = await lineOf({ scope: 'project', absolute: true });
    expect(absolute.line).toEqual([NODE.node, NODE.script, 'mcp', ...TEXT]);
  });

  it('is a path if the name may be another program’s, and on Windows', async () => {
    await linkProgram('desk', 'lib/other/desk-manager');
    const other = await lineOf({});
    expect(other.line).toEqual([NODE.node, NODE.script, 'mcp', ...TEXT]);
    expect(other.note).toContain('install again');
    await linkProgram('deskterity', 'lib/shims/any');
    expect((await lineOf({})).line).toEqual(['deskterity', 'mcp', ...TEXT]);
    const system = {
      version: '9',
      nodeVersion: '20',
      platform: 'win32',
      architecture: 'x64',
      desktopVariables: ['DISPLAY', 'XAUTHORITY'],
      program: NODE,
    };
    const environment = { USERPROFILE: 'C:\\Users\\me', PATH: join(home, 'bin') };
    expect((await lineOf({}, { system, environment })).line).toEqual([
      NODE.node,
      NODE.script,
      'mcp',
      ...TEXT,
    ]);
  });
});

describe('the client', () => {
  it('is the only one installed', async () => {
    await mkdir(join(home, '.codeium/windsurf'), { recursive: true });
    expect(await run({ dry_run: true })).toMatchObject({ client: 'windsurf' });
  });

  it('must be named if none or several are installed', async () => {
    await expect(spelledFailure(run({}))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('claude-code, claude-desktop, cursor'),
      suggestion: expect.stringContaining('--client'),
    });
    await put('.codex/config.toml', '');
    await mkdir(join(home, '.claude'));
    await expect(run({})).rejects.toMatchObject({
      message: 'Several clients were found: claude-code, codex.',
      candidates: [{ name: 'claude-code' }, { name: 'codex' }],
    });
  });

  it.each(MCP_CLIENT_NAMES)('accepts the printed snippet unchanged: %s', async (client) => {
    const { snippet, file, diff } = await run({ client, print: true });
    expect([file, diff]).toEqual([undefined, '']);
    const written = await run({ client });
    expect(await readFile(written.file ?? '', 'utf8')).toBe(snippet);
    expect(await run({ client })).toMatchObject({ changed: false });
  });
});

it('refuses contradictory input', async () => {
  for (const input of [
    { name: '__proto__' },
    { name: 'a b' },
    { toolsets: ['core', 'nonsense'] },
    { print: true, remove: true },
    { client: 'x' },
  ])
    await expect(run({ client: 'zed', ...input })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await readdir(home)).toEqual([]);
});

it('summarizes the change in a few lines', async () => {
  await put('.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
  const answer = await run({ client: 'cursor', absolute: true });
  expect(z.string().parse(mcpInstall.outline?.(answer)).split('\n')).toEqual([
    `cursor: changed ${join(home, '.cursor/mcp.json')}`,
    '@@ -1,5 +1,15 @@',
    ' {',
    '   "mcpServers": {',
    '-    "a": {}',
    '+    "a": {},',
    '+    "deskterity": {',
    '+      "type": "stdio",',
    `+      "command": "${NODE.node}",`,
    '+      "args": [',
    `+        "${NODE.script}",`,
    '+        "mcp",',
    '+        "--structured",',
    '+        "never"',
    '+      ]',
    '+    }',
    '   }',
    ' }',
    `backup: ${answer.backup ?? ''}`,
    'Restart Cursor and switch the server on in its MCP settings.',
  ]);
});
