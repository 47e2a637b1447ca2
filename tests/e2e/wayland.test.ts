import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { worksOnWayland } from '../linux/wayland/stage.ts';
import { usePlace } from './harness.ts';
import { ListedWindows, Snapshot } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const KINDS = FIXTURE_KINDS.filter((kind) => worksOnWayland(kind));
const place = usePlace(undefined, 'wayland');
const bench = useFixtures(place, KINDS);
const State = z.object({ value: z.unknown(), text: z.string().nullish(), checked: z.unknown() });
const Status = z.object({ desktop: z.object({ session_type: z.string(), window_manager: z.string() }) });
const Journal = z.looseObject({
  cursor: z.string(),
  entries: z.array(z.looseObject({ kind: z.string(), by: z.string() })),
  notes: z.array(z.string()).optional(),
});
const Surfaces = z.looseObject({ surfaces: z.array(z.looseObject({ title: z.string() })) });
const Session = z.object({ display: z.string(), use: z.array(z.string()) });
const Launched = z.object({ pid: z.number(), private_desktop: z.string() });

async function stateOf(app: Bench, widget: string): Promise<z.output<typeof State>> {
  return State.parse(await app.fixture.control('get', { widget }));
}

for (const kind of FIXTURE_KINDS)
  describe.skipIf(!KINDS.includes(kind))(`on sway, ${kind}`, () => {
    it('is listed, with its windows on top of each other, and comes to the front when it is clicked', async () => {
      const app = bench(kind);
      const { windows } = (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows);
      expect(windows).toHaveLength(1);
      const { result: reply, events } = await app.recording(async () =>
        app.desk('click', await app.ref('press'), '--mode', 'pointer'),
      );
      expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual([
        'press',
      ]);
      expect(reply.receipt).toMatchObject({ effect: 'confirmed', via: expect.stringContaining('pointer') });
    });

    it('toggles, takes numbers and any text', async () => {
      const app = bench(kind);
      await app.set('agree', 'checked', false);
      expect((await app.desk('click', await app.ref('agree'))).receipt.effect).toBe('confirmed');
      expect((await stateOf(app, 'agree')).checked).toBe(true);
      expect((await app.desk('set-value', await app.ref('volume'), '64')).receipt.effect).toBe('confirmed');
      expect((await stateOf(app, 'volume')).value).toBe(64);
      const field = await app.ref('name');
      expect((await app.desk('click', field, '--mode', 'pointer')).exitCode).toBe(0);
      await app.desk('type', field, 'żółć 日本 😀', '--mode', 'focus');
      await expect
        .poll(async () => (await stateOf(app, 'name')).text, { timeout: 5000 })
        .toBe('żółć 日本 😀');
    });

    it('is never confirmed where nothing can be seen', async () => {
      const app = bench(kind);
      const odd = await app.desk('find', 'Odd', '--app', app.app, '--role', 'button');
      const { matches } = odd.ok(z.object({ matches: z.array(z.object({ ref: z.string() })) }));
      const { reply, pressed } = await app.click(matches[0]?.ref ?? '');
      expect(pressed).toEqual(['odd']);
      expect(reply.receipt.effect).toBe('unverified');
    });

    it('is undone, told in the journal without guessing who did the rest, and lists the list of a combo box', async () => {
      const app = bench(kind);
      await app.set('name', 'text', 'before');
      const { cursor } = (await app.desk('journal')).ok(Journal);
      await app.desk('set-value', await app.ref('name'), 'after');
      expect((await app.desk('undo')).ok(z.looseObject({ undone: z.literal(1) })).undone).toBe(1);
      expect((await stateOf(app, 'name')).text).toBe('before');
      const { entries, notes } = (await app.desk('journal', '--since', cursor)).ok(Journal);
      const texts = entries.filter((entry) => entry.kind === 'text_changed');
      expect(new Set(texts.map(({ by }) => by))).toEqual(new Set(['own']));
      expect(notes?.join()).toContain('does not report the user’s input');
      await app.desk('expand', `app:${app.app} >> role:combobox[name="Colour"]`);
      const { surfaces } = (await app.desk('list-surfaces', '--app', app.app)).ok(Surfaces);
      expect(surfaces).toMatchObject([{ title: 'Colour', items: 3 }]);
      await app.desk('press', 'Escape', '--app', app.app);
    });

    it('is refused what sway cannot do, by name', async () => {
      const app = bench(kind);
      const refusal = (await app.desk('maximize', '--app', app.app)).error('ACTION_NOT_SUPPORTED');
      expect(refusal).toMatchObject({ message: 'Sway does not maximize windows.', delivered: false });
    });
  });

describe('a private Wayland desktop of a session', () => {
  it('is started, named by every answer, and ends with its session', async () => {
    const name = ['--session', 'inner'];
    const made = (
      await place().desk([
        'session',
        'new',
        'inner',
        '--private',
        '--display',
        'wayland',
        '--size',
        '1024x768',
      ])
    ).ok(Session);
    expect(made.display).toMatch(/^wayland-\d+$/);
    const launched = (await place().desk(['launch', 'mousepad', '--wait', ...name])).ok(Launched);
    expect(launched.private_desktop).toBe(made.display);
    expect((await place().desk(['status', ...name])).ok(Status).desktop).toMatchObject({
      session_type: 'wayland',
      window_manager: expect.stringMatching(/^sway /),
    });
    const { tree } = (await place().desk(['snapshot', '--app', 'mousepad', ...name])).ok(Snapshot);
    expect(JSON.stringify(tree)).toContain('menuitem');
    expect((await place().desk(['clipboard', 'set', 'kept', ...name])).exitCode).toBe(0);
    expect((await place().desk(['clipboard', 'get', ...name])).stdout).toContain('kept');
    expect((await place().desk(['session', 'kill', 'inner'])).exitCode).toBe(0);
    await expect.poll(() => isRunning(launched.pid), { timeout: 5000 }).toBe(false);
  });

  it('is refused on a kind of display that does not exist', async () => {
    const line = ['session', 'new', 'odd', '--private', '--display', 'nothing'];
    const refusal = (await place().desk(line)).error('INVALID_ARGUMENT');
    expect(refusal.suggestion).toBe('Choose x11, wayland, kwin or gnome.');
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
