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

const place = usePlace();
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
