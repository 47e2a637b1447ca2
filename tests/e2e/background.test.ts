import { expect, it } from 'vitest';
import { z } from 'zod';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { ListedWindows } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { until } from '../until.ts';

const place = usePlace();
const bench = useFixtures(place);
const State = z.object({ text: z.string().nullish(), checked: z.unknown().optional() });

async function xdotool(...args: string[]): Promise<string> {
  return (await place().run('xdotool', args)).trim();
}

async function windowOf(app: Bench): Promise<string> {
  const { windows } = (await app.desk('list-windows', '--app', app.app, '--include-minimized')).ok(
    ListedWindows,
  );
  const id = windows.find(({ title }) => title === app.fixture.title)?.id;
  if (id === undefined) throw new Error(`no window of ${app.kind}`);
  return String(Number.parseInt(id.replace('x11:', ''), 16));
}

/** The position of the pointer and the focused window. */
async function pointerAndFocus(): Promise<string> {
  return xdotool('getmouselocation', '--shell', 'getactivewindow');
}

/** Brings another application to the front, with the focus and the pointer on it. */
async function switchTo(cover: Bench): Promise<void> {
  const id = await windowOf(cover);
  await xdotool('windowactivate', id);
  await until(
    async () => (await xdotool('getactivewindow').catch(() => '')) === id,
    'the cover to be active',
  );
  await xdotool('mousemove', '300', '300');
}

const PLACES = {
  covered: async () => undefined,
  minimized: async (id: string) => {
    await xdotool('windowminimize', id);
  },
  'on another virtual desktop': async (id: string) => {
    await xdotool('set_num_desktops', '2');
    await xdotool('set_desktop_for_window', id, '1');
  },
} satisfies Record<string, (id: string) => Promise<void>>;

it.for(FIXTURE_KINDS)(
  'operates %s in the background while it is covered, minimized or on another virtual desktop; the user’s window and pointer stay',
  async (kind) => {
    const app = bench(kind);
    const id = await windowOf(app);
    const [press, name] = [await app.ref('press'), await app.ref('name')];
    const agree = await app.ref('agree');
    const [cherry, banana] = [await app.refOf('Cherry', 'listitem'), await app.refOf('Banana', 'listitem')];
    await app.set('agree', 'checked', false);
    await app.set('fruits', 'selected', 'Apple');
    const ask = async (...args: string[]) => app.recording(() => app.desk(...args, '--mode', 'background'));
    for (const [where, putAway] of Object.entries(PLACES)) {
      await switchTo(bench(kind === 'gtk3' ? 'qt6' : 'gtk3'));
      await putAway(id);
      const before = await pointerAndFocus();
      const pressed = await ask('click', press);
      expect(pressed.events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual([
        'press',
      ]);
      expect((await ask('set-value', name, where)).result.receipt.effect).toBe('confirmed');
      expect(State.parse(await app.fixture.control('get', { widget: 'name' })).text).toBe(where);
      const { result: toggled } = await ask('toggle', agree);
      expect(toggled.exitCode === 0 ? 'done' : toggled.error('ACTION_NOT_SUPPORTED').code).toBe(
        kind === 'gtk3' ? 'done' : 'ACTION_NOT_SUPPORTED',
      );
      const chosen = await ask('select', where === 'minimized' ? banana : cherry);
      // An application in Qt would not be told of it, and one in GTK not that the row is opened.
      expect(chosen.result.error('ACTION_NOT_SUPPORTED').delivered).toBe(false);
      expect(chosen.events.filter(({ event }) => event === 'selected')).toEqual([]);
      expect([where, await pointerAndFocus()]).toEqual([where, before]);
    }
  },
);
