import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseKey, parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { X11Controls } from '../../../src/platform/linux/display/x11/x11-display.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { inputContract } from '../../contract/input-contract.ts';
import { InputDisplay } from './input-display.ts';
import { InputProcesses } from './input-stage.ts';
import { sleep, TestServer } from './x-server.ts';
import { until } from '../../until.ts';

inputContract('X11', async () => {
  const server = await TestServer.start();
  const display = await InputDisplay.open(server.display);
  const controls = new X11Controls((options) => X11Wire.connect(server.display, options));
  return {
    input: controls.input,
    stopSwitch: controls.stopSwitch,
    held: () => display.held(),
    useHands: async () => {
      server.run('xdotool', 'key', 'F8');
    },
    sleep,
    now: () => performance.now(),
    stop: async () => {
      await controls.close();
      display.close();
      server.stop();
    },
  };
});

const CALL = { deadlineMs: 5000 };
const A = 38;
const B = 56;
const Z = 52;

describe('keyboard and pointer of an X display', () => {
  let server: TestServer;
  let display: InputDisplay;
  let processes: InputProcesses;
  const open: X11Controls[] = [];
  const controls = (): X11Controls => {
    const made = new X11Controls((options) => X11Wire.connect(server.display, options));
    open.push(made);
    return made;
  };
  const heldNothing = () => until(async () => (await display.held()).length === 0, 'nothing to be held');
  const xdotool = (...args: string[]): Promise<unknown> =>
    promisify(execFile)('xdotool', args, { env: server.environment });

  beforeAll(async () => {
    [server, processes] = await Promise.all([TestServer.start(), InputProcesses.build()]);
    display = await InputDisplay.open(server.display);
  });
  afterEach(async () => {
    await controls().stopSwitch.resume(CALL);
    for (const one of open.splice(0)) await one.close();
    // A failed test may leave keys down, which must not affect the next.
    await xdotool('keyup', 'Control_L');
    await heldNothing();
    for (const property of ['HELD', 'KEYBOARD', 'STOPPED']) {
      const isGone = () =>
        /not found|no such atom/.test(server.run('xprop', '-root', `_DESKTERITY_${property}`));
      await until(isGone, `the note ${property} to go`);
    }
  });
  afterAll(() => {
    processes.stop();
    display.close();
    server.stop();
  });

  describe('between processes', () => {
    it('one waits for the other and types nothing meanwhile', async () => {
      const keys = await display.watchKeys();
      const [one, two] = [
        processes.start(server.display, 'type', 'a'.repeat(30)),
        processes.start(server.display, 'type', 'b'.repeat(30)),
      ];
      await Promise.all([one.says('typed 30'), two.says('typed 30')]);
      const typed = keys.map(({ keycode }) => keycode).filter((keycode) => [A, B].includes(keycode));
      expect(typed.length).toBe(60);
      expect(typed.filter((keycode, index) => index > 0 && keycode !== typed[index - 1]).length).toBe(1);
    });

    it('a killed process leaves nothing held for the next one', async () => {
      const other = processes.start(server.display, 'hold');
      await other.says('holding');
      const { input } = controls();
      await expect(input.take('us', { deadlineMs: 200 })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(new RegExp(`"process hold" \\(process ${other.pid}\\)`)),
      });
      await other.signal('SIGKILL');
      expect(await display.held()).toEqual(['Shift', 'left button']);
      const lease = await input.take('us', CALL);
      expect(await display.held()).toEqual([]);
      expect(lease.held).toEqual([]);
    });

    it('what a killed process held is released within a second, by a process that outlives it', async () => {
      const other = processes.start(server.display, 'hold-guarded');
      await other.says('holding');
      expect(await display.held()).toEqual(['Shift', 'left button']);
      const killed = performance.now();
      await other.signal('SIGKILL');
      await heldNothing();
      expect(performance.now() - killed).toBeLessThan(1000);
    });

    it('also if the display has stalled meanwhile', async () => {
      const other = processes.start(server.display, 'hold-guarded');
      await other.says('holding');
      server.process.kill('SIGSTOP');
      try {
        await other.signal('SIGKILL');
        // So that the first attempts are made while the display does not answer.
        await sleep(3000);
      } finally {
        server.process.kill('SIGCONT');
      }
      const again = performance.now();
      await heldNothing();
      expect(performance.now() - again).toBeLessThan(1000);
    });

    it('a process that opens a display releases what another one left there, before it acts', async () => {
      const other = processes.start(server.display, 'hold');
      await other.says('holding');
      await other.signal('SIGKILL');
      expect(await display.held()).toEqual(['Shift', 'left button']);
      await controls().stopSwitch.state(CALL);
      expect(await display.held()).toEqual([]);
    });

    it('but never what a running process holds', async () => {
      const other = processes.start(server.display, 'hold-guarded');
      await other.says('holding');
      await controls().stopSwitch.state(CALL);
      await controls().releaseOrphans(CALL);
      expect(await display.held()).toEqual(['Shift', 'left button']);
      await other.signal('SIGKILL');
      await heldNothing();
    });

    it('the stop switch immediately ends the typing and held keys of another process', async () => {
      const typing = processes.start(server.display, 'type', 'a'.repeat(2000));
      await typing.says('typed 5');
      const began = performance.now();
      const state = await controls().stopSwitch.stop('us', CALL);
      expect(state).toMatchObject({ stopped: true, by: 'us' });
      await typing.says('failed CANCELLED');
      // Much less than the whole text would have taken.
      expect(performance.now() - began).toBeLessThan(1000);
      expect(typing.lines).not.toContain('typed 1000');
      await heldNothing();
      await controls().stopSwitch.resume(CALL);
      const holding = processes.start(server.display, 'hold');
      await holding.says('holding');
      await controls().stopSwitch.stop('us', CALL);
      await heldNothing();
    });

    it('the stop switch releases what a frozen process holds', async () => {
      const other = processes.start(server.display, 'hold');
      await other.says('holding');
      await other.signal('SIGSTOP');
      await controls().stopSwitch.stop('us', CALL);
      expect(await display.held()).toEqual([]);
      await other.signal('SIGKILL');
    });
  });

  it('a client that lost its connection releases what it held on its next lease', async () => {
    const { input } = controls();
    const lease = await input.take('us', CALL);
    await lease.keyDown(parseKey('Shift'), CALL);
    server.run('xkill', '-id', String(await display.ownerOf('_DESKTERITY_INPUT')));
    await until(async () => (await display.ownerOf('_DESKTERITY_INPUT')) === 0, 'the connection to be cut');
    expect(await display.held()).toEqual(['Shift']);
    await expect(lease.press([parseKey('a')], CALL)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect((await input.take('us', CALL)).held).toEqual([]);
    expect(await display.held()).toEqual([]);
  });

  it('a client releases everything when another client takes the lock', async () => {
    const { input } = controls();
    const lease = await input.take('us', CALL);
    await lease.keyDown(parseKey('Shift'), CALL);
    await display.own('_DESKTERITY_INPUT');
    await heldNothing();
    await expect(lease.press([parseKey('a')], CALL)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(input.take('us', { deadlineMs: 100 })).rejects.toMatchObject({
      message: 'Keyboard and pointer are in use by another program.',
    });
    await display.own('_DESKTERITY_INPUT', 0);
    await input.take('us', CALL);
  });

  it('pauses while another program types, without losing anything', async () => {
    const lease = await controls().input.take('us', CALL);
    await lease.moveTo({ x: 1, y: 1 }, CALL);
    const keys = await display.watchKeys();
    let isIntruding: Promise<unknown> | undefined;
    await lease.type('a'.repeat(40), {
      deadlineMs: 20_000,
      delayMs: 10,
      check: async () => undefined,
      onTyped: (count) => {
        if (count === 10) isIntruding = xdotool('type', '--delay', '40', 'zzzzz');
      },
    });
    await isIntruding;
    expect(keys.filter(({ keycode }) => keycode === A).length).toBe(40);
    expect(keys.filter(({ keycode }) => keycode === Z).length).toBe(5);
    const lastZ = keys.findLastIndex(({ keycode }) => keycode === Z);
    const between = keys.slice(keys.findIndex(({ keycode }) => keycode === Z) + 1, lastZ);
    // One key may already have been sent.
    expect(between.filter(({ keycode }) => keycode === A).length).toBeLessThanOrEqual(1);
    const [z, next] = [keys[lastZ], keys[lastZ + 1]];
    expect((next?.atMs ?? 0) - (z?.atMs ?? 0)).toBeGreaterThan(650);
  });

  it('waits while a modifier is held, and does not press after the pointer was moved', async () => {
    const lease = await controls().input.take('us', CALL);
    await lease.moveTo({ x: 100, y: 100 }, CALL);
    await xdotool('keydown', 'Control_L');
    await expect(lease.press([parseKey('w')], { deadlineMs: 1500 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('holding down'),
      delivered: false,
    });
    await xdotool('keyup', 'Control_L');
    await xdotool('mousemove', '300', '300');
    await expect(lease.buttonDown('left', CALL)).rejects.toMatchObject({
      code: 'CONFLICT',
      delivered: false,
    });
    await lease.moveTo({ x: 100, y: 100 }, CALL);
    await lease.buttonDown('left', CALL);
    expect(await display.held()).toEqual(['left button']);
  });

  it('sends no key into a window that does not have the keyboard focus', async () => {
    const lease = await controls().input.take('us', CALL);
    const elsewhere = { ...CALL, into: 'x11:0x1234' };
    const refused = { code: 'NOT_ACTIONABLE', delivered: false, retryable: true };
    await expect(lease.press([parseKey('w')], elsewhere)).rejects.toMatchObject(refused);
    await expect(lease.keyDown(parseKey('w'), elsewhere)).rejects.toMatchObject(refused);
    await expect(
      lease.type('w', { ...elsewhere, delayMs: 0, check: async () => undefined }),
    ).rejects.toMatchObject(refused);
    expect(await display.held()).toEqual([]);
    expect(lease.pressedAtMs).toBeUndefined();
  });

  it('moves the pointer also where it already is: what is there must have heard of it before a press', async () => {
    const lease = await controls().input.take('us', CALL);
    await lease.moveTo({ x: 100, y: 100 }, CALL);
    const told = await display.watchMotion();
    await lease.moveTo({ x: 100, y: 100 }, CALL);
    expect(await told()).toEqual([99, 100]);
    expect(await controls().input.pointer(CALL)).toEqual({ x: 100, y: 100 });
  });

  it('a cancelled or timed-out call leaves nothing held and stops moving', async () => {
    const { input } = controls();
    const lease = await input.take('us', CALL);
    const abort = new AbortController();
    const moving = lease.moveTo({ x: 1000, y: 700 }, { ...CALL, durationMs: 3000, signal: abort.signal });
    // In the middle of the movement.
    await sleep(900);
    abort.abort();
    await expect(moving).rejects.toMatchObject({ code: 'CANCELLED', delivered: true });
    const place = await input.pointer(CALL);
    await expect(lease.moveTo({ x: 0, y: 0 }, { deadlineMs: 100, durationMs: 2000 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    expect((await input.pointer(CALL)).x).toBeGreaterThan(place.x / 2);
    await lease.moveTo({ x: -50, y: 99_999 }, CALL);
    expect(await input.pointer(CALL)).toEqual({ x: 0, y: 799 });
  });

  it('releases kept keys that are not used for half a minute', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { input } = controls();
    const lease = await input.take('us', CALL);
    await lease.keyDown(parseKey('Shift'), CALL);
    await lease.endLease({ keep: true });
    const idle = timers.mock.calls.findLast(([, ms]) => ms === 30_000);
    timers.mockRestore();
    expect(await display.held()).toEqual(['Shift']);
    idle?.[0]();
    await heldNothing();
    await input.take('somebody else', CALL);
  });

  it('the hot-key stops all acting, and is never pressed by us', async () => {
    const [one, two] = [controls(), controls()];
    expect(await one.stopSwitch.hotKey(CALL)).toBe('Ctrl+Alt+Shift+Escape');
    expect(await two.stopSwitch.hotKey(CALL)).toBe('Ctrl+Alt+Shift+Escape');
    const lease = await two.input.take('us', CALL);
    await expect(lease.press(parseKeyCombination('ctrl+alt+shift+Escape'), CALL)).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
    });
    expect(await display.held()).toEqual([]);
    expect(await one.stopSwitch.state(CALL)).toEqual({ stopped: false });
    await lease.keyDown(parseKey('Shift'), CALL);
    const told = new Promise((resolve) => two.stopSwitch.onStop(resolve));
    await xdotool('key', 'ctrl+alt+shift+Escape');
    expect(await told).toMatchObject({ stopped: true, by: 'the hot-key' });
    expect(await two.stopSwitch.state(CALL)).toMatchObject({ stopped: true, by: 'the hot-key' });
    await heldNothing();
  });

  it('the hot-key follows its keys to another layout', async () => {
    const { stopSwitch } = controls();
    expect(await stopSwitch.hotKey(CALL)).toBe('Ctrl+Alt+Shift+Escape');
    for (const option of ['caps:swapescape', '']) {
      server.run('setxkbmap', '-option', option);
      await until(async () => {
        await xdotool('key', 'ctrl+alt+shift+Escape');
        return (await stopSwitch.state(CALL)).stopped;
      }, 'acting to be stopped');
      expect(await stopSwitch.hotKey(CALL)).toBe('Ctrl+Alt+Shift+Escape');
      await stopSwitch.resume(CALL);
    }
  });

  it('does not trust what other programs write', async () => {
    const { stopSwitch, input } = controls();
    server.run(
      'xprop',
      '-root',
      '-f',
      '_DESKTERITY_HELD',
      '32c',
      '-set',
      '_DESKTERITY_HELD',
      '4000000000,3,50,257',
    );
    await (await input.take('us', CALL)).endLease();
    for (const text of ['nonsense', '{"by":7}', '']) {
      server.run('xprop', '-root', '-f', '_DESKTERITY_STOPPED', '8u', '-set', '_DESKTERITY_STOPPED', text);
      expect(await stopSwitch.state(CALL)).toEqual({ stopped: true });
    }
    expect(await stopSwitch.resume(CALL)).toEqual({ stopped: false });
  });

  it('without the X Input Extension user input is not detected, which is reported, and input still works', async () => {
    expect(await controls().input.reportsUserInput(CALL)).toBe(true);
    // Current servers cannot be started without it.
    const blind = new X11Controls(async (options) => {
      const wire = await X11Wire.connect(server.display, options);
      const extension = wire.extension.bind(wire);
      vi.spyOn(wire, 'extension').mockImplementation(async (name) =>
        name === 'xinput' ? undefined : extension(name),
      );
      return wire;
    });
    open.push(blind);
    expect(await blind.input.reportsUserInput(CALL)).toBe(false);
    const lease = await blind.input.take('us', CALL);
    await lease.moveTo({ x: 7, y: 9 }, CALL);
    expect(await blind.input.pointer(CALL)).toEqual({ x: 7, y: 9 });
    await lease.endLease();
  });

  it('without XTEST there is no input, but a stop switch', async () => {
    const bare = await TestServer.start({ manager: false, without: ['XTEST'] });
    const controls = new X11Controls((options) => X11Wire.connect(bare.display, options));
    const { input, stopSwitch } = controls;
    try {
      await expect(input.take('us', CALL)).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        delivered: false,
      });
      expect(await stopSwitch.stop('us', CALL)).toMatchObject({ stopped: true });
      expect(await stopSwitch.state(CALL)).toMatchObject({ stopped: true, by: 'us' });
    } finally {
      await controls.close();
      bare.stop();
    }
  });
});
