import { describe, expect, it } from 'vitest';
import { examine } from '../../src/engine/doctor/doctor.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { DoctorCheck } from '../../src/model/effects/doctor.ts';
import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../simulated/simulated-world.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import type { WindowRequest } from '../../src/ports/desktop/windows.ts';
import type { InputLease } from '../../src/ports/input.ts';
import type { ProbeWindow } from '../../src/ports/probe-window.ts';
import { app, button, windowWith } from './support/stage.ts';
import { spelled } from '../spelled.ts';

const DEADLINE = { deadlineMs: 60_000 };

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };

/** Its window is beside the probe. */
function worldWithEditor(): SimulatedWorld {
  const bounds = { x: 900, y: 0, width: 800, height: 600 };
  return new SimulatedWorld([
    app({ windows: [windowWith([button('go', 'Go')], { focused: true, bounds })] }),
  ]);
}

/** The result on a desktop with one change. */
async function examined(
  change: (desktop: SimulatedDesktop, world: SimulatedWorld) => void = () => undefined,
): Promise<{ byName: Map<string, DoctorCheck>; world: SimulatedWorld; desktop: SimulatedDesktop }> {
  const world = worldWithEditor();
  const desktop = new SimulatedDesktop(world);
  change(desktop, world);
  const checks = await examine({ desktop, clock: world.clock }, DEADLINE);
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  expectAsBefore(desktop, world);
  return { byName: new Map(checks.map((check) => [check.name, check])), world, desktop };
}

function expectAsBefore(desktop: SimulatedDesktop, world: SimulatedWorld): void {
  expect(world.apps.map(({ id }) => id)).toEqual(['app']);
  expect(world.focusedWindow()?.id).toBe('win');
  expect(desktop.input.position).toEqual({ x: 0, y: 0 });
  expect([desktop.input.holder, desktop.input.held]).toEqual([undefined, []]);
}

/** The probe with one change. */
function probing(desktop: SimulatedDesktop, change: (probe: ProbeWindow) => Partial<ProbeWindow>): void {
  const open = desktop.openProbe.bind(desktop);
  desktop.openProbe = async () => {
    const probe = await open();
    const changed: ProbeWindow = Object.create(probe, Object.getOwnPropertyDescriptors(change(probe)));
    return changed;
  };
}

/** The window manager ignores the request. */
function ignoring(desktop: SimulatedDesktop, kind: WindowRequest['kind']): void {
  const control = desktop.controlWindow.bind(desktop);
  desktop.controlWindow = async (id, request) =>
    request.kind === kind ? { via: 'nowhere' } : control(id, request);
}

/** The input lease with one change. */
function handling(desktop: SimulatedDesktop, change: (lease: InputLease) => Partial<InputLease>): void {
  const take = desktop.input.take.bind(desktop.input);
  desktop.input.take = async (...args) => {
    const lease = await take(...args);
    const changed: InputLease = Object.create(lease, Object.getOwnPropertyDescriptors(change(lease)));
    return changed;
  };
}

it('tries everything in order of dependence, and leaves nothing behind', async () => {
  const { byName } = await examined();
  expect([...byName].map(([name, { outcome }]) => `${name} ${outcome}`)).toEqual([
    'simulated works',
    'probe-window works',
    'read-tree works',
    'press works',
    'set-value works',
    'events works',
    'list-windows works',
    'move-window works',
    'capture works',
    'clipboard works',
    'stop-switch works',
    'focus-window works',
    'pointer works',
    'keyboard works',
    'typing works',
    // The simulator has none.
    'stop-hot-key refused',
    'user-hands works',
    'clean-up works',
    'applications works',
  ]);
  expect(spelled(byName.get('stop-hot-key'))).toMatchObject({
    optional: true,
    fix: 'Stop acting with "desk stop" instead.',
  });
});

