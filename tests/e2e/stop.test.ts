import { expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { useFixtures } from './support/fixtures.ts';
import { textOf, useClients } from './support/mcp-client.ts';
import { until } from '../until.ts';

const place = usePlace();
const bench = useFixtures(place);
const connect = useClients(place);
const TEXT = 'a long text that is typed slowly';
const Status = z.looseObject({ desktop: z.looseObject({ acting: z.unknown() }) });

it('ends typing and refuses further acts when stopped, but still allows reading', async () => {
  const app = bench('gtk3');
  await app.set('name', 'text', '');
  const ref = await app.ref('name');
  const text = async (): Promise<string> =>
    z.object({ text: z.string().nullable() }).parse(await app.fixture.control('get', { widget: 'name' }))
      .text ?? '';
  const typing = app.desk('type', ref, TEXT, '--delay', '200');
  await until(async () => (await text()).length > 1, 'the first letters');
  const stopped = await app.desk('stop', '--session', 'another');
  expect(JSON.parse(stopped.stdout)).toMatchObject({ ok: true, stopped: true, by: 'another' });
  const reply = await typing;
  expect(reply.error('CANCELLED')).toMatchObject({ delivered: true });
  const soFar = await text();
  expect(TEXT.startsWith(soFar)).toBe(true);
  expect(soFar.length).toBeLessThan(TEXT.length);

  const refused = await app.desk('click', ref);
  expect(refused.error('POLICY_DENIED')).toMatchObject({ delivered: false });
  expect(refused.exitCode).toBe(10);
  expect((await app.desk('click', ref, '--no-daemon')).exitCode).toBe(10);
  const { desktop } = (await app.desk('status')).ok(Status);
  expect(desktop.acting).toEqual({ stopped: true, by: 'another', since: expect.stringMatching(/^\d{4}-/) });
  expect((await app.desk('get', 'text', ref)).exitCode).toBe(0);
  expect(await text()).toBe(soFar);

  expect((await app.desk('resume')).exitCode).toBe(0);
  expect((await app.desk('set-value', ref, 'again')).receipt.effect).toBe('confirmed');
});

it('does the same on the hot-key', async () => {
  const app = bench('qt6');
  const ref = await app.ref('name');
  // Some process must be listening for the hot-key.
  await app.desk('hover', ref);
  await place().run('xdotool', ['key', 'ctrl+alt+shift+Escape']);
  await until(async () => (await app.desk('click', ref)).exitCode === 10, 'acting to be stopped', 3000);
  expect((await app.desk('resume')).exitCode).toBe(0);
});

it('reports how much was typed when time runs out', async () => {
  const app = bench('gtk3');
  await app.set('name', 'text', '');
  const ref = await app.ref('name');
  // More letters than there are keys to borrow, so that typing is slow.
  const text = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  const reply = await app.desk('type', ref, text, '--mode', 'focus', '--timeout', '2500');
  const error = reply.error('TIMEOUT');
  expect(error).toMatchObject({
    delivered: true,
    retryable: false,
    suggestion: expect.stringContaining(`desk get text ${ref}`),
  });
  const typed = Number(/ (\d+) of 3000 characters had been typed/.exec(error.message)?.[1]);
  expect(typed).toBeGreaterThan(0);
  const { text: there } = z
    .object({ text: z.string() })
    .parse(await app.fixture.control('get', { widget: 'name' }));
  expect(there).toBe(text.slice(0, typed));
});

it('names the session that has keyboard and pointer to others', async () => {
  const app = bench('gtk3');
  expect((await app.desk('session', 'new', 'owner')).exitCode).toBe(0);
  expect((await app.desk('mouse', 'down', '--session', 'owner')).exitCode).toBe(0);
  const said = 'Keyboard and pointer are in use by session "owner"';
  const refused = await app.desk('mouse', 'move', '5', '5', '--timeout', '1000');
  expect(refused.error('CONFLICT')).toMatchObject({
    message: `${said}.`,
    retryable: true,
    delivered: false,
  });
  const mcp = await connect({ era: 'modern', way: 'stdio', flags: ['--toolsets', 'input'] });
  const answer = await mcp.call('desktop_mouse_move', { x: 5, y: 5, timeout_ms: 1000 });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toContain(`CONFLICT: ${said}.`);
  expect((await app.desk('mouse', 'up', '--session', 'owner')).exitCode).toBe(0);
});
