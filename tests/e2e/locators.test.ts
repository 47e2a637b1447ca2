import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { GotText, Is, Waited } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);
const Text = z.object({ text: z.string().nullish() });
const Launched = z.looseObject({ pid: z.number() });

/** Clicks and returns the reply with the ids of the widgets that the application recorded as pressed. */
async function click(app: Bench, locator: string, ...more: string[]) {
  const { result: reply, events } = await app.recording(() =>
    app.desk('click', `app:${app.app} >> ${locator}`, ...more),
  );
  const pressed = events.filter((event) => event.event === 'clicked').map((event) => event.widget);
  return { reply, pressed };
}

describe.each(FIXTURE_KINDS)('locators on %s', (kind) => {
  it('act on the element they describe, and read it', async () => {
    const app = bench(kind);
    const within = `app:${app.app} >>`;
    const { reply, pressed } = await click(app, 'role:button[name="Press"]');
    expect(pressed).toEqual(['press']);
    expect(reply.receipt).not.toHaveProperty('healed');
    // The same element by its reference.
    expect(reply.receipt.target.ref).toBe(await app.ref('press'));

    expect((await app.desk('set-value', `${within} label:"Name"`, 'Ada')).receipt.effect).toBe('confirmed');
    expect(Text.parse(await app.fixture.control('get', { widget: 'name' })).text).toBe('Ada');
    expect((await app.desk('is', 'checked', `${within} role:checkbox[name="Agree"]`)).ok(Is, 1).answer).toBe(
      false,
    );
    expect((await app.desk('get', 'value', `${within} text:"Ada"`)).ok(GotText).value).toBe('Ada');

    const later = `${within} role:button[name="Later"]`;
    expect((await app.desk('expect', later, '--enabled=false')).exitCode).toBe(0);
    expect((await click(app, 'text:"Enable later"')).pressed).toEqual(['enable_later']);
    const waited = (await app.desk('wait', '--element', `${later}[enabled]`)).ok(Waited);
    expect(waited.element).toMatchObject({ role: 'button', name: 'Later' });
    await app.set('later', 'enabled', false);
  });

  it('that match two elements press neither and list both', async () => {
    const app = bench(kind);
    await app.fixture.control('rename', { widget: 'freeze', label: 'Twin' });
    await app.fixture.control('rename', { widget: 'enable_later', label: 'Twin' });
    try {
      const { reply, pressed } = await click(app, 'role:button[name="Twin"]', '--heal');
      const { candidates = [], suggestion, delivered } = reply.error('AMBIGUOUS_TARGET');
      expect([pressed, delivered]).toEqual([[], false]);
      expect(candidates.map(({ role, name }) => [role, name])).toEqual([
        ['button', 'Twin'],
        ['button', 'Twin'],
      ]);
      expect(suggestion).toContain('[nth=1]');
      const chosen = [];
      for (const { ref = '' } of candidates) chosen.push((await app.desk('get', 'bounds', ref)).stdout);
      expect(new Set(chosen).size).toBe(2);
      expect((await click(app, 'role:button[name="Twin"][nth=1]')).pressed).toEqual(['enable_later']);
    } finally {
      await app.fixture.control('rename', { widget: 'freeze', label: 'Freeze' });
      await app.fixture.control('rename', { widget: 'enable_later', label: 'Enable later' });
      await app.set('later', 'enabled', false);
    }
  });
});

it.for(['gtk3', 'qt6'] as const)(
  'locators that no longer match suggest the renamed element of %s, and use it only with --heal',
  async (kind) => {
    const app = bench(kind);
    const press = 'role:button[name="Press"]';
    await click(app, press);
    await app.fixture.control('rename', { widget: 'press', label: 'Press it' });
    const without = await click(app, press, '--timeout', '5000');
    const { candidates = [], suggestion } = without.reply.error('ELEMENT_NOT_FOUND');
    expect(without.pressed).toEqual([]);
    expect(suggestion).toContain('--heal');
    expect(candidates[0]).toMatchObject({ role: 'button', name: 'Press it' });
    expect(candidates[0]?.detail).toMatch(/^score 0\.[89]\d*: app:"\d+" >> role:button\[name="Press it"\]$/);

    const healed = await click(app, press, '--heal', '--timeout', '20000');
    expect(healed.pressed).toEqual(['press']);
    expect(healed.reply.receipt.healed).toMatchObject({ from: `app:"${app.app}" >> ${press}` });

    await app.fixture.control('remove', { widget: 'press' });
    const gone = await click(app, press, '--heal', '--timeout', '2500');
    // On a busy machine the deadline may pass before the application has answered.
    expect([3, 6, 7]).toContain(gone.reply.exitCode);
    expect(gone.pressed).toEqual([]);
  },
);

it('operates a calculator by locators, and its display shows the sum', async () => {
  const { pid } = (await place().desk(['launch', 'galculator', '--wait'])).ok(Launched);
  await place().untilReadable(pid);
  const desk = (...args: string[]) => place().desk(args);
  for (const key of ['7', '+', '8', '='])
    expect((await desk('click', `app:${pid} >> role:togglebutton[name="${key}"]`)).exitCode).toBe(0);
  expect((await desk('get', 'value', `app:${pid} >> role:textbox`)).ok(GotText).value).toBe('15');
  const several = (await desk('click', `app:${pid} >> text:"+"`)).error('AMBIGUOUS_TARGET');
  expect(several.candidates?.map(({ name }) => name)).toContain('+/-');
  await desk('close-app', String(pid));
});

it('refuses a malformed locator with the position of the mistake', async () => {
  const error = (await bench('gtk3').desk('click', 'role:buton')).error('INVALID_ARGUMENT');
  expect(error.message).toContain('at character 6');
  expect(error.suggestion).toContain('role:button');
});