describe('failures are detected', () => {
  const lost = async () => ({ accepted: true, delivered: true, via: 'nowhere' });
  const CASES: Readonly<
    Record<
      string,
      {
        readonly change: (desktop: SimulatedDesktop, world: SimulatedWorld) => void;
        readonly found: Partial<DoctorCheck>;
      }
    >
  > = {
    'read-tree': {
      change: (desktop) => {
        const read = desktop.readTree.bind(desktop);
        desktop.readTree = async (request) => {
          const result = await read(request);
          return { ...result, root: { ...result.root, children: [] } };
        };
      },
      found: { outcome: 'broken', step: 'read its tree', detail: 'Its button was read as nothing at all.' },
    },
    press: {
      change: (desktop) => (desktop.press = lost),
      found: { outcome: 'broken', step: 'wait for the press' },
    },
    'user-hands': {
      change: (desktop) => (desktop.input.reportsUserInput = async () => false),
      found: { outcome: 'refused', optional: true },
    },
    'set-value': {
      change: (desktop) => {
        const set = desktop.setValue.bind(desktop);
        desktop.setValue = (node, value, options) => set(node, value.normalize('NFD'), options);
      },
      found: { outcome: 'broken', step: 'set a text' },
    },
    events: {
      change: (desktop) => (desktop.watch = async () => () => undefined),
      found: { outcome: 'broken', step: 'wait for the event' },
    },
    'list-windows': {
      change: (desktop) => {
        const list = desktop.listWindows.bind(desktop);
        desktop.listWindows = async (options) =>
          (await list(options)).map((window) => ({ ...window, root: undefined, accessible: false }));
      },
      found: { outcome: 'broken', step: 'match it with its tree' },
    },
    'move-window': {
      change: (desktop) => ignoring(desktop, 'move'),
      found: { outcome: 'refused', step: 'wait until it has moved' },
    },
    capture: {
      change: (desktop) => {
        const capture = desktop.capture.bind(desktop);
        let isCovered = false;
        probing(desktop, () => ({
          cover: async () => {
            isCovered = true;
            return async () => undefined;
          },
        }));
        desktop.capture = async (target) => {
          const image = await capture(target);
          return isCovered ? { ...image, bgrx: new Uint8Array(image.bgrx.length) } : image;
        };
      },
      found: { outcome: 'broken', step: 'take a picture while it is covered' },
    },
    clipboard: {
      change: (desktop) =>
        probing(desktop, ({ clipboard }) => ({
          clipboard: {
            isOwned: false,
            ownerPid: async () => undefined,
            formats: () => clipboard.formats(DEADLINE),
            read: async () => ({ kind: 'text', text: 'of somebody else' }),
            write: (request) => clipboard.write(request),
            clear: (options) => clipboard.clear(options),
            watch: (listener, options) => clipboard.watch(listener, options),
          },
        })),
      found: { outcome: 'broken', step: 'read it back' },
    },
    'focus-window': {
      change: (desktop) => ignoring(desktop, 'focus'),
      found: { outcome: 'broken', step: 'wait for the focus' },
    },
    keyboard: {
      change: (desktop) => handling(desktop, () => ({ press: async () => undefined })),
      found: { outcome: 'broken', step: 'press a key' },
    },
    typing: {
      change: (desktop) =>
        handling(desktop, (lease) => ({ type: (_text, options) => lease.type('7?', options) })),
      found: { outcome: 'broken', detail: '"7語" was typed but "7?" arrived.' },
    },
  };

  it.each(Object.entries(CASES))('%s', async (name, { change, found }) => {
    const { byName } = await examined(change);
    expect(byName.get(name)).toMatchObject(found);
    const others = [...byName].filter(([other, { outcome }]) => other !== name && outcome === 'broken');
    expect(others).toEqual([]);
  });
});

