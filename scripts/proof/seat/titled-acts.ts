import { setTimeout as sleep } from 'node:timers/promises';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import type { TitledProgram } from './titled-programs.ts';
import type { ContextMenu } from './menu-grab.ts';
import { soon, type SeatAct, type SeatActs } from './fixture-acts.ts';
import { hasScrolled, isDeleted, isInserted } from './told-text.ts';

const CALL = { deadlineMs: 10_000 };
const SENT = 'sent';
/** Letters only: what the user types are digits. */
const TYPED = 'ab';
const DRAGGED = 'cdefgh';
/** For a list to open. */
const LIST_MS = 200;
/** A press that follows sooner at the same place is the second of a double click, which selects a word instead. */
const DOUBLE_CLICK_MS = 700;
const TITLE =
  /^clicks (?<clicks>\d+) doubles (?<doubles>\d+) menus (?<menus>\d+) picks (?<picks>\d+) moves (?<moves>\d+) top (?<top>\S+) at (?<x>-?\d+),(?<y>-?\d+) list (?<listX>-?\d+),(?<listY>-?\d+) text \[(?<text>[^\]]*)\]/;
/** From the corner of the text to its first letter. */
const LETTER = { x: 3, y: 10 };

interface Told {
  readonly clicks: number;
  readonly doubles: number;
  readonly menus: number;
  readonly picks: number;
  readonly moves: number;
  readonly top: string;
  readonly at: Point;
  readonly list: Point;
  readonly text: string;
}

/** Acts on the window of a {@link TitledProgram}, by places on the screen: nobody tells what is there. */
export function titledActs(
  { hasNoPopups }: Pick<TitledProgram, 'hasNoPopups'>,
  desktop: LinuxDesktop,
  lease: InputLease,
  window: DesktopWindow,
): SeatActs {
  const told = async (): Promise<Told> => {
    const title = (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.title ?? '';
    const { groups = {} } = TITLE.exec(title) ?? {};
    const number = (name: string): number => Number(groups[name] ?? 0);
    return {
      clicks: number('clicks'),
      doubles: number('doubles'),
      menus: number('menus'),
      picks: number('picks'),
      moves: number('moves'),
      top: groups['top'] ?? '',
      at: { x: number('x'), y: number('y') },
      list: { x: number('listX'), y: number('listY') },
      text: groups['text'] ?? '',
    };
  };
  const { x, y, width, height } = window.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (right: number, down: number): Point => ({
    x: Math.round(x + width * right),
    y: Math.round(y + height * down),
  });
  const firstLine = async (): Promise<void> => {
    await lease.press(parseKeyCombination('Control+Home'), CALL);
  };
  const click = async (point: Point, count = 1): Promise<void> => {
    await lease.moveTo(point, CALL);
    await lease.click('left', count, { ...CALL, onto: await lease.under(CALL) });
  };
  let before: Told | undefined;
  const note = async (): Promise<void> => {
    before = await told();
  };
  const type = (text: string): Promise<void> =>
    lease.type(text, { ...CALL, delayMs: 0, check: async () => undefined, into: window.id });
  const press = (keys: string): Promise<void> => lease.press(parseKeyCombination(keys), CALL);
  const acts: readonly SeatAct[] = [
    {
      use: 'hover',
      before: note,
      run: async (round) => {
        await lease.moveTo(at(0.3 + (round % 5) / 10, 0.45), CALL);
        return SENT;
      },
      arrived: () => soon(async () => (await told()).moves > (before?.moves ?? 0)),
    },
    {
      use: 'click',
      before: note,
      run: async (round) => {
        await click(at(0.2 + (round % 5) / 10, 0.45));
        return SENT;
      },
      arrived: () => soon(async () => (await told()).clicks === (before?.clicks ?? 0) + 1),
    },
    {
      use: 'keys',
      before: async () => {
        await press('Control+Home');
        await note();
      },
      run: async () => {
        await type(TYPED);
        return SENT;
      },
      arrived: () => soon(async () => isInserted(TYPED, before?.text ?? '', (await told()).text)),
    },
    {
      use: 'drag',
      before: async () => {
        await firstLine();
        await type(DRAGGED);
        await sleep(DOUBLE_CLICK_MS);
        // By now the title shows what was typed.
        await note();
      },
      run: async () => {
        const { at: corner } = await told();
        const from = { x: corner.x + LETTER.x, y: corner.y + LETTER.y };
        await lease.moveTo(from, CALL);
        await lease.buttonDown('left', CALL);
        await lease.moveTo({ x: from.x + 60, y: from.y }, { ...CALL, durationMs: 60 });
        await lease.moveTo(
          { x: Math.round(from.x + width * 0.6), y: from.y + 60 },
          { ...CALL, durationMs: 100 },
        );
        await lease.buttonUp('left', CALL);
        await press('Delete');
        return SENT;
      },
      arrived: () => soon(async () => isDeleted(DRAGGED, before?.text ?? '', (await told()).text)),
    },
    {
      use: 'double-click',
      before: note,
      run: async (round) => {
        await click(at(0.2 + (round % 5) / 10, 0.45), 2);
        return SENT;
      },
      arrived: () => soon(async () => (await told()).doubles === (before?.doubles ?? 0) + 1),
    },
    {
      use: 'wheel',
      before: note,
      run: async (round) => {
        await lease.moveTo(at(0.5, 0.4), CALL);
        await lease.wheel({ x: 0, y: notchesOf(round) }, CALL);
        return SENT;
      },
      arrived: (round) =>
        soon(async () => hasScrolled(notchesOf(round), before?.top ?? '', (await told()).top)),
    },
    {
      use: 'popup',
      before: note,
      run: async (round) => {
        if (round % 2 === 1) {
          await lease.moveTo(at(0.5, 0.4), CALL);
          await lease.click('right', 1, { ...CALL, onto: await lease.under(CALL) });
          return SENT;
        }
        const { list } = await told();
        await click(list);
        await sleep(LIST_MS);
        // In a circle: the first of the list comes after the last.
        await press(round % 6 === 4 ? 'Home' : 'ArrowDown');
        await press('Enter');
        return SENT;
      },
      arrived: (round) =>
        soon(async () => {
          const now = await told();
          return round % 2 === 1 ? now.menus > (before?.menus ?? 0) : now.picks === (before?.picks ?? 0) + 1;
        }),
      after: async () => {
        await press('Escape');
      },
    },
  ];
  const menu: ContextMenu = { at: async () => at(0.5, 0.4), opened: async () => (await told()).menus };
  return {
    ...(hasNoPopups ? {} : { menu }),
    acts: acts.filter(({ use }) => use !== 'popup' || hasNoPopups !== true),
    text: async () => (await told()).text,
  };
}

/** Down and up in turn: the text has an end. */
function notchesOf(round: number): number {
  return round % 2 === 0 ? 4 : -4;
}
