import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { allowEveryCall } from '../../fixtures/unlimited-calls.ts';
import { openApp } from '../../src/app/open-app.ts';
import { RateLimitConfiguration } from '../../src/model/configuration/guard-configuration.ts';

const MANY = 150;

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dkt-unlimited-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program of the user with this HOME. */
function program(of: string) {
  const environment = { HOME: of, XDG_RUNTIME_DIR: of };
  const app = openApp({ environment, cwd: of, version: '0', sessionsIn: 'memory', isPersistent: true });
  onTestFinished(() => app.close());
  const call = (): Promise<unknown> =>
    app
      // It lasts as long as it takes to begin many of them, also on a busy machine.
      .call('many', 'wait', { ms: 300 }, { mayCreateSession: true })
      .catch(({ code }: { code: string }) => code);
  return { app, atOnce: async () => new Set(await Promise.all(Array.from({ length: MANY }, call))) };
}

it('without it, as many calls at once are refused', async () => {
  expect(await program(home()).atOnce()).toContain('RATE_LIMITED');
});

it('a world for measuring has no limit of any kind', async () => {
  const folder = home();
  allowEveryCall(folder);
  const { app, atOnce } = program(folder);
  expect(await atOnce()).not.toContain('RATE_LIMITED');
  const shown = await app.call('x', 'config show', {}, { mayCreateSession: true });
  const text = JSON.stringify(shown);
  for (const key of Object.keys(RateLimitConfiguration.shape))
    expect(text).toMatch(new RegExp(`"key":"rate_limit\\.${key}","value":0`));
});

it('a world with settings of its own keeps them', () => {
  const folder = home();
  allowEveryCall(folder);
  expect(() => allowEveryCall(folder)).toThrow('EEXIST');
});