it('restores a focus that followed the pointer when it was moved back', async () => {
  const { byName } = await examined((desktop, world) => {
    const bounds = { x: 0, y: 700, width: 100, height: 100 };
    world.apps[0]?.windows.push({ ...windowWith([], { id: 'under', bounds }), focused: false });
    handling(desktop, (lease) => ({
      endLease: async (options) => {
        await lease.endLease(options);
        for (const window of world.apps.flatMap(({ windows }) => windows))
          window.focused = window.id === 'under';
      },
    }));
  });
  expect(byName.get('clean-up')).toMatchObject({ outcome: 'works' });
});

describe('a window manager that focuses another window when the probe closes', () => {
  const focusOther = (desktop: SimulatedDesktop, world: SimulatedWorld): void => {
    const bounds = { x: 0, y: 700, width: 100, height: 100 };
    world.apps[0]?.windows.push({ ...windowWith([], { id: 'other', bounds }), focused: false });
    probing(desktop, (probe) => ({
      close: async () => {
        await probe.close();
        for (const window of world.apps.flatMap(({ windows }) => windows))
          window.focused = window.id === 'other';
      },
    }));
  };

  it('does not keep it from the window that had the focus', async () => {
    const { byName } = await examined(focusOther);
    expect(byName.get('clean-up')).toMatchObject({ outcome: 'works' });
  });

  it('and does not give it back, is reported so, even if the last look comes too late', async () => {
    const world = worldWithEditor();
    const desktop = new SimulatedDesktop(world);
    let isClosed = false;
    focusOther(desktop, world);
    probing(desktop, (probe) => ({
      close: async () => {
        await probe.close();
        isClosed = true;
        ignoring(desktop, 'focus');
      },
    }));
    const list = desktop.listWindows.bind(desktop);
    desktop.listWindows = async (options) => {
      if (isClosed && options.deadlineMs < 15)
        throw new DeskterityError('TIMEOUT', 'The display did not reply within 1 ms.', {
          suggestion: 'Wait.',
        });
      return list(options);
    };
    const checks = await examine({ desktop, clock: world.clock }, DEADLINE);
    expect(checks.find(({ name }) => name === 'clean-up')).toMatchObject({
      outcome: 'broken',
      detail: 'The focus did not return to the window that had it.',
    });
  });
});

it('does not click where something else is in front', async () => {
  const { byName, desktop } = await examined((on, world) => {
    for (const window of world.apps.flatMap(({ windows }) => windows)) window.bounds = SCREEN;
    ignoring(on, 'focus');
  });
  expect(byName.get('pointer')).toMatchObject({ outcome: 'broken', step: 'move the pointer' });
  expect(desktop.input.record.filter((line) => line.includes('down'))).toEqual([]);
});

it('types nothing once another window has the keyboard', async () => {
  const { byName, desktop } = await examined((on, world) => {
    handling(on, (lease) => ({
      type: async (text, options) => {
        for (const window of world.apps.flatMap(({ windows }) => windows))
          window.focused = window.id === 'win';
        await lease.type(text, options);
      },
    }));
  });
  expect(byName.get('typing')).toMatchObject({ outcome: 'refused', step: 'type a text' });
  expect(desktop.input.record.filter((line) => line.startsWith('type '))).toEqual([]);
});

it('does not use keyboard and pointer while acting is stopped, and stops when it is stopped meanwhile', async () => {
  const before = await examined((desktop) => void desktop.stopSwitch.stop('session "other"'));
  expect(before.byName.get('stop-switch')).toMatchObject({
    outcome: 'refused',
    detail: 'All acting was stopped by session "other".',
  });
  for (const name of ['pointer', 'focus-window', 'keyboard', 'typing'])
    expect(before.byName.get(name)?.outcome).toBe('skipped');
  expect(before.desktop.input.record).toEqual([]);

  const meanwhile = await examined((desktop) => {
    probing(desktop, (probe) => ({
      hasKeyboard: async (options) => {
        const has = await probe.hasKeyboard(options);
        if (has) await desktop.stopSwitch.stop('the hot-key');
        return has;
      },
    }));
  });
  expect(meanwhile.byName.get('keyboard')).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('stopped'),
  });
});

