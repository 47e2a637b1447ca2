import { expect, it } from 'vitest';
import type { FixtureKind } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);

/** What comes with the pointer, whatever is done with it. */
const BESIDE = new Set(['focus-in', 'pointer-in']);

const TOGGLED = new Set(['checkbox', 'radio', 'togglebutton']);

async function reset(app: Bench): Promise<void> {
  await app.set('agree', 'checked', false);
  await app.set('bold', 'checked', false);
  await app.set('size_small', 'checked', true);
}

/** Everything that the application was told, except how often the button was pressed. */
async function toldOf(app: Bench, widget: string, act: string, mode: string): Promise<readonly unknown[]> {
  await reset(app);
  const ref = await app.ref(widget);
  const { result, events } = await app.recording(() => app.desk(act, ref, '--mode', mode));
  if (result.exitCode !== 0) throw new Error(`not done: ${result.toString()}`);
  return events
    .filter(({ widget: on, event }) => on !== 'counter' && !BESIDE.has(event))
    .map(({ widget: on, event, value }) => [on, event, typeof value === 'number' ? 'number' : value]);
}

const SAME: readonly (readonly [FixtureKind, readonly string[]])[] = [
  ['gtk3', ['press', 'agree', 'size_medium', 'link']],
  ['gtk4', ['press', 'bold', 'link']],
  ['qt5', ['press']],
  ['qt6', ['press']],
];

it.for(SAME)('does what a person does: %s, %j', async ([kind, widgets]) => {
  const app = bench(kind);
  for (const widget of widgets)
    for (const act of TOGGLED.has(app.widget(widget).role) ? ['click', 'toggle'] : ['click']) {
      const byHand = await toldOf(app, widget, act, 'pointer');
      expect(byHand.length).toBeGreaterThan(0);
      expect([widget, act, await toldOf(app, widget, act, 'background')]).toEqual([widget, act, byHand]);
    }
});
