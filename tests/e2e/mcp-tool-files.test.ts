import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { textOf, useClients, type McpDesk } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);
const OPERATIONS = ['--toolsets', 'operations'];
const WAIT = { timeout: 15_000, interval: 50 };

const Ran = z.looseObject({ operation_id: z.string(), status: z.string(), exit_code: z.int().optional() });

const inScope = (name: string): string => join(place().folder, name);
const home = (): string => place().desktop.environment['HOME'] ?? '';

async function writeTool(name: string, content: object): Promise<string> {
  await mkdir(inScope('.deskterity/tools'), { recursive: true });
  const path = `.deskterity/tools/${name}.json`;
  await writeFile(inScope(path), JSON.stringify({ name, ...content }));
  return path;
}

const trust = async (path: string): Promise<unknown> =>
  (await place().desk(['tools', 'trust', path])).exitCode;

async function toolNames({ client }: McpDesk): Promise<string[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  return tools.map(({ name }) => name);
}

/** Processes that hold operations of this desktop. */
function holders(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes('holder.js') && line.includes(place().folder);
    } catch {
      return false;
    }
  });
}

it('runs a new tool file in the project once it is trusted, and no longer after it has changed', async () => {
  expect(holders()).toEqual([]);
  const listening = await connect({ era: 'legacy', way: 'stdio', flags: OPERATIONS });
  const deaf = await connect({ era: 'modern', way: 'stdio', flags: OPERATIONS });
  let changes = 0;
  listening.client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1;
  });
  expect(await toolNames(listening)).not.toContain('mark');
  // Nobody has called anything yet.
  await expect.poll(holders, WAIT).toHaveLength(1);
  const ready = holders();

  const file = {
    description: 'Makes empty files.',
    command: 'touch',
    positional_args: [
      { name: 'files', type: 'array', format: 'path', required: true, description: 'Which.' },
    ],
  };
  const mark = (name: string) => ({ tool: 'mark', args: { files: [name] } });
  const path = await writeTool('mark', file);
  await expect.poll(() => changes, WAIT).toBeGreaterThan(0);
  expect(await toolNames(listening)).not.toContain('mark');
  const refused = await listening.call('run_tool', mark('refused'));
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'TOOL_UNTRUSTED' } } });
  expect(textOf(refused)).toContain('desk tools trust');

  const beforeTrust = changes;
  expect(await trust(path)).toBe(0);
  await expect.poll(() => changes, WAIT).toBeGreaterThan(beforeTrust);
  expect(await toolNames(listening)).toContain('mark');
  expect(await listening.data(Ran, 'mark', { files: ['named'] })).toMatchObject({ status: 'succeeded' });
  expect(await deaf.data(Ran, 'run_tool', mark('unheard'))).toMatchObject({ status: 'succeeded' });

  const beforeChange = changes;
  await writeTool('mark', { ...file, description: 'Makes empty files, it says.' });
  await expect.poll(() => changes, WAIT).toBeGreaterThan(beforeChange);
  expect(await toolNames(listening)).not.toContain('mark');
  await expect(listening.call('mark', { files: ['changed'] })).rejects.toThrow('Unknown tool: "mark"');
  const changed = await deaf.call('run_tool', mark('changed'));
  expect(changed).toMatchObject({ isError: true, structuredContent: { error: { code: 'TOOL_UNTRUSTED' } } });
  const made = ['refused', 'named', 'unheard', 'changed'].filter((name) => existsSync(inScope(name)));
  expect(made).toEqual(['named', 'unheard']);
  expect(holders()).toEqual(ready);
});

it('returns a failed command as an answer, and a command that cannot be run as an error', async () => {
  const desk = await connect({ era: 'modern', way: 'stdio', flags: OPERATIONS });
  const nothing = await desk.call('sandboxed_shell', { command: 'echo before; grep -q nowhere /etc/passwd' });
  expect(nothing.isError).not.toBe(true);
  expect(Ran.parse(nothing.structuredContent)).toMatchObject({ status: 'failed', exit_code: 1 });
  expect(textOf(nothing)).toMatch(/^op-\w+ sandboxed_shell failed \(exit code 1\)/);
  expect((await desk.call('sandboxed_shell', { command: 'true', working_directory: '/' })).isError).toBe(
    true,
  );
});

it('gives a command the PATH of the login shell, but not its secrets', async () => {
  const folder = join(home(), '.greeting/bin');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'greet'), '#!/bin/sh\nenv > greeted\n', { mode: 0o755 });
  const profile = [
    'export PATH="$HOME/.greeting/bin:$PATH"',
    'export GREETING=hello',
    'export GREETING_TOKEN=sesame',
  ];
  await writeFile(join(home(), '.bash_profile'), `${profile.join('\n')}\n`);
  const path = await writeTool('greet', {
    description: 'Greets.',
    command: 'greet',
    sandbox: { read: ['~/.greeting/bin'] },
  });
  expect(await trust(path)).toBe(0);
  // The way a desktop starts programs. A shell of another name counts as another one, which has not been queried yet.
  const launcher = { PATH: '/usr/bin:/bin', SHELL: '/usr/bin/bash' };
  const greeted = await place().desk(['run-tool', 'greet'], launcher);
  expect(greeted.ok(Ran)).toMatchObject({ status: 'succeeded' });
  const environment = readFileSync(inScope('greeted'), 'utf8').split('\n');
  expect(environment).toContain('GREETING=hello');
  expect(environment.find((line) => line.startsWith('PATH='))).toMatch(
    new RegExp(`^PATH=${folder}:.*/usr/bin`),
  );
  expect(environment.join('\n')).not.toContain('sesame');
});