it('is refused while the user types, and by another session', async () => {
  const user = await examined((desktop) => (desktop.input.userActiveUntilMs = 1_000_000));
  expect(user.byName.get('pointer')).toMatchObject({ outcome: 'refused', step: 'move the pointer' });
  const world = worldWithEditor();
  const desktop = new SimulatedDesktop(world);
  desktop.input.holder = 'another session';
  const checks = await examine({ desktop, clock: world.clock }, DEADLINE);
  expect(checks.find(({ name }) => name === 'keyboard')).toMatchObject({
    outcome: 'refused',
    step: 'take keyboard and pointer',
    detail: expect.stringContaining('another session'),
  });
});

it('reports what is missing if no probe can be shown, and skips the rest', async () => {
  const { byName } = await examined((desktop) => {
    desktop.permissions = async () => ({
      granted: false,
      checks: [{ name: 'accessibility-bus', ok: false, detail: 'There is none.', fix: 'Install it.' }],
    });
    desktop.machineChecks = async () => [
      { name: 'private-desktop', ok: false, detail: 'No Xvfb.', fix: 'apt' },
    ];
    desktop.openProbe = async () => {
      throw new DeskterityError('BUS_UNAVAILABLE', 'There is no bus.', { suggestion: 'Start one.' });
    };
  });
  expect(byName.get('accessibility-bus')).toMatchObject({ outcome: 'broken', fix: 'Install it.' });
  expect(byName.get('private-desktop')).toMatchObject({ outcome: 'refused', optional: true, fix: 'apt' });
  expect(byName.get('probe-window')).toMatchObject({
    outcome: 'broken',
    step: 'show the window',
    fix: 'Start one.',
  });
  const skipped = [...byName].filter(([, { outcome }]) => outcome === 'skipped').map(([name]) => name);
  expect(skipped).toHaveLength(13);
});

it('distinguishes an almost empty tree from one it did not read completely', async () => {
  const world = new SimulatedWorld([
    app({ id: 'stump', name: 'Stump', windows: [windowWith([])] }),
    app({ id: 'cut', name: 'Cut', windows: [windowWith([])] }),
  ]);
  const desktop = new SimulatedDesktop(world);
  const read = desktop.readTree.bind(desktop);
  desktop.readTree = async (request) => {
    const result = await read(request);
    if (request.root.app === 'probe') return result;
    const isCut = request.root.app === 'cut';
    return {
      ...result,
      complete: false,
      incompleteReasons: [isCut ? 'only the first were read' : 'it stays dark'],
      root: isCut ? { ...result.root, elided: 'budget' } : result.root,
    };
  };
  const checks = await examine({ desktop, clock: world.clock }, DEADLINE);
  expect(checks.find(({ name }) => name === 'applications')).toMatchObject({
    outcome: 'refused',
    detail: '"Stump" (process 100): it stays dark',
  });
});

it('names applications without a tree', async () => {
  const { byName } = await examined((desktop, world) => {
    world.apps[0]?.windows.push({
      ...windowWith([], { id: 'dark', reason: 'Started too early.' }),
      focused: false,
    });
    delete world.apps[0]?.windows[1]?.root;
    expect(desktop.capabilities.tree).toBe(true);
  });
  expect(byName.get('applications')).toMatchObject({
    outcome: 'refused',
    optional: true,
    detail: '"Editor" (process 100): Started too early.',
  });
});

it('restores everything when it is cancelled', async () => {
  for (const at of ['press', 'capture', 'typing', 'pointer']) {
    const world = worldWithEditor();
    const desktop = new SimulatedDesktop(world);
    const end = new AbortController();
    const onTrial = (name: string): void => {
      if (name === at) end.abort();
    };
    const port: DesktopPort = desktop;
    const work = examine({ desktop: port, clock: world.clock }, { ...DEADLINE, signal: end.signal, onTrial });
    await expect(work).rejects.toThrow(/aborted/);
    expectAsBefore(desktop, world);
  }
});
