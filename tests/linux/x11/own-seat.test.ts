import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseKey, parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { USERS } from '../../../src/platform/linux/display/x11/input/seat/device-requests.ts';
import { SeatPlaces } from '../../../src/platform/linux/display/x11/input/seat/seat-places.ts';
import { removeStaleSeats } from '../../../src/platform/linux/display/x11/input/seat/stale-seats.ts';
import { REPLACE } from '../../../src/platform/linux/display/x11/properties.ts';
import { OWN_BITS } from '../../../src/platform/linux/display/x11/windows/point-content.ts';
import { windowIdOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { INPUT_ONLY } from '../../../src/platform/linux/display/x11/x11-library.ts';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import type { InputLease } from '../../../src/ports/input.ts';
import { InputProcesses } from './input-stage.ts';
import { ScriptedUser } from './scripted-user.ts';
import { openOpener, openTextWindow, type TextWindow } from './text-window.ts';
import { TestServer, sleep } from './x-server.ts';
import { until } from '../../until.ts';

const CALL = { deadlineMs: 5000 };
/** The predefined atom. */
const WINDOW = 33;
const CLICKS = 25;
/** Keysyms of Control, Alt, Shift and Escape. */
const HOT_KEY = [0xffe3, 0xffe9, 0xffe1, 0xff1b];
const ALT = 0xffe9;
/** No window is there. */
const NOWHERE = { x: 1270, y: 700 };
/** After that, a press is no reason for an activation. */
const CHOICE_MS = 1100;
/** For the focus to be given back. */
const PASSED_MS = 100;
/** Longer than anybody waits to freeze the keyboard. */
const MENU_MS = 1400;
/** More often than a window that insists has to give the focus back. */
const TAKES = 5;
/** For a window manager that would react, which it does within a few milliseconds. */
const SETTLED_MS = 300;
/** None and PointerRoot, which are no windows. */
const LAST_SPECIAL_FOCUS = 1;

let server: TestServer;
let user: ScriptedUser;
let mine: TextWindow;
let theirs: TextWindow;
let processes: InputProcesses;
/** Of tests that do not end it. */
let controlled: X11Controls;
const open: X11Controls[] = [];

beforeAll(async () => {
  server = await TestServer.start();
  [user, processes] = await Promise.all([ScriptedUser.open(server.display), InputProcesses.build()]);
  [theirs, mine] = await Promise.all([
    openTextWindow(server, 'of-the-user', { x: 700, y: 50 }),
    openTextWindow(server, 'of-the-agent', { x: 100, y: 400 }),
  ]);
  controlled = newControls();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((controls) => controls.close()));
});

afterAll(async () => {
  await controlled.close();
  user.close();
  processes.stop();
  server.stop();
});

function newControls(): X11Controls {
  return new X11Controls((options) => X11Wire.connect(server.display, options));
}

/** Closed after the test. */
function controls(): X11Controls {
  const made = newControls();
  open.push(made);
  return made;
}

/** The user's window is active, and their pointer is in it. */
async function userWorks(): Promise<void> {
  await user.moveTo(theirs.point.x, theirs.point.y);
  await user.activate(theirs.id);
  await until(async () => {
    const { active, focus } = await user.place();
    // GTK passes the focus on to a window inside its own.
    return active === theirs.id && focus > theirs.id && focus >>> OWN_BITS === theirs.id >>> OWN_BITS;
  }, "the user's window");
}

/** Which program has the user's focus, not which of its windows: GTK passes the focus on to a window inside its own, at a time of its own. */
async function whereUserIs() {
  const { focus, ...place } = await user.place();
  return { ...place, program: focus >>> OWN_BITS };
}

/** Their keys go where they went, at once. Which window is active may be told a moment later: the window manager takes our keyboard for theirs. */
async function userIsStill(before: Awaited<ReturnType<typeof whereUserIs>>): Promise<void> {
  expect({ ...(await whereUserIs()), active: before.active }).toEqual(before);
  await until(async () => (await user.place()).active === before.active, "the user's window");
}

async function seats(): Promise<string[]> {
  const names = (await user.requests.masters()).map(({ name }) => name);
  return names.filter((name) => name.startsWith('Deskterity'));
}

/** For the duration of the test, even if it fails. */
async function take({ ownSeat }: X11Controls): Promise<InputLease> {
  const lease = await ownSeat.input.take('agent', CALL);
  onTestFinished(() => lease.endLease().catch(() => undefined));
  return lease;
}

