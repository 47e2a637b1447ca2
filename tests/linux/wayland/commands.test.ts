import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture, FixtureEvent, FixtureKind } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { openClientCalls, type ClientCalls } from '../../../src/surfaces/mcp/tools/client-calls.ts';
import { fakeApp } from '../../app/fake-app.ts';
import { NO_KWIN, WaylandStage, worksOnWayland, type StageDisplay } from './stage.ts';

const Found = z.object({ matches: z.array(z.object({ ref: z.string() })) });
const Receipt = z.object({ effect: z.string(), via: z.string() });
const State = z.object({ value: z.unknown(), text: z.string().nullish(), checked: z.unknown() });

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];

// The commands as every client calls them, in this process. Verdicts are those of the application's own record.
const DISPLAYS: readonly StageDisplay[] = NO_KWIN === undefined ? ['wayland', 'kwin'] : ['wayland'];

for (const [display, kind] of DISPLAYS.flatMap((each) => KINDS.map((one) => [each, one] as const)))
  describe.skipIf(!worksOnWayland(kind))(
    `commands on ${kind} under ${display === 'kwin' ? 'KWin' : 'sway'}`,
    () => {
      let stage: WaylandStage;
      let fixture: Fixture;
      let calls: ClientCalls;

      beforeAll(async () => {
        stage = await WaylandStage.start(display);
        const clock = createClock();
        const app = fakeApp(
          async () => stage.desktop,
          () => Promise.reject(new Error('see createEngine')),
          { clock, createEngine: (parts) => createEngine({ ...parts, clock }), outlivesCalls: true },
        );
        calls = openClientCalls({
          app,
          // The world of this test has one desktop, whatever it is called.
          caller: { environment: { DISPLAY: 'sway' }, cwd: '/' },
          session: undefined,
        });
        fixture = await stage.fixture(kind);
      });
      afterAll(() => stage?.stop());

      async function answer(command: string, input: Record<string, unknown> = {}): Promise<unknown> {
        return (await calls.answer(command, { ...input })).output;
      }

      async function ref(id: string): Promise<string> {
        const widget = expectedWidgets(kind).find((each) => each.id === id);
        const input = {
          query: widget?.name ?? '',
          role: widget?.role,
          app: String(fixture.pid),
          exact: true,
        };
        const [match] = Found.parse(await answer('find', input)).matches;
        if (match === undefined) throw new Error(`no ${id}`);
        return match.ref;
      }

      /** What the application recorded while something was done. */
      async function recording<T>(
        act: () => Promise<T>,
      ): Promise<{ readonly result: T; readonly events: readonly FixtureEvent[] }> {
        const before = (await fixture.events()).length;
        const result = await act();
        const events = (await fixture.events()).slice(before);
        return { result, events: events.filter(({ source }) => source === undefined) };
      }

      async function state(widget: string): Promise<z.output<typeof State>> {
        return State.parse(await fixture.control('get', { widget }));
      }

      it.each([
        ['background', 'at-spi'],
        ['pointer', 'pointer'],
      ])('click (%s) presses a button once', async (mode, via) => {
        const target = await ref('press');
        const { result, events } = await recording(async () =>
          Receipt.parse(await answer('click', { ref: target, mode })),
        );
        expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual([
          'press',
        ]);
        expect(result).toMatchObject({ effect: 'confirmed', via: expect.stringContaining(via) });
      });

      it('click toggles a check box', async () => {
        await fixture.control('set', { widget: 'agree', property: 'checked', value: false });
        const result = Receipt.parse(await answer('click', { ref: await ref('agree') }));
        expect(result.effect).toBe('confirmed');
        expect((await state('agree')).checked).toBe(true);
      });

      it.each([[undefined], ['focus']])(
        'type (mode %s) writes any text, and press sends keys',
        async (mode) => {
          const target = await ref('name');
          // KWin takes only keys of the layout.
          const text = display === 'kwin' && mode === 'focus' ? 'Tax: $40 + 5% @me' : 'zażółć 日本 😀';
          const typed = Receipt.parse(await answer('type', { text, ref: target, mode }));
          expect(typed.effect).toBe('confirmed');
          expect((await state('name')).text).toBe(text);
          await answer('click', { ref: target, mode: 'pointer' });
          await answer('press', { keys: 'ctrl+a', app: String(fixture.pid) });
          await answer('press', { keys: 'Delete', app: String(fixture.pid) });
          await expect.poll(async () => (await state('name')).text, { timeout: 5000 }).toBe('');
        },
      );

      it('hover and double-click reach the element', async () => {
        const target = await ref('press');
        const hovered = await recording(() => answer('hover', { ref: target }));
        expect(hovered.events.map(({ event }) => event)).toContain('pointer-in');
        const clicked = await recording(() => answer('double-click', { ref: target }));
        expect(clicked.events.filter(({ event }) => event === 'clicked')).toHaveLength(2);
      });

      it('set-value moves a slider', async () => {
        const result = Receipt.parse(await answer('set-value', { ref: await ref('volume'), value: '64' }));
        expect(result.effect).toBe('confirmed');
        expect((await state('volume')).value).toBe(64);
      });

      it('screenshot shows an element, and the clipboard holds text', async () => {
        await expect(answer('screenshot', { element: await ref('press') })).resolves.toBeDefined();
        await answer('clipboard set', { text: 'kept' });
        expect(await answer('clipboard get')).toMatchObject({ text: 'kept' });
      });

      // GTK 4 tells of no context menu, on no display.
      it.skipIf(kind === 'gtk4')('a context menu is read, and used by accessibility', async () => {
        const opened = Receipt.parse(await answer('right-click', { ref: await ref('name') }));
        expect(opened.effect).toBe('confirmed');
        const found = Found.parse(
          await answer('find', { query: 'Select All', role: 'menuitem', app: String(fixture.pid) }),
        );
        expect(found.matches).toHaveLength(1);
        await answer('press', { keys: 'Escape', app: String(fixture.pid) });
      });

      it.skipIf(display === 'kwin')('what sway lacks is refused by name', async () => {
        await expect(answer('maximize', { app: String(fixture.pid) })).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          message: expect.stringContaining('Sway'),
        });
      });
    },
  );
