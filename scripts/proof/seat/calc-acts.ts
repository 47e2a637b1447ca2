import { setTimeout as sleep } from 'node:timers/promises';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import { soon, type SeatAct, type SeatActs } from './fixture-acts.ts';

const CALL = { deadlineMs: 10_000 };
const SENT = 'sent';
/** Letters only: what the user types are digits. The sheet would complete what begins like another cell. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A press that follows sooner at the same place is the second of a double click. */
const DOUBLE_CLICK_MS = 700;
const PLACES = 5;
/** Columns are narrower. */
const STEP = { x: 120, y: 40 };
const TITLE =
  /^clicks (?<clicks>\d+) doubles (?<doubles>\d+) menus (?<menus>\d+) top (?<top>\d+) chosen (?<left>-?\d+),(?<upper>-?\d+),(?<right>-?\d+),(?<lower>-?\d+) text \[(?<text>[^\]]*)\]/;
export const CALC_READY = /^clicks \d/;

interface Told {
  readonly clicks: number;
  readonly doubles: number;
  readonly menus: number;
  readonly top: number;
  /** First column and row, last column and row. */
  readonly chosen: readonly [number, number, number, number];
  readonly text: string;
}

/** Acts on the sheet of `calcCommand`, by places on the screen. Its list boxes are not opened, and nothing tells that the pointer came in. */
export function calcActs(desktop: LinuxDesktop, lease: InputLease, window: DesktopWindow): SeatActs {
  const told = async (): Promise<Told> => {
    const title = (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.title ?? '';
    const { groups = {} } = TITLE.exec(title) ?? {};
    const number = (name: string): number => Number(groups[name] ?? 0);
    return {
      clicks: number('clicks'),
      doubles: number('doubles'),
      menus: number('menus'),
      top: number('top'),
      chosen: [number('left'), number('upper'), number('right'), number('lower')],
      text: groups['text'] ?? '',
    };
  };
  const { x, y, width, height } = window.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  /** In the upper left of the sheet, below tool bars, and in another row and column each. */
  const place = (index: number): Point => ({
    x: Math.round(x + width * 0.15 + (index % PLACES) * STEP.x),
    y: Math.round(y + height * 0.5 + (index % PLACES) * STEP.y),
  });
  const press = (keys: string): Promise<void> => lease.press(parseKeyCombination(keys), CALL);
  const click = async (point: Point, count = 1): Promise<void> => {
    await lease.moveTo(point, CALL);
    await lease.click('left', count, { ...CALL, onto: await lease.under(CALL) });
  };
  let before: Told | undefined;
  const note = async (): Promise<void> => {
    await sleep(DOUBLE_CLICK_MS);
    before = await told();
  };
  /** The cell at each place, as the first click there chose it. */
  const cells = new Map<number, string>();
  const isCellAt = (round: number, chosen: Told['chosen']): boolean => {
    const [left, upper, right, lower] = chosen;
    // A press counts before it chooses.
    if (left !== right || upper !== lower || chosen.join() === before?.chosen.join()) return false;
    const [index, cell] = [round % PLACES, `${left},${upper}`];
    if (!cells.has(index)) cells.set(index, cell);
    return [...cells].every(([other, taken]) => (other === index) === (taken === cell));
  };
  const acts: readonly SeatAct[] = [
    {
      use: 'click',
      before: note,
      run: async (round) => {
        await click(place(round));
        return SENT;
      },
      arrived: (round) =>
        soon(async () => {
          const now = await told();
          return now.clicks === (before?.clicks ?? 0) + 1 && isCellAt(round, now.chosen);
        }),
    },
    {
      use: 'keys',
      before: note,
      run: async (round) => {
        const text = textOf(round);
        await lease.type(text, { ...CALL, delayMs: 0, check: async () => undefined, into: window.id });
        await press('Enter');
        return SENT;
      },
      arrived: (round) =>
        soon(async () => {
          const { text } = await told();
          return (
            text.length === (before?.text.length ?? 0) + textOf(round).length && text.includes(textOf(round))
          );
        }),
    },
    {
      use: 'drag',
      before: note,
      run: async () => {
        await lease.moveTo(place(0), CALL);
        await lease.buttonDown('left', CALL);
        await lease.moveTo(place(1), { ...CALL, durationMs: 80 });
        await lease.moveTo(place(3), { ...CALL, durationMs: 120 });
        await lease.buttonUp('left', CALL);
        return SENT;
      },
      arrived: () =>
        soon(async () => {
          const { chosen } = await told();
          const [from, to] = [cells.get(0), cells.get(3)];
          return from !== undefined && to !== undefined && chosen.join() === `${from},${to}`;
        }),
      // Otherwise the next one would begin in what is selected, and drag that.
      after: () => click(place(4)),
    },
    {
      use: 'double-click',
      before: note,
      run: async (round) => {
        await click(place(round), 2);
        return SENT;
      },
      arrived: () => soon(async () => (await told()).doubles === (before?.doubles ?? 0) + 1),
      // The cell is being edited.
      after: () => press('Escape'),
    },
    {
      use: 'wheel',
      before: note,
      run: async (round) => {
        await lease.moveTo(place(2), CALL);
        await lease.wheel({ x: 0, y: notchesOf(round) }, CALL);
        return SENT;
      },
      arrived: (round) => soon(async () => ((await told()).top - (before?.top ?? 0)) * notchesOf(round) > 0),
    },
    {
      use: 'popup',
      before: note,
      run: async (round) => {
        await lease.moveTo(place(round), CALL);
        await lease.click('right', 1, { ...CALL, onto: await lease.under(CALL) });
        return SENT;
      },
      arrived: () => soon(async () => (await told()).menus === (before?.menus ?? 0) + 1),
      after: () => press('Escape'),
    },
  ];
  return {
    acts,
    text: async () => (await told()).text,
    menu: { at: async () => place(2), opened: async () => (await told()).menus },
  };
}

function textOf(round: number): string {
  const letter = LETTERS[round % LETTERS.length] ?? 'a';
  return `${letter}q${letter}`;
}

/** Down and up in turn. */
function notchesOf(round: number): number {
  return round % 2 === 0 ? 3 : -3;
}