async function clickAt(point: { readonly x: number; readonly y: number }, on: X11Controls): Promise<void> {
  const lease = await take(on);
  await lease.moveTo(point, CALL);
  await lease.click('left', 1, CALL);
  await lease.endLease();
}

async function typeIn(controlled: X11Controls, lease: InputLease, text: string): Promise<void> {
  const id = windowIdOf(mine.id);
  await controlled.ownSeat.focus(id, CALL);
  await lease.type(text, { ...CALL, delayMs: 0, check: async () => undefined, into: id });
}

describe('a seat of our own', () => {
  it('is listed by name, and is gone when it is closed', async () => {
    const controlled = controls();
    expect(await seats()).toEqual([]);
    await (await controlled.ownSeat.input.take('agent', CALL)).endLease();
    const [pointer = '', keyboard = ''] = await seats();
    expect(pointer).toMatch(/^Deskterity \([0-9a-f]+\) pointer$/);
    expect(keyboard).toBe(pointer.replace('pointer', 'keyboard'));
    await controlled.close();
    expect(await seats()).toEqual([]);
  });

  it('clicks and types beside a user who types without pause', async () => {
    await userWorks();
    const before = await whereUserIs();
    const [mineBefore, theirsBefore] = [mine.text(), theirs.text()];
    let isOver = false;
    // Also if it fails: the next tests have a user of their own.
    onTestFinished(() => {
      isOver = true;
    });
    const typing = user.typeUntil(() => isOver);
    const lease = await take(controlled);
    for (let click = 0; click < CLICKS; click++) {
      await lease.moveTo({ x: mine.point.x + (click % 5) * 12, y: mine.point.y }, CALL);
      await lease.click('left', 1, { ...CALL, onto: await lease.under(CALL) });
      await userIsStill(before);
      await typeIn(controlled, lease, 'ab');
    }
    isOver = true;
    const typed = await typing;
    // What a key missed shows in the difference, also if it never comes.
    await expect.poll(() => theirs.text(), { timeout: 30_000 }).toBe(theirsBefore + typed);
    await until(() => mine.text().length >= mineBefore.length + 2 * CLICKS, 'the text of the agent');
    expect(typed.length).toBeGreaterThan(CLICKS);
    expect(Array.from(mine.text()).toSorted().join('')).toBe(`${'a'.repeat(CLICKS)}${'b'.repeat(CLICKS)}`);
    await lease.endLease();
  });

  it('double-clicks and opens a context menu', async () => {
    await userWorks();
    const before = await whereUserIs();
    const lease = await take(controlled);
    await lease.moveTo(mine.point, CALL);
    await lease.click('left', 2, CALL);
    await userIsStill(before);
    const shown = server.run('xwininfo', '-root', '-tree').split('\n').length;
    await lease.click('right', 1, CALL);
    await until(() => server.run('xwininfo', '-root', '-tree').split('\n').length > shown, 'the menu');
    await userIsStill(before);
    await lease.press(parseKeyCombination('Escape'), CALL);
    await lease.endLease();
    await userIsStill(before);
    expect((await user.place()).active).toBe(theirs.id);
  });

  it('drags over text, holds a key down and turns the wheel beside a user who types', async () => {
    await userWorks();
    const before = await whereUserIs();
    const theirsBefore = theirs.text();
    const lease = await take(controlled);
    await typeIn(controlled, lease, 'one two');
    await until(() => mine.text().endsWith('one two'), 'the text');
    await lease.press(parseKeyCombination('Control+a'), CALL);
    await typeIn(controlled, lease, 'one two');
    await until(() => mine.text() === 'one two', 'only the text');
    let isOver = false;
    // Also if it fails: the next tests have a user of their own.
    onTestFinished(() => {
      isOver = true;
    });
    const typing = user.typeUntil(() => isOver);
    // From the end of the line to its beginning.
    const line = { x: mine.point.x - 198, y: mine.point.y - 88 };
    await lease.moveTo({ ...line, x: line.x + 300 }, CALL);
    await lease.buttonDown('left', CALL);
    await lease.moveTo(line, { ...CALL, durationMs: 200 });
    expect(lease.held).toEqual(['left button']);
    await lease.buttonUp('left', CALL);
    await lease.press(parseKeyCombination('x'), CALL);
    await until(() => mine.text() === 'x', 'the selection replaced');
    await typeIn(controlled, lease, 'abc');
    await lease.keyDown(parseKey('Shift'), CALL);
    await lease.press(parseKeyCombination('ArrowLeft'), CALL);
    await lease.press(parseKeyCombination('ArrowLeft'), CALL);
    expect((await whereUserIs()).keyMask).toBe(before.keyMask);
    await lease.keyUp(parseKey('Shift'), CALL);
    await lease.press(parseKeyCombination('Delete'), CALL);
    await until(() => mine.text() === 'xa', 'the text deleted that Shift marked');
    await lease.moveTo(mine.point, CALL);
    await lease.wheel({ x: 0, y: 3 }, CALL);
    isOver = true;
    const typed = await typing;
    await until(() => theirs.text().length >= theirsBefore.length + typed.length, "the user's text");
    expect(theirs.text()).toBe(theirsBefore + typed);
    await userIsStill(before);
    await lease.press(parseKeyCombination('Control+a'), CALL);
    await lease.press(parseKeyCombination('Delete'), CALL);
    await lease.endLease();
    await until(() => mine.text() === '', 'no text');
  });

  it('leaves the focus to the user when an act opens a dialog', async () => {
    const button = await openOpener(server, 'opener', { x: 900, y: 500 });
    await userWorks();
    const before = await whereUserIs();
    const controlled = controls();
    const lease = await take(controlled);
    await lease.moveTo(button, CALL);
    await lease.click('left', 1, CALL);
    await until(() => server.run('wmctrl', '-l').includes('opened by opener'), 'the dialog');
    const dialog = server.run('xdotool', 'search', '--name', '^opened by opener$').split('\n').map(Number);
    await until(async () => {
      const receivers = await controlled.ownSeat.receivers(CALL);
      return dialog.some((id) => receivers.has(windowIdOf(id)));
    }, 'our keyboard in the dialog');
    await sleep(SETTLED_MS);
    expect(await whereUserIs()).toEqual(before);
  });

  it('leaves the focus to the user when a dialog opens after its window took the focus several times', async () => {
    const button = await openOpener(server, 'insistent', { x: 900, y: 650, delayMs: 'asked' });
    await userWorks();
    const before = await whereUserIs();
    await sleep(CHOICE_MS);
    await clickAt(button, controls());
    for (let take = 0; take < TAKES; take++) {
      await user.activate(button.id);
      await sleep(PASSED_MS);
    }
    await user.activate(theirs.id);
    // Not by a timer: it has to come in the two seconds after the click, and after what is above.
    process.kill(button.pid, 'SIGUSR1');
    await until(() => server.run('wmctrl', '-l').includes('opened by insistent'), 'the dialog');
    await sleep(SETTLED_MS);
    expect(await whereUserIs()).toEqual(before);
  });

  it('leaves the focus to a user who has a menu open when an act opens a dialog', async () => {
    const button = await openOpener(server, 'late-opener', { x: 900, y: 350 });
    await userWorks();
    const before = await whereUserIs();
    await clickAt(button, controls());
    await until(() => user.requests.freeze(USERS.keyboard), 'their menu');
    try {
      await until(() => server.run('wmctrl', '-l').includes('opened by late-opener'), 'the dialog');
      await sleep(MENU_MS);
    } finally {
      await user.requests.thaw(USERS.keyboard);
    }
    await sleep(SETTLED_MS);
    expect(await whereUserIs()).toEqual(before);
  });

  it('leaves the focus to the user when a window closes in which our keyboard is', async () => {
    const closing = await openTextWindow(server, 'soon-closed', { x: 100, y: 50 });
    await userWorks();
    const before = await whereUserIs();
    const controlled = controls();
    await clickAt(closing.point, controlled);
    await user.closeWindow(closing.id);
    await until(() => !server.run('wmctrl', '-l').includes('soon-closed'), 'the window to close');
    // The window manager focuses another window a moment later.
    await sleep(SETTLED_MS);
    expect(await whereUserIs()).toEqual(before);
  });

  it('knows the place of the user by the active window, and by what is inside it', async () => {
    await userWorks();
    const { active, focus } = await user.place();
    const places = new SeatPlaces(user.wire, user.requests);
    expect(await places.isAt({ active, focus: theirs.id })).toBe(true);
    expect(await places.isAt({ active: mine.id, focus })).toBe(false);
    expect(await places.focusOf({ active, focus })).toBe(focus);
    // Of another window, and of one that is gone.
    for (const stale of [mine.id, 0x1ff_fff0])
      expect(await places.focusOf({ active, focus: stale })).toBe(theirs.id);
  });

  it('leaves it to the window manager where the user goes when a window closes in which both are', async () => {
    const shared = await openTextWindow(server, 'of-both', { x: 100, y: 50 });
    await user.activate(shared.id);
    await until(async () => (await user.place()).active === shared.id, 'the window of both');
    const controlled = controls();
    await clickAt(shared.point, controlled);
    // No window is active for a moment when our keyboard comes, which is no reason for it to leave.
    await sleep(SETTLED_MS);
    expect(await controlled.ownSeat.receivers(CALL)).toContain(windowIdOf(shared.id));
    await user.closeWindow(shared.id);
    await until(() => !server.run('wmctrl', '-l').includes('of-both'), 'the window to close');
    await until(async () => (await user.place()).active !== shared.id, 'another window');
    await sleep(SETTLED_MS);
    const { active, focus } = await user.place();
    expect([mine.id, theirs.id]).toContain(active);
    expect(focus).toBeGreaterThan(LAST_SPECIAL_FOCUS);
  });

  it('lets the window manager give the user another window when theirs closes while our keyboard is in one', async () => {
    const closing = await openTextWindow(server, 'of-the-user-closed', { x: 100, y: 50 });
    await user.activate(closing.id);
    await until(async () => (await user.place()).active === closing.id, 'the window of the user');
    await clickAt(mine.point, controls());
    // The window manager takes our keyboard for the user's for a moment.
    await until(async () => (await user.place()).active === closing.id, 'the window of the user again');
    await user.closeWindow(closing.id);
    await until(async () => {
      const { active, focus } = await user.place();
      // GTK passes the focus on to a window inside its own.
      return [mine, theirs].some(({ id }) => active === id && focus >>> OWN_BITS === id >>> OWN_BITS);
    }, 'another window with their focus');
    expect((await user.place()).active).not.toBe(closing.id);
  });

  it('leaves the focus to the user when it is removed', async () => {
    await userWorks();
    const before = await whereUserIs();
    const controlled = controls();
    await clickAt(mine.point, controlled);
    await controlled.close();
    await sleep(SETTLED_MS);
    expect(await whereUserIs()).toEqual(before);
  });

  it('types characters that the layout lacks', async () => {
    await userWorks();
    const before = await whereUserIs();
    const lease = await take(controlled);
    await controlled.ownSeat.focus(windowIdOf(mine.id), CALL);
    await lease.press(parseKeyCombination('Control+a'), CALL);
    await typeIn(controlled, lease, 'Zażółć Ω 😀');
    await until(() => mine.text().endsWith('😀'), 'the text');
    expect(mine.text()).toBe('Zażółć Ω 😀');
    await userIsStill(before);
    await lease.press(parseKeyCombination('Control+a'), CALL);
    await lease.press(parseKeyCombination('Delete'), CALL);
    await lease.endLease();
    await until(() => mine.text() === '', 'no text');
  });

  it('waits for the user in the window in which both work', async () => {
    await userWorks();
    const lease = await take(controlled);
    await lease.moveTo(theirs.point, CALL);
    await user.press('1');
    const [place, text] = [await whereUserIs(), theirs.text()];
    const clicking = lease.click('left', 1, { deadlineMs: 200 });
    await expect(clicking).rejects.toMatchObject({ code: 'CONFLICT', delivered: false });
    await lease.click('left', 1, CALL);
    await userIsStill(place);
    expect(theirs.text().startsWith(text)).toBe(true);
    await lease.endLease();
  });

  it('clicks nothing while another program has the keyboard of the user', async () => {
    await userWorks();
    const lease = await take(controlled);
    await lease.moveTo(mine.point, CALL);
    const before = await whereUserIs();
    expect(await user.requests.freeze(USERS.keyboard)).toBe(true);
    try {
      const clicking = lease.click('left', 1, { deadlineMs: 200 });
      await expect(clicking).rejects.toMatchObject({
        code: 'CONFLICT',
        delivered: false,
        message: expect.stringContaining('menu'),
      });
    } catch (error) {
      await user.requests.thaw(USERS.keyboard);
      throw error;
    }
    const waiting = lease.click('left', 1, CALL);
    await user.requests.thaw(USERS.keyboard);
    await waiting;
    await userIsStill(before);
    await lease.endLease();
  });

  it('is not taken for the user, nor the user for it', async () => {
    await userWorks();
    const seen: string[] = [];
    const stop = await controlled.input.watchUser((who) => void seen.push(who), CALL);
    const lease = await take(controlled);
    await typeIn(controlled, lease, 'xy');
    await until(() => mine.text().endsWith('xy'), 'the text');
    expect(seen).toEqual([]);
    await user.press('1');
    await until(() => seen.length > 0, "the user's key");
    stop();
    await lease.endLease();
  });

  it('ends with a stop', async () => {
    const lease = await take(controlled);
    await controlled.stopSwitch.stop('a test', CALL);
    await expect(lease.moveTo(mine.point, CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
    await controlled.stopSwitch.resume(CALL);
  });

  it('ends with the hot-key of the user, and its own keyboard never presses it', async () => {
    expect(await controlled.stopSwitch.hotKey(CALL)).toBe('Ctrl+Alt+Shift+Escape');
    await userWorks();
    const lease = await take(controlled);
    const before = mine.text();
    await expect(lease.press(parseKeyCombination('ctrl+alt+shift+Escape'), CALL)).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
    });
    expect(await controlled.stopSwitch.state(CALL)).toEqual({ stopped: false });
    await lease.keyDown(parseKey('Shift'), CALL);
    const told = new Promise((resolve) => controlled.stopSwitch.onStop(resolve));
    await user.pressTogether(HOT_KEY);
    expect(await told).toMatchObject({ stopped: true, by: 'the hot-key' });
    await expect(typeIn(controlled, lease, 'never')).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(mine.text()).toBe(before);
    await controlled.stopSwitch.resume(CALL);
    // Shift was released: what is typed next is not in capitals.
    const again = await take(controlled);
    await typeIn(controlled, again, 'ab');
    await until(() => mine.text() === `${before}ab`, 'the text');
    await again.endLease();
  });

  it('does not go on with the devices of the user when somebody removes it', async () => {
    await userWorks();
    const lease = await take(controlled);
    await lease.moveTo(mine.point, CALL);
    const before = await whereUserIs();
    const pointer = (await user.requests.masters()).find(({ name }) => /^Deskterity .* pointer$/.test(name));
    await user.requests.removeMaster(pointer?.deviceId ?? 0);
    await expect(lease.click('left', 1, CALL)).rejects.toBeDefined();
    await until(
      () =>
        lease.moveTo({ x: 5, y: 5 }, CALL).then(
          () => false,
          () => true,
        ),
      'the end of the lease',
    );
    expect((await whereUserIs()).active).toBe(before.active);
    // A new one is made.
    const again = await controlled.ownSeat.input.take('agent', CALL);
    await again.moveTo(mine.point, CALL);
    await again.endLease();
    expect(await seats()).toHaveLength(2);
    await controlled.close();
    expect(await seats()).toEqual([]);
  });

  it('leaves the focus where the user takes it, though our pointer was there before it went elsewhere', async () => {
    const passed = await openTextWindow(server, 'passed', { x: 480, y: 260 });
    const clicked = await openTextWindow(server, 'clicked', { x: 100, y: 50 });
    await userWorks();
    const lease = await take(controls());
    await lease.moveTo(passed.point, CALL);
    await lease.moveTo(clicked.point, CALL);
    await lease.click('left', 1, CALL);
    await sleep(SETTLED_MS);
    await user.activate(passed.id);
    await until(async () => (await user.place()).active === passed.id, 'the window of their choice');
    await sleep(SETTLED_MS);
    expect((await user.place()).active).toBe(passed.id);
  });
});

