import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture, FixtureEvent, FixtureKind } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { Bounds } from '../../../src/model/tree/bounds.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { openClientCalls, type ClientCalls } from '../../../src/surfaces/mcp/tools/client-calls.ts';
import { fakeApp } from '../../app/fake-app.ts';
import { NO_KWIN, WaylandStage, worksOnWayland, type StageDisplay } from './stage.ts';

const Found = z.object({ matches: z.array(z.object({ ref: z.string() })) });
const Receipt = z.object({ effect: z.string(), via: z.string() });
const Got = z.object({ value: Bounds });
const Picture = z.object({
  origin: z.object({ x: z.number(), y: z.number() }),
  width: z.number(),
  scale: z.number(),
});
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

      async function boundsOf(id: string): Promise<Bounds> {
        return Got.parse(await answer('get', { property: 'bounds', ref: await ref(id) })).value;
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
          // What an earlier try typed is still there.
          const before = z.string().parse((await state('name')).text);
          const typed = Receipt.parse(await answer('type', { text, ref: target, mode }));
          expect(typed.effect).toBe('confirmed');
          expect((await state('name')).text).toBe(before + text);
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
        // The next click would only close it.
        const press = await ref('press');
        for (const command of ['click', 'right-click'])
          await expect(
            answer(command, { ref: press, mode: 'pointer', timeout_ms: 10_000 }),
          ).rejects.toMatchObject({
            code: 'NOT_ACTIONABLE',
            message: expect.stringContaining('menu'),
            delivered: false,
          });
        // Aimed at no element, they close it, which is not what they were for.
        const { x, y } = middleOf(await boundsOf('press'));
        for (const act of [
          () => answer('mouse click', { x, y }),
          () => answer('drag', { from: `${x},${y}`, to: `${x + 20},${y}`, duration_ms: 50 }),
        ]) {
          const { result, events } = await recording(async () => Receipt.parse(await act()));
          const isPressed = events.some(({ event }) => event === 'clicked');
          expect({ isPressed, effect: result.effect }).toEqual({ isPressed: false, effect: 'unverified' });
          expect(Receipt.parse(await answer('right-click', { ref: await ref('name') })).effect).toBe(
            'confirmed',
          );
        }
        await answer('press', { keys: 'Escape', app: String(fixture.pid) });
        const { events } = await recording(() => answer('click', { ref: press, mode: 'pointer' }));
        expect(events.map(({ event }) => event)).toContain('clicked');
      });

      // How each toolkit tells places there is in places.test.ts.
      it.runIf(display === 'wayland' && kind === 'gtk3')(
        'pointer and pictures are right on every screen',
        async () => {
          stage.addScreens();
          for (const { x, y } of [
            { x: -945, y: -60 },
            { x: 1300, y: 340 },
          ]) {
            await answer('move-window', { app: String(fixture.pid), x, y });
            const target = await ref('press');
            const button = await boundsOf('press');
            const { events } = await recording(async () => {
              await answer('mouse move', { x: x + 500, y: y + 20 });
              await answer('hover', { ref: target });
              await answer('mouse click', middleOf(button));
            });
            expect(events.map(({ widget, event }) => `${widget} ${event}`)).toEqual(
              expect.arrayContaining(['press pointer-in', 'press clicked']),
            );
            await fixture.control('set', { widget: 'volume', property: 'value', value: 0 });
            const slider = await boundsOf('volume');
            const height = middleOf(slider).y;
            await answer('drag', {
              from: `${slider.x + 9},${height}`,
              to: `${slider.x + slider.width - 10},${height}`,
              duration_ms: 100,
            });
            await expect.poll(async () => Number((await state('volume')).value)).toBeGreaterThan(50);
            const picture = Picture.parse(await answer('screenshot', { element: target }));
            expect(picture.scale).toBe(x < 0 ? 2 : 1.5);
            expect(Math.abs(picture.origin.x - button.x)).toBeLessThan(1);
            expect(Math.abs(picture.width / picture.scale - button.width)).toBeLessThan(1);
          }
          await expect(answer('mouse click', { x: 1300, y: 10 })).rejects.toMatchObject({
            code: 'INVALID_ARGUMENT',
            message: '1300,10 is on no monitor.',
          });
        },
      );

      it.skipIf(display === 'kwin')('what sway lacks is refused by name', async () => {
        await expect(answer('maximize', { app: String(fixture.pid) })).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          message: expect.stringContaining('Sway'),
        });
      });
    },
  );

function middleOf({ x, y, width, height }: Bounds): { readonly x: number; readonly y: number } {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}
