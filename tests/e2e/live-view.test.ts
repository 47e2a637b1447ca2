import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { FixtureEvent } from '../../fixtures/driver.ts';
import { Bounds, intersect } from '../../src/model/tree/bounds.ts';
import { LiveClient } from '../sessions/live/live-client.ts';
import { usePlace } from './harness.ts';
import { Bench } from './support/fixtures.ts';
import { until } from '../until.ts';

let app: Bench;
const pages: LiveClient[] = [];
const place = usePlace(async (started) => {
  app = new Bench(started, await started.fixture('gtk3'));
});
afterAll(() => {
  for (const page of pages) page.close();
});

const Url = z.looseObject({ url: z.string() });
const Acting = z.looseObject({ desktop: z.looseObject({ acting: z.unknown() }) });
const Screen = z.looseObject({ width: z.int(), height: z.int() });
const Text = z.object({ text: z.string() });

async function open(): Promise<LiveClient> {
  const page = await LiveClient.open((await app.desk('session', 'view', '--live')).ok(Url).url);
  pages.push(page);
  await page.eventually('the screen', () => page.pictures.length > 0);
  return page;
}

const textOf = async (widget: string): Promise<string> =>
  Text.parse(await app.fixture.control('get', { widget })).text;

const clicked = (events: readonly FixtureEvent[]): readonly string[] =>
  events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget);

/** The middle of a widget as shares of the screen: of the act that the page was told last. */
function middleOf(page: LiveClient): { x: number; y: number } {
  const { x, y, width, height } = Bounds.parse(page.last('act')?.['place']);
  const screen = Screen.parse(page.last('size'));
  return { x: (x + width / 2) / screen.width, y: (y + height / 2) / screen.height };
}

it('a page sees what changes, and where the agent acted', async () => {
  const page = await open();
  const before = page.pictures.length;
  const { pressed } = await app.click(await app.ref('press'));
  expect(pressed).toEqual(['press']);
  const act = await page.until(({ command, outcome }) => command === 'click' && outcome !== undefined);
  expect(act).toMatchObject({ name: app.widget('press').name, outcome: 'confirmed' });
  await page.eventually('the change', () => page.pictures.length > before);
  const screen = { x: 0, y: 0, ...Screen.parse(page.last('size')) };
  for (const { area } of page.pictures.slice(before)) {
    expect(area.width * area.height).toBeLessThan((screen.width * screen.height) / 4);
    expect(intersect(area, screen)).toEqual(area);
  }
  // A secret is in no message of the page, as it is in no answer.
  const field = await app.refOf('Password', 'textbox').catch(() => app.ref('password'));
  await place().desk(['set-value', field, '--from-env', 'SECRET'], { SECRET: 'correct-horse-7' });
  await page.until(({ command, outcome }) => command === 'set-value' && outcome !== undefined);
  expect(JSON.stringify(page.messages)).not.toContain('correct-horse');
});

it('a person takes over, acts in the page, and hands back', async () => {
  const page = await open();
  const send = async (...events: readonly unknown[]): Promise<void> => {
    expect(await page.send([{ type: 'input', events }])).toMatchObject({ status: 204 });
  };
  const [press, name] = [await app.ref('press'), await app.ref('name')];
  await app.click(press);
  const button = middleOf(page);
  await app.set('name', 'text', '');
  const text = 'a long text that is typed slowly';
  const typing = app.desk('type', name, text, '--delay', '200');
  await until(async () => (await textOf('name')).length > 1, 'the first letters');
  const field = middleOf(page);

  expect(await page.send([{ type: 'take-over' }])).toMatchObject({ status: 204 });
  expect((await typing).error('CANCELLED')).toMatchObject({
    delivered: true,
    message: expect.stringContaining('a person took over'),
  });
  const soFar = await textOf('name');
  expect(text.startsWith(soFar) && soFar.length < text.length).toBe(true);
  const denied = await app.recording(async () => [
    await app.desk('click', press),
    await app.desk('click', press, '--no-daemon'),
    await app.desk('mouse', 'click', '5', '5', '--session', 'default'),
  ]);
  for (const reply of denied.result) {
    expect(reply.error('POLICY_DENIED')).toMatchObject({ delivered: false });
    expect(reply.exitCode).toBe(10);
  }
  expect(denied.events).toEqual([]);
  expect((await app.desk('status')).ok(Acting).desktop.acting).toMatchObject({ takeover: true });
  expect((await app.desk('snapshot')).exitCode).toBe(0);

  const done = await app.recording(async () => {
    await send({ type: 'move', ...button }, { type: 'down', ...button, button: 'left' });
    await send({ type: 'up', ...button, button: 'left' });
    await send({ type: 'down', ...field, button: 'left' }, { type: 'up', ...field, button: 'left' });
    await send({ type: 'key', key: 'a', mods: ['Control'] }, { type: 'text', text: 'Grüße 漢 A' });
    await send({ type: 'down', ...button, button: 'left', mods: ['Shift'] });
    await until(async () => (await textOf('name')) === 'Grüße 漢 A', 'the text');
  });
  expect(clicked(done.events)).toEqual(['press']);
  const presses = clicked(await app.fixture.events()).length;

  // The page closes with a button and a modifier down: both are released, and the desktop stays taken over.
  page.close();
  // The button of the pointer was over the application's button, which counts a release as a click.
  await until(async () => clicked(await app.fixture.events()).length === presses + 1, 'the release');
  expect((await app.desk('click', press)).exitCode).toBe(10);
  const waiting = app.desk('wait', '--acting', '--timeout', '20000');
  const handed = await app.desk('session', 'hand-back', '--format', 'outline');
  expect(handed.stdout).toContain('acting is allowed');
  expect((await waiting).exitCode).toBe(0);
  const after = await app.click(press);
  expect(after.reply.exitCode).toBe(0);
  expect(after.pressed).toEqual(['press']);
});