describe('a user who activates the window that was just acted on', () => {
  const chooses: readonly (readonly [string, () => Promise<void>])[] = [
    // The window manager of the test has Alt+Tab for itself, and what it chooses is not known here.
    ['with Alt', () => user.pressTogether([ALT])],
    [
      'by a press outside the window in which they work',
      async () => {
        await user.moveTo(NOWHERE.x, NOWHERE.y);
        await user.button(true);
        await user.button(false);
      },
    ],
  ];

  it.each(chooses)('is not pulled back: %s', async (_how, choose) => {
    await userWorks();
    await clickAt(mine.point, controls());
    await choose();
    // As a window manager or a taskbar does then.
    await user.activate(mine.id);
    await until(async () => (await user.place()).active === mine.id, 'the window of their choice');
    await sleep(SETTLED_MS);
    expect((await user.place()).active).toBe(mine.id);
  });

  it('is pulled back if no press of theirs asks for it', async () => {
    await userWorks();
    await sleep(CHOICE_MS);
    await clickAt(mine.point, controls());
    await user.press('1');
    await user.activate(mine.id);
    // It is theirs before that, too.
    await sleep(SETTLED_MS);
    await until(async () => (await user.place()).active === theirs.id, 'their window again');
    expect((await user.place()).active).toBe(theirs.id);
  });
});

