import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { HandUse } from '../../../src/model/effects/seat.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import type { ContextMenu } from './menu-grab.ts';

const ACT = { deadlineMs: 10_000, settle: { quietMs: 60, limitMs: 600 } };
const ARRIVES_MS = 4000;
const SETTLES_MS = 100;
const COLOURS = ['green', 'blue', 'red'] as const;
const ROWS = 'Many rows';
/** Letters only: what the user types are digits. */
const LONG = 'abcdefghijklmnopqrstuvwxyz';
const Widget = z.looseObject({
  text: z.string().nullish(),
  checked: z.unknown(),
  selected: z.unknown(),
  value: z.unknown(),
});

/** An act, and what the application itself says of it. */
export interface SeatAct {
  readonly use: HandUse;
  /** @param round counts from 0; resolves with the effect of the receipt */
  run(round: number): Promise<string>;
  /** Whether it arrived, once and as meant. */
  arrived(round: number): Promise<boolean>;
  /** Brings what the next acts need. */
  before?(): Promise<void>;
  /** Ends what it opened. */
  after?(): Promise<void>;
}

/** What is done with an application. */
export interface SeatActs {
  readonly acts: readonly SeatAct[];
  /** All text that was typed into it, by whomever. */
  readonly text: () => Promise<string>;
  /** Absent if its menus are not measured. */
  readonly menu?: ContextMenu | undefined;
}

/** Acts on a fixture, through the engine. */
export function fixtureActs(fixture: Fixture, over: Engine): SeatActs {
  const app = String(fixture.pid);
  const ref = (id: string): string => {
    const widget = expectedWidgets(fixture.kind).find((each) => each.id === id);
    return `app:${app} >> role:${widget?.role}[name=${JSON.stringify(widget?.name)}]`;
  };
  const read = async (widget: string): Promise<z.output<typeof Widget>> =>
    Widget.parse(await fixture.control('get', { widget }));
  const set = async (widget: string, property: string, value: unknown): Promise<void> =>
    void (await fixture.control('set', { widget, property, value }));
  /** How often the application wrote that down. */
  const told = async (widget: string, event: string): Promise<number> =>
    (await fixture.events()).filter((each) => each.widget === widget && each.event === event).length;
  const escape = (): Promise<void> =>
    over.press({ keys: parseKeyCombination('Escape'), app, ...ACT }).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof DeskterityError)) throw error;
      },
    );
  const boxOf = async (id: string) => {
    const { node } = await over.describe({ ref: ref(id), ...ACT });
    if (node.bounds === undefined) throw new Error(`${id} has no place`);
    return node.bounds;
  };
  let clicked = 0;
  let entered = 0;
  let menus = 0;
  let isChecked: unknown;
  let top: unknown;
  const text = async (): Promise<string> => `${(await read('name')).text}${(await read('notes')).text}`;
  const acts: readonly SeatAct[] = [
    {
      // In turn, so that the pointer comes in each time.
      use: 'hover',
      run: async (round) => {
        const widget = hovered(round);
        entered = await told(widget, 'pointer-in');
        return (await over.gesture({ gesture: 'hover', ref: ref(widget), ...ACT })).effect;
      },
      arrived: (round) => soon(async () => (await told(hovered(round), 'pointer-in')) > entered),
    },
    {
      use: 'click',
      run: async (round) => {
        clicked = await told('press', 'clicked');
        isChecked = (await read('agree')).checked;
        return (await over.click({ ref: ref(isOdd(round) ? 'agree' : 'press'), mode: 'pointer', ...ACT }))
          .effect;
      },
      arrived: async (round) =>
        soon(async () =>
          isOdd(round)
            ? (await read('agree')).checked !== isChecked
            : (await told('press', 'clicked')) === clicked + 1,
        ),
    },
    {
      use: 'keys',
      run: async (round) =>
        (
          await over.type({
            ref: ref('name'),
            text: textOf(round),
            mode: 'focus',
            delayMs: 0,
            clearFirst: true,
            ...ACT,
          })
        ).effect,
      arrived: (round) => soon(async () => (await read('name')).text === textOf(round)),
    },
    {
      use: 'double-click',
      run: async () => {
        clicked = await told('press', 'clicked');
        return (await over.gesture({ gesture: 'double-click', ref: ref('press'), ...ACT })).effect;
      },
      arrived: () => soon(async () => (await told('press', 'clicked')) === clicked + 2),
    },
    {
      // Over the text, which a key then replaces.
      use: 'drag',
      before: () => set('name', 'text', LONG),
      run: async () => {
        const { x, y, width, height } = await boxOf('name');
        const middle = Math.round(y + height / 2);
        const receipt = await over.drag({
          from: { point: { x: x + 10, y: middle } },
          to: { point: { x: x + width - 10, y: middle } },
          durationMs: 150,
          ...ACT,
        });
        await over.press({ keys: parseKeyCombination('Delete'), app, ...ACT });
        return receipt.effect;
      },
      arrived: () => soon(async () => ((await read('name')).text ?? '').length < LONG.length / 2),
    },
    {
      use: 'wheel',
      before: async () => {
        await set('tabs', 'selected', ROWS);
        // GTK 4 shows the page where it was scrolled to, and then moves it back.
        let last: unknown;
        do {
          last = (await read('rows')).value;
          await sleep(SETTLES_MS);
          top = (await read('rows')).value;
        } while (last !== top);
      },
      run: async () => (await over.scroll({ direction: 'down', amount: 200, app, ...ACT })).effect,
      arrived: () => soon(async () => (await read('rows')).value !== top),
      after: () => set('tabs', 'selected', 'General'),
    },
    {
      // The list of a combo box, and context menus.
      use: 'popup',
      run: async (round) => {
        menus = await told('notes', 'menu-opened');
        if (isOdd(round))
          return (await over.gesture({ gesture: 'right-click', ref: ref('notes'), ...ACT })).effect;
        const value = COLOURS[(round / 2) % COLOURS.length] ?? 'red';
        return (await over.select({ ref: ref('colour'), option: value, mode: 'pointer', ...ACT })).effect;
      },
      arrived: async (round) =>
        soon(async () =>
          isOdd(round)
            ? (await told('notes', 'menu-opened')) === menus + 1
            : (await read('colour')).selected === COLOURS[(round / 2) % COLOURS.length],
        ),
      after: escape,
    },
  ];
  const menu: ContextMenu = {
    at: async () => {
      const { x, y, width, height } = await boxOf('notes');
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    },
    opened: () => told('notes', 'menu-opened'),
  };
  return { acts, text, menu };
}

/** Whether something is so within a few seconds. */
export async function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ARRIVES_MS;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

function hovered(round: number): string {
  return isOdd(round) ? 'enable_later' : 'press';
}

function isOdd(round: number): boolean {
  return round % 2 === 1;
}

/** With letters that no layout of a test has, and without a digit. */
function textOf(round: number): string {
  return `Zażółć Ω ${'x'.repeat(1 + (round % 7))}`;
}
