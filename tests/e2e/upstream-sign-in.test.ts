import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import {
  openAuthorizationServer,
  type AuthorizationServer,
} from '../upstream/support/authorization-server.ts';
import { usePlace } from './harness.ts';
import { textOf, useClients } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);
const BROWSER = '/usr/bin/chromium';
const Answer = z.looseObject({ output: z.string() });
let authority: AuthorizationServer;
beforeAll(async () => {
  authority = await openAuthorizationServer({ pressesLink: true });
});
afterAll(() => authority.close());

it.skipIf(!existsSync(BROWSER))('signs in to another MCP server in Chromium, and calls it', async () => {
  const { folder } = place();
  await mkdir(join(folder, '.deskterity'), { recursive: true });
  const file = '.deskterity/mcp.json';
  await writeFile(join(folder, file), JSON.stringify({ servers: { web: { url: `${authority.url}/mcp` } } }));
  expect((await place().desk(['tools', 'trust', file])).exitCode).toBe(0);
  const before = await place().desk(['tools', 'call', 'web__echo', '{"text":"a"}']);
  expect(before.error('UNAUTHORIZED').suggestion).toContain(`${authority.url}/authorize?`);

  // A browser that ends once the last page has been loaded, which it prints.
  const browser = join(folder, 'browser');
  const page = join(folder, 'page.html');
  const options = `--headless --no-sandbox --disable-gpu --no-first-run --user-data-dir='${folder}/chromium' --virtual-time-budget=8000 --dump-dom`;
  await writeFile(browser, `#!/bin/sh\nexec ${BROWSER} ${options} "$1" > '${page}' 2>/dev/null\n`);
  await chmod(browser, 0o755);
  await makeUsual(browser);
  const signedIn = await place().desk(['tools', 'login', 'web', '--timeout', '20000']);
  expect(signedIn.exitCode).toBe(0);
  await expect
    .poll(async () => readFile(page, 'utf8').catch(() => ''), { timeout: 10_000 })
    .toContain('You are signed in.');

  const after = await place().desk(['tools', 'call', 'web__echo', '{"text":"a"}']);
  expect(after.ok(Answer).output).toBe('{"text":"a"}');
  expect(authority.asked).toContain('authorization_code');
});

it.skipIf(!existsSync(BROWSER))(
  'an MCP client shows the page in Chromium, and is told when that is done',
  async () => {
    const { folder } = place();
    const other = await openAuthorizationServer({ pressesLink: true });
    try {
      const file = '.deskterity/mcp.json';
      await mkdir(join(folder, '.deskterity'), { recursive: true });
      await writeFile(join(folder, file), JSON.stringify({ servers: { asks: { url: `${other.url}/mcp` } } }));
      expect((await place().desk(['tools', 'trust', file])).exitCode).toBe(0);
      const desk = await connect({
        era: 'legacy',
        way: 'stdio',
        flags: ['--toolsets', 'all'],
        capabilities: { elicitation: { url: {} } },
      });
      const asked: unknown[] = [];
      const completed: string[] = [];
      desk.client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params);
        if (params.mode === 'url') void browse(params.url);
        return { action: 'accept' };
      });
      desk.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
        completed.push(params.elicitationId);
      });
      const input = { tool: 'asks__echo', args: { text: 'a' } };
      const before = await desk.call('tools_call', input);
      expect(before.isError).toBe(true);
      expect(textOf(before)).toContain('Call again when somebody has signed in.');
      expect(asked).toMatchObject([{ mode: 'url', url: expect.stringContaining(`${other.url}/authorize?`) }]);
      await expect.poll(() => completed, { timeout: 20_000 }).toHaveLength(1);
      expect(asked).toMatchObject([{ elicitationId: completed[0] }]);
      expect(await desk.data(Answer, 'tools_call', input)).toMatchObject({ output: '{"text":"a"}' });
      expect(other.asked.filter((what) => what === 'authorization_code')).toHaveLength(1);
    } finally {
      await other.close();
    }
  },
);

/** Opens a page as the client's browser would; it presses its link by itself. */
function browse(address: string): Promise<void> {
  const data = `--user-data-dir=${join(place().folder, 'chromium-of-client')}`;
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', data];
  const more = ['--virtual-time-budget=8000', '--dump-dom', address];
  return new Promise((resolve) => void execFile(BROWSER, [...options, ...more], () => resolve()));
}

/** The browser of the desktop, as its user would choose it. */
async function makeUsual(browser: string): Promise<void> {
  const home = place().desktop.environment['HOME'] ?? '';
  const [data, config] = [join(home, '.local/share/applications'), join(home, '.config')];
  for (const folder of [data, config]) await mkdir(folder, { recursive: true });
  const entry = `[Desktop Entry]\nType=Application\nName=Test\nExec=${browser} %u\nMimeType=x-scheme-handler/http;\n`;
  await writeFile(join(data, 'test-browser.desktop'), entry);
  await writeFile(
    join(config, 'mimeapps.list'),
    '[Default Applications]\nx-scheme-handler/http=test-browser.desktop\n',
  );
}