describe('where the window manager would crash if a seat was removed, as mutter does', () => {
  let other: TestServer;
  let watcher: ScriptedUser;

  beforeAll(async () => {
    other = await TestServer.start({ manager: false });
    watcher = await ScriptedUser.open(other.display);
    const { wire } = watcher;
    const manager = wire.allocateId();
    await wire.call('CreateWindow', manager, wire.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, { eventMask: 0 });
    const id = Buffer.alloc(4);
    id.writeUInt32LE(manager);
    const check = wire.atom('_NET_SUPPORTING_WM_CHECK');
    for (const window of [manager, wire.root])
      await wire.call('ChangeProperty', REPLACE, window, check, WINDOW, 32, id);
    const [name, text] = [wire.atom('_NET_WM_NAME'), wire.atom('UTF8_STRING')];
    await wire.call('ChangeProperty', REPLACE, manager, name, text, 8, Buffer.from('Mutter (Muffin)'));
  });
  afterAll(() => {
    watcher.close();
    other.stop();
  });

  const onOther = (): X11Controls => new X11Controls((options) => X11Wire.connect(other.display, options));
  const devices = async (): Promise<string[]> =>
    (await watcher.requests.masters()).map(({ deviceId, name }) => `${deviceId} ${name}`).toSorted();

  it('stays for the next process, which takes it over with what it holds', async () => {
    const first = onOther();
    const lease = await first.ownSeat.input.take('agent', CALL);
    await lease.moveTo({ x: 300, y: 200 }, CALL);
    await lease.endLease();
    await first.close();
    const made = await devices();
    expect(made.filter((name) => name.includes('Deskterity'))).toHaveLength(2);

    const killed = processes.start(other.display, 'seat');
    await killed.says('holding');
    expect(await devices()).toEqual(made);
    // A second one beside it needs its own.
    const beside = onOther();
    await beside.ownSeat.keepingFocus(async () => undefined, CALL);
    await beside.close();
    expect(await devices()).toHaveLength(made.length + 2);
    await killed.signal('SIGKILL');
    await removeStaleSeats(watcher.wire, 2000);
    expect(await devices()).toHaveLength(made.length + 2);

    const text = await openTextWindow(other, 'text', { x: 100, y: 100 });
    const next = onOther();
    const again = await next.ownSeat.input.take('agent', CALL);
    await next.ownSeat.focus(windowIdOf(text.id), CALL);
    const into = windowIdOf(text.id);
    await again.type('ab', { ...CALL, delayMs: 0, check: async () => undefined, into });
    // In no capitals: Shift is up.
    await until(() => text.text() === 'ab', 'the text');
    await again.endLease();
    await next.close();
    expect(await devices()).toHaveLength(made.length + 2);
  });
});

describe('a seat whose process was killed', () => {
  it('is removed by the next process', async () => {
    const process = processes.start(server.display, 'seat');
    await process.says('holding');
    expect(await seats()).toHaveLength(2);
    const other = await X11Wire.connect(server.display, CALL);
    // Its owner is there.
    await removeStaleSeats(other);
    expect(await seats()).toHaveLength(2);
    await process.signal('SIGKILL');
    await removeStaleSeats(other, 2000);
    other.close();
    expect(await seats()).toEqual([]);
  });

  it('is removed by the guard that outlives the process', async () => {
    const process = processes.start(server.display, 'seat-guarded');
    await process.says('holding');
    await process.signal('SIGKILL');
    await until(async () => (await seats()).length === 0, 'the guard');
    expect(await seats()).toEqual([]);
  });

  it('does not leave the keyboard of the user frozen', async () => {
    await userWorks();
    const dying = await ScriptedUser.open(server.display);
    expect(await dying.requests.freeze(USERS.keyboard)).toBe(true);
    const text = theirs.text();
    await user.press('7');
    dying.close();
    await until(() => theirs.text() !== text, 'the key');
    expect(theirs.text()).toBe(`${text}7`);
  });
});
