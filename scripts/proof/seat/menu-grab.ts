import { setTimeout as sleep } from 'node:timers/promises';
import { USERS } from '../../../src/platform/linux/display/x11/input/seat/device-requests.ts';
import { OwnDevices } from '../../../src/platform/linux/display/x11/input/seat/own-devices.ts';
import type { Point } from '../../../src/ports/input.ts';
import { ScriptedUser } from '../../../tests/linux/x11/scripted-user.ts';
import type { ProofRow } from '../row.ts';

const REPEATS = 10;
const RIGHT = 3;
/** From where a menu opens to a place beside it, in pixels. */
const BESIDE = { x: -40, y: -12 };
/** For a menu to open. */
const OPENS_MS = 4000;
/** Programs take devices before or after the menu shows. */
const TAKES_MS = 300;
/** A menu keeps what it takes; we ourselves freeze the keyboard for less than that. */
const KEEPS_MS = 900;
const CLOSES_MS = 300;
const LOOK_EVERY_MS = 20;

/** Where the application has a context menu, and whether its own record says that it opened. */
export interface ContextMenu {
  readonly at: () => Promise<Point>;
  /** How often it opened so far. */
  readonly opened: () => Promise<number>;
}

/**
 * Which of the user's devices a program takes for a menu that another pointer opened. Nothing is kept from the user here: what we keep from them hides such a grab
 * while it lasts, and how long the program takes until it grabs is not in our hands. The user has to rest.
 */
export async function menuGrab(
  row: string,
  menu: ContextMenu,
  environment: Readonly<Record<string, string>>,
  say: (text: string) => void,
): Promise<ProofRow> {
  const bare = await ScriptedUser.open(environment['DISPLAY'] ?? '', environment['XAUTHORITY']);
  const devices = await OwnDevices.create(bare.wire);
  const failures: string[] = [];
  let passes = 0;
  const counts = { 'keyboard taken': 0, 'pointer taken': 0 };
  try {
    for (let attempt = 1; attempt <= REPEATS; attempt++) {
      const before = await menu.opened();
      const { x, y } = await menu.at();
      await bare.moveTo(x, y);
      await bare.button(true, RIGHT);
      await bare.button(false, RIGHT);
      const hasOpened = await within(OPENS_MS, async () => (await menu.opened()) > before);
      await sleep(TAKES_MS);
      const [keyboard, pointer] = [await isTaken(bare, USERS.keyboard), await isTaken(bare, USERS.pointer)];
      if (keyboard) counts['keyboard taken']++;
      if (pointer) counts['pointer taken']++;
      if (hasOpened && !keyboard && !pointer) passes++;
      else
        failures.push(
          `#${attempt}: ${[...(hasOpened ? [] : ['no menu opened']), ...(keyboard ? ["the user's keyboard was taken"] : []), ...(pointer ? ["the user's pointer was taken"] : [])].join('; ')}`,
        );
      // A press beside a menu closes it.
      await bare.moveTo(x + BESIDE.x, y + BESIDE.y);
      await bare.button(true);
      await bare.button(false);
      await sleep(CLOSES_MS);
      if (keyboard || pointer) break;
    }
  } finally {
    await devices.remove().catch(() => undefined);
    bare.close();
  }
  const repeats = passes + failures.length;
  say(`${row}: ${passes} of ${repeats}${failures[0] === undefined ? '' : `; ${failures[0]}`}`);
  return { row, repeats, passes, counts, ...(failures.length === 0 ? {} : { failures }) };
}

/** Another program has it all the time: nobody else can grab it. */
async function isTaken(bare: ScriptedUser, device: number): Promise<boolean> {
  return !(await within(KEEPS_MS, async () => {
    const isOurs = await bare.requests.freeze(device);
    if (isOurs) await bare.requests.thaw(device);
    return isOurs;
  }));
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
