import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { until } from '../../until.ts';
import { Framebuffer } from './framebuffer.ts';
import { InputProcesses } from './input-stage.ts';
import { ScriptedUser } from './scripted-user.ts';
import { openOpener, openTextWindow, type TextWindow } from './text-window.ts';
import { TestServer } from './x-server.ts';

const CALL = { deadlineMs: 5000 };
const [WIDTH, HEIGHT] = [1280, 800];
const SCREEN = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
/** What the name is written on. */
const RED = 0xb0_0020;
/** Most of what a short name is written on; the arrow alone has less. */
const NAMED = 600;
const CORNER = { x: WIDTH - 4, y: HEIGHT - 4 };

let server: TestServer;
let eyes: Framebuffer;
let user: ScriptedUser;
let text: TextWindow;
let processes: InputProcesses;

beforeAll(async () => {
  server = await TestServer.start({ framebuffer: true, screen: `${WIDTH}x${HEIGHT}x24` });
  eyes = new Framebuffer(server);
  [user, processes] = await Promise.all([ScriptedUser.open(server.display), InputProcesses.build()]);
  text = await openTextWindow(server, 'of-the-agent', { x: 100, y: 400 });
});

afterAll(() => {
  user.close();
  processes.stop();
  server.stop();
});

/** Closed after the test. */
function controls(): X11Controls {
  const made = new X11Controls((options) => X11Wire.connect(server.display, options));
  onTestFinished(() => made.close());
  return made;
}

function onScreen(): number {
  return eyes.count(RED, SCREEN);
}

/** Not only for a moment: the server takes the pointer away while it draws what is under it. */
async function isGone(): Promise<boolean> {
  for (let look = 0; look < 5; look++) {
    if (onScreen() > 0) return false;
    await sleep(50);
  }
  return true;
}

/** What is below and to the right of a point. */
function beside({ x, y }: { readonly x: number; readonly y: number }): number {
  return eyes.count(RED, { x, y, width: 220, height: 40 });
}

describe('the name of a seat', () => {
  it('is beside the pointer that acts, wherever it goes, and not in pictures of the screen', async () => {
    const lease = await controls().ownSeat.input.take('writer (3)', CALL);
    // In a window of GTK, which gives each pointer a cursor; over the desktop; at the edge of the screen.
    const [middle, desktop] = [text.point, { x: 700, y: 100 }];
    await lease.moveTo(middle, CALL);
    await lease.click('left', 1, CALL);
    await until(() => beside(middle) > NAMED, 'the name in the window');
    await lease.type('a', { ...CALL, delayMs: 0, check: async () => undefined });
    await until(() => beside(middle) > NAMED, 'the name while GTK hides its pointer');
    await lease.moveTo(desktop, CALL);
    await until(() => beside(desktop) > NAMED && onScreen() === beside(desktop), 'the name over the desktop');
    const { data } = await user.wire.call('GetImage', 2, user.wire.root, 0, 0, WIDTH, HEIGHT, 0xff_ffff);
    const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, index) => data.readUIntLE(index * 4, 3));
    expect(pixels.filter((pixel) => pixel === RED)).toEqual([]);
    await lease.moveTo(CORNER, CALL);
    await until(() => onScreen() > NAMED, 'the name in the corner');
    await lease.endLease();
  });

  it('is that of the session, and does not concern the pointer of the user', async () => {
    const lease = await controls().ownSeat.input.take('writer (3)', CALL);
    await user.moveTo(text.point.x, text.point.y);
    await lease.moveTo(text.point, CALL);
    await until(() => onScreen() > NAMED, 'the name');
    const pointer = (await user.requests.masters()).find(({ name }) => /^Deskterity .* pointer$/.test(name));
    const other = await ScriptedUser.open(server.display);
    onTestFinished(() => other.close());
    await other.requests.setClientPointer(pointer?.deviceId ?? 0);
    await until(async () => (await cursorName(other)) === 'Deskterity: writer', 'the name of the cursor');
    expect(await cursorName(user)).not.toContain('Deskterity');
    await lease.endLease();
  });

  it('lets the clicks of the user through, and goes a while after the last act', async () => {
    const button = await openOpener(server, 'below', { x: 700, y: 300 });
    const lease = await controls().ownSeat.input.take('writer', CALL);
    const at = { x: button.x - 40, y: button.y - 30 };
    await lease.moveTo(at, CALL);
    await lease.endLease();
    await until(() => beside(at) > NAMED, 'the name over the button');
    await user.moveTo(button.x, button.y);
    await user.button(true);
    await user.button(false);
    await until(() => server.run('wmctrl', '-l').includes('opened by below'), 'what their click opens');
    await until(isGone, 'the end of the name');
    expect(onScreen()).toBe(0);
  });

  it('goes with the seat', async () => {
    const controlled = controls();
    const lease = await controlled.ownSeat.input.take('writer', CALL);
    await lease.moveTo({ x: 700, y: 100 }, CALL);
    await until(() => onScreen() > NAMED, 'the name');
    await controlled.close();
    expect(onScreen()).toBe(0);
  });

  it('goes with a process that is killed', async () => {
    const killed = processes.start(server.display, 'seat-guarded');
    await killed.says('holding');
    await until(() => onScreen() > NAMED, 'the name');
    await killed.signal('SIGKILL');
    await until(isGone, 'the end of the name');
    expect((await user.requests.masters()).map(({ name }) => name).join()).not.toContain('Deskterity');
  });
});

/** Of what the pointer of a connection shows. */
async function cursorName({ wire }: ScriptedUser): Promise<string> {
  const fixes = await wire.extension('fixes');
  const { cursorName } = await wire.request<{ readonly cursorName: string }>((_client, done) => {
    fixes?.GetCursorImageAndName(done);
  });
  return cursorName;
}
