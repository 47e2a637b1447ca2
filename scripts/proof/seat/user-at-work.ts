import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesktopPort } from '../../../src/ports/desktop/desktop.ts';
import { SeatPlaces } from '../../../src/platform/linux/display/x11/input/seat/seat-places.ts';
import { windowOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { ScriptedUser } from '../../../tests/linux/x11/scripted-user.ts';
import { firstDifference } from './told-text.ts';
import { UserRecord } from './user-record.ts';
import { USER_WINDOW } from './user-window.ts';

const CALL = { deadlineMs: 5000 };
/** To the right of and below what fixtures show. */
const AT = { x: 1450, y: 780 };
const TITLE = 'of-the-user';
const START_MS = 15_000;
/** For a key that is being sent. */
const LAST_KEY_MS = 50;
/** A window on a busy machine takes seconds to write down what reached it. */
const LAG_MS = 8000;
/** A hand takes longer from the keyboard to the mouse. Keys that are kept for a moment would come after a press without it. */
const HAND_MS = 200;
const KEY_MS = 6;
/** Keys between two drags or menus. */
const KEYS_AT_ONCE = 60;
/** Their window passes its focus on inside after each click of theirs, and tells of a drag a moment later. */
const LOOKS = 6;
/** For a toolkit to pass the focus on. */
const PASSED_ON_MS = 100;
const STEPS = 10;
const MENU_MS = 20;
const MENU_LOOKS = 100;
const ESCAPE = 0xff1b;
const SHIFT = 0xffe1;

/** What of the user was not as they left it. */
export interface Disturbance {
  /** Keys of theirs that their window did not get, or got in another order, as a sentence. */
  readonly lost: string | undefined;
  /** Keys that are not theirs and that their window got. */
  readonly strays: number;
  readonly moved: readonly string[];
}

/**
 * A user who types without pause into a window of their own, and from time to time drags something there or opens a menu, beside whoever else works on
 * the display.
 */
export class UserAtWork {
  readonly #user: ScriptedUser;
  readonly #end: () => Promise<void>;
  readonly #record: UserRecord;
  readonly #window: number;
  readonly #places: SeatPlaces;
  #isOver = false;
  #work: Promise<void> = Promise.resolve();
  /** Since the text was last compared in full. */
  #typed = '';
  #from = 0;
  #keys = 0;
  #drags = 0;
  #menus = 0;
  #lostDrags = 0;
  #pointerTaken = 0;
  #pointer: readonly (readonly [number, number])[] = [];
  /** Wherever they moved it. */
  readonly #past = new Set<string>();
  #isPaused = false;

  private constructor(user: ScriptedUser, record: UserRecord, window: number, end: () => Promise<void>) {
    this.#user = user;
    this.#places = new SeatPlaces(user.wire, user.requests);
    this.#record = record;
    this.#window = window;
    this.#end = end;
  }

  static async begin(
    desktop: DesktopPort,
    environment: Readonly<Record<string, string>>,
    program = USER_WINDOW,
  ): Promise<UserAtWork> {
    const folder = await mkdtemp(join(tmpdir(), 'seat-user-'));
    const file = join(folder, 'text');
    const child = spawn('/usr/bin/python3', ['-c', program, TITLE, file, String(AT.x), String(AT.y)], {
      env: environment,
      stdio: 'ignore',
    });
    const end = async (): Promise<void> => {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const record = new UserRecord(file);
      const window = await shownWindow(desktop, record);
      const user = await ScriptedUser.open(environment['DISPLAY'] ?? '', environment['XAUTHORITY']);
      return new UserAtWork(user, record, window, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** What the user did so far. */
  get done() {
    return {
      keys: this.#keys,
      drags: this.#drags,
      'drags that their window saw': this.#record.count('release'),
      menus: this.#menus,
      'menus that opened': this.#record.count('show'),
      'pointer moved by others': this.#pointerTaken,
    };
  }

  /** Goes to the window, and works there until {@link close}. */
  async work(): Promise<void> {
    await this.#moveTo(this.#record.spots.text);
    await this.#user.activate(this.#window);
    const late = performance.now() + START_MS;
    for (;;) {
      const { active, focus } = await this.#user.place();
      // GTK passes the focus on to a window inside its own.
      if (active === this.#window && (await this.#places.isInside(focus, this.#window))) break;
      if (performance.now() > late) throw new Error('the window of the user does not get the focus');
      await sleep(20);
    }
    await sleep(PASSED_ON_MS);
    this.#work = this.#untilOver();
  }

  async disturbance(): Promise<Disturbance> {
    let moved: readonly string[] = [];
    for (let look = 0; look < LOOKS; look++) {
      moved = await this.#moved();
      if (moved.length === 0) break;
      await sleep(20);
    }
    const text = this.#text();
    const hasLostKeys = !this.#typed.startsWith(text);
    const lost = hasLostKeys ? firstDifference(this.#typed, text) : undefined;
    if (await this.#hasLostDrags()) moved = [...moved, 'a drag'];
    if (moved.length > 0) await this.#comeBack();
    else if (hasLostKeys) await this.#begin();
    return { lost, strays: text.replaceAll(/\d/g, '').length, moved };
  }

  /** As a person would who finds that their keys go elsewhere; what comes next is judged by itself. */
  async #comeBack(): Promise<void> {
    await this.#pause();
    await this.#moveTo(this.#record.spots.text);
    await this.#user.button(true);
    await this.#user.button(false);
    await this.#user.activate(this.#window);
    for (let look = 0; look < MENU_LOOKS && (await this.#moved()).length > 0; look++) await sleep(MENU_MS);
    await this.#begin();
  }

  async #moved(): Promise<readonly string[]> {
    const { active, focus, pointer, keyMask } = await this.#user.place();
    const [x = 0, y = 0] = pointer;
    return [
      ...(active === this.#window ? [] : ['active']),
      ...((await this.#places.isInside(focus, this.#window)) ? [] : ['focus']),
      ...(this.#pointer.some(([left, top]) => left === x && top === y) ? [] : ['pointer']),
      // Only modifiers: the user may be dragging.
      ...((keyMask & 0xff) === 0 ? [] : ['modifiers']),
    ];
  }

  /** Since it was last asked. Their window may be slow to say what it saw. */
  async #hasLostDrags(): Promise<boolean> {
    const wanted = this.#drags - this.#lostDrags;
    if (await withinLag(() => this.#record.count('release') >= wanted)) return false;
    this.#lostDrags = this.#drags - this.#record.count('release');
    return true;
  }

  /** Whether all that the user typed is there, to the last key, and all that they dragged and opened. */
  async isExact(): Promise<boolean> {
    this.#isPaused = true;
    return withinLag(
      () =>
        this.#text() === this.#typed &&
        this.#record.count('release') === this.#drags &&
        this.#record.count('show') === this.#menus,
    );
  }

  /** Ends the work; their window stays. */
  async rest(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    this.#user.close();
    await this.#end();
  }

  #text(): string {
    return this.#record.text.slice(this.#from);
  }

  async #pause(): Promise<void> {
    this.#isPaused = true;
    await sleep(LAST_KEY_MS);
    // It comes after all keys that went there.
    const before = this.#record.count('shift');
    await this.#user.pressKeysym(SHIFT);
    await withinLag(() => this.#record.count('shift') > before);
  }

  /** Compares from here on. */
  async #begin(): Promise<void> {
    await this.#pause();
    this.#from += this.#text().length;
    this.#typed = '';
    this.#isPaused = false;
  }

  async #untilOver(): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      for (let key = 0; key < KEYS_AT_ONCE && !this.#isOver; key++) {
        await sleep(KEY_MS);
        if (this.#isPaused) continue;
        const digit = String(this.#keys++ % 10);
        this.#typed += digit;
        await this.#user.press(digit);
      }
      await sleep(HAND_MS);
      if (this.#isOver || this.#isPaused) continue;
      await (round % 5 === 4 ? this.#openMenu() : this.#drag());
    }
  }

  async #drag(): Promise<void> {
    const [x, y] = this.#record.spots.area;
    await this.#moveTo([x - 60, y]);
    await this.#user.button(true);
    for (let step = 1; step <= STEPS; step++) {
      await sleep(KEY_MS);
      await this.#moveTo([x - 60 + step * 10, y + (step % 3)]);
    }
    await this.#user.button(false);
    this.#drags++;
  }

  async #openMenu(): Promise<void> {
    await this.#moveTo(this.#record.spots.menu);
    await this.#user.button(true);
    await this.#user.button(false);
    // They look before they go on.
    for (let look = 0; look < MENU_LOOKS && !this.#record.isMenuOpen; look++) await sleep(MENU_MS);
    await sleep(MENU_MS);
    await this.#user.pressKeysym(ESCAPE);
    for (let look = 0; look < MENU_LOOKS && this.#record.isMenuOpen; look++) await sleep(MENU_MS);
    this.#menus++;
  }

  async #moveTo(spot: readonly [number, number]): Promise<void> {
    const [x, y] = spot;
    const [last] = this.#pointer;
    if (last !== undefined) {
      const { pointer } = await this.#user.place();
      // A window manager that is busy with a press keeps the pointer where it was for a while.
      if (!this.#past.has(pointer.join())) this.#pointerTaken++;
    }
    // Whoever looks meanwhile may see either.
    this.#past.add(spot.join());
    this.#pointer = last === undefined ? [spot] : [spot, last];
    await this.#user.moveTo(x, y);
  }
}

/** Waits for the window of the user, and for what it tells of where things are in it. */
async function shownWindow(desktop: DesktopPort, record: UserRecord): Promise<number> {
  const late = performance.now() + START_MS;
  for (;;) {
    const windows = await desktop.listWindows(CALL);
    const own = windows.find(({ title, id }) => title === TITLE && id.startsWith('x11:'));
    if (own !== undefined && record.hasPlaces) return windowOf(own.id);
    if (performance.now() > late) throw new Error('the window of the user does not show');
    await sleep(50);
  }
}

async function withinLag(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + LAG_MS;
  while (!isSo()) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}
