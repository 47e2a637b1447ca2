import { describe, expect, it } from 'vitest';
import type { PictureConsent } from '../../../src/model/effects/picture-consent.ts';
import type { Policy } from '../../../src/model/policy/verdict.ts';
import { parseKey, parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { CallerHosts } from '../../../src/policy/guard/caller-hosts.ts';
import { FREE, guardedDesktop } from '../../../src/policy/guard/guarded-desktop.ts';
import { underPolicy, withinCommand } from '../../../src/policy/current-policy.ts';
import { policy } from '../policy-of.ts';
import type { DesktopEvent } from '../../../src/ports/desktop/events.ts';
import type { CaptureTarget } from '../../../src/ports/desktop/capture.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { SimulatedWindow } from '../../simulated/simulated-world.ts';
import type { DesktopPort } from '../../../src/ports/desktop/desktop.ts';
import type { DesktopNotification } from '../../../src/ports/notifications.ts';
import type { ProgramFactsPort } from '../../../src/ports/policy/program-facts.ts';
import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { app, button, DEADLINE, stage, windowWith } from '../../engine/support/stage.ts';

const SECRET = 'hunter2';
const VAULT_PID = 200;
const NODE = { app: 'vault', path: 'reveal' };
const OPEN_NODE = { app: 'app', path: 'ok' };
const IN_VAULT = { x: 850, y: 130 };
const IN_EDITOR = { x: 20, y: 20 };
const DENIED = { code: 'POLICY_DENIED', retryable: false, delivered: false };

const policyFor = (changes: {
  denied?: string[];
  allowed?: string[];
  confirm?: string[];
  except?: string[];
}): Policy => policy({ applications: changes });

/** An editor, and a vault that calls itself otherwise: only its program tells what it is. */
async function world(changes: Parameters<typeof policyFor>[0] = { denied: ['/usr/bin/vault'] }) {
  const acted: string[] = [];
  const made = await stage([
    app({ windows: [windowWith([button('ok', 'OK', { onPress: () => void acted.push('OK') })])] }),
    app({
      id: 'vault',
      name: 'Notes',
      pid: VAULT_PID,
      windows: [
        windowWith(
          [
            button('reveal', SECRET, {
              bounds: { x: 810, y: 110, width: 80, height: 30 },
              onPress: () => void acted.push('reveal'),
            }),
          ],
          { id: 'safe', title: SECRET, bounds: { x: 800, y: 100, width: 200, height: 300 } },
        ),
      ],
    }),
  ]);
  const programs: ProgramFactsPort = {
    ofProcess: async (pid) => ({
      executable: pid === VAULT_PID ? '/usr/bin/vault' : '/usr/bin/editor',
      otherNames: [],
    }),
    ofCommand: async ([program = '']) => ({ executable: `/usr/bin/${program}`, otherNames: [] }),
    ofApplication: async (app) => ({ executable: `/usr/bin/${app}`, otherNames: [] }),
    lineageOf: async (pid) => [
      [
        { pid, key: '1', isInTerminal: true },
        { pid: 100, key: '1' },
        { pid: VAULT_PID, key: '1' },
      ],
    ],
    keyOf: async () => '1',
  };
  const hosts = new CallerHosts(programs);
  const state: { policy: Policy; pictureConsent?: PictureConsent } = { policy: policyFor(changes) };
  const guarded = guardedDesktop({
    desktop: made.desktop,
    programs,
    hosts,
    policyNow: () => state.policy,
    pictureConsentNow: () => state.pictureConsent,
  });
  return { ...made, acted, guarded, hosts, state };
}

/** Tested one by one below. */
const FILTERED = [
  'listApps',
  'listWindows',
  'contentAt',
  'watch',
  'watchNotifications',
  'input',
  'clipboard',
  'openProbe',
  'picturedFor',
  'ownSeat',
] as const;

/** One attempt for every other member: one that is missing here does not compile. */
const ATTEMPTS: Record<
  Exclude<keyof DesktopPort, (typeof FREE)[number] | (typeof FILTERED)[number]>,
  (desktop: DesktopPort) => Promise<unknown>
> = {
  requireAllowed: (desktop) => desktop.requireAllowed(VAULT_PID, DEADLINE),
  launch: (desktop) => desktop.launch({ ...DEADLINE, app: 'vault', args: [], cwd: '/' }),
  resolveLaunch: (desktop) => desktop.resolveLaunch({ ...DEADLINE, app: 'vault', args: [], cwd: '/' }),
  closeApp: (desktop) => desktop.closeApp(VAULT_PID, { ...DEADLINE, force: true }),
  controlWindow: (desktop) => desktop.controlWindow('safe', { kind: 'focus' }, DEADLINE),
  readTree: (desktop) =>
    desktop.readTree({ ...DEADLINE, root: NODE, wholeTree: true, maxNodes: 100, includeActions: true }),
  describe: (desktop) => desktop.describe(NODE, DEADLINE),
  requireAction: (desktop) => desktop.requireAction(NODE, 'click', DEADLINE),
  press: (desktop) => desktop.press(NODE, DEADLINE),
  perform: (desktop) => desktop.perform(NODE, 'focus', DEADLINE),
  setValue: (desktop) => desktop.setValue(NODE, 'x', DEADLINE),
  choose: (desktop) => desktop.choose(OPEN_NODE, NODE, DEADLINE),
  insertText: (desktop) => desktop.insertText(NODE, 'x', DEADLINE),
  changeText: (desktop) =>
    desktop.changeText(NODE, { text: '', at: 0, removed: '', inserted: 'x' }, DEADLINE),
  textEditing: (desktop) => desktop.textEditing(NODE, DEADLINE),
  caret: (desktop) => desktop.caret(NODE, DEADLINE),
  placeCaret: (desktop) => desktop.placeCaret(NODE, { offset: 0 }, DEADLINE),
  scrollIntoView: (desktop) => desktop.scrollIntoView(NODE, DEADLINE),
  activationDelayMs: (desktop) => desktop.activationDelayMs(NODE, DEADLINE),
  menusAwaitOpening: (desktop) => desktop.menusAwaitOpening(NODE, DEADLINE),
  capture: (desktop) => desktop.capture({ kind: 'window', windowId: 'safe' }, DEADLINE),
};

describe('a guarded desktop', () => {
  it('has nothing that is not classified', async () => {
    const { guarded, desktop } = await world();
    const classified = new Set<string>([...FREE, ...FILTERED, ...Object.keys(ATTEMPTS)]);
    const names = [...Object.getOwnPropertyNames(SimulatedDesktop.prototype), ...Object.keys(desktop)];
    for (const name of names) {
      if (classified.has(name) || name === 'constructor') continue;
      // What the adapter has beside the port cannot be reached through the guard.
      expect({ name, value: Reflect.get(guarded, name) as unknown }).toEqual({ name, value: undefined });
    }
    const missing = [...classified].filter((name) => Reflect.get(guarded, name) === undefined);
    // Only text screens have the first, only displays with two keyboards the second.
    expect(missing).toEqual(['screen', 'ownSeat']);
  });

  it.each(Object.entries(ATTEMPTS))('refuses %s of a denied application', async (_name, attempt) => {
    const { guarded, acted, world: simulated } = await world();
    simulated.launchable.set('vault', () => app({ id: 'second', pid: 201 }));
    await expect(attempt(guarded)).rejects.toMatchObject(DENIED);
    await simulated.clock.sleep(1000);
    expect(acted).toEqual([]);
    expect(simulated.apps).toHaveLength(2);
  });

  it('tells pictures of other rules apart, so that none of before is shown', async () => {
    const { guarded, state } = await world();
    const before = guarded.picturedFor?.();
    expect(guarded.picturedFor?.()).toBe(before);
    state.policy = policyFor({ denied: ['other'] });
    expect(guarded.picturedFor?.()).not.toBe(before);
  });

  it('lists that a denied application exists, with the rule, and nothing that it shows', async () => {
    const { guarded } = await world();
    const [apps, windows] = [await guarded.listApps(DEADLINE), await guarded.listWindows(DEADLINE)];
    expect(apps.find(({ pid }) => pid === VAULT_PID)).toMatchObject({ name: 'Notes', accessible: false });
    expect(windows.find(({ id }) => id === 'safe')).toMatchObject({ isDenied: true });
    expect(JSON.stringify([apps, windows])).not.toContain(SECRET);
    expect(JSON.stringify(apps)).toContain('/usr/bin/vault');
  });

  it('leaves others as they are', async () => {
    const { desktop, guarded, acted, world: simulated } = await world();
    await guarded.press(OPEN_NODE, DEADLINE);
    await simulated.clock.sleep(1000);
    expect(acted).toEqual(['OK']);
    const others = async (of: DesktopPort) =>
      (await of.listWindows(DEADLINE)).filter(({ id }) => id !== 'safe');
    expect(await others(guarded)).toEqual(await others(desktop));
  });

  it('names no element of a denied application at a point, or in the tree of another one', async () => {
    const { guarded, desktop, world: simulated } = await world();
    expect((await desktop.contentAt(IN_VAULT)).lineage).not.toEqual([]);
    expect(await guarded.contentAt(IN_VAULT, DEADLINE)).toMatchObject({ windowId: 'safe', lineage: [] });
    const read = desktop.readTree.bind(desktop);
    desktop.readTree = async (request) => {
      const result = await read(request);
      const [first] = result.root.children;
      if (first === undefined) throw new Error('the window is empty');
      const put = { ...first, handle: NODE, name: SECRET };
      return { ...result, root: { ...result.root, children: [...result.root.children, put] } };
    };
    const root = { app: 'app', path: 'win-root' };
    const request = { ...DEADLINE, root, wholeTree: true, maxNodes: 100, includeActions: true };
    expect(JSON.stringify(await desktop.readTree(request))).toContain(SECRET);
    expect(JSON.stringify(await guarded.readTree(request))).not.toContain(SECRET);
    expect(simulated.apps).toHaveLength(2);
  });

  it('is not deceived by a window that names another process', async () => {
    const { guarded, desktop } = await world();
    const list = desktop.listWindows.bind(desktop);
    desktop.listWindows = async (options) =>
      (await list(options)).map((window) =>
        window.id === 'safe' ? { ...window, pid: 100, appId: '', clientPid: VAULT_PID } : window,
      );
    await expect(ATTEMPTS.controlWindow(guarded)).rejects.toMatchObject(DENIED);
    await expect(ATTEMPTS.capture(guarded)).rejects.toMatchObject(DENIED);
    desktop.contentAt = async () => ({ isPopup: false, pid: 100, clientPids: [100, VAULT_PID], lineage: [] });
    const lease = await guarded.input.take('somebody', DEADLINE);
    await expect(lease.moveTo(IN_EDITOR, DEADLINE)).rejects.toMatchObject(DENIED);
  });

  it('lets a window gain nothing by naming an allowed process', async () => {
    const { guarded, desktop } = await world({ allowed: ['editor'] });
    const list = desktop.listWindows.bind(desktop);
    desktop.listWindows = async (options) =>
      (await list(options)).map((window) => ({ ...window, pid: 100, clientPid: VAULT_PID }));
    await expect(guarded.controlWindow('win', { kind: 'focus' }, DEADLINE)).rejects.toMatchObject(DENIED);
  });

  it('refuses clicks, wheel and keys that would reach a denied application', async () => {
    const { guarded, desktop, world: simulated } = await world();
    const lease = await guarded.input.take('somebody', DEADLINE);
    await expect(lease.moveTo(IN_VAULT, DEADLINE)).rejects.toMatchObject(DENIED);
    desktop.input.position = IN_VAULT;
    await expect(lease.click('left', 1, DEADLINE)).rejects.toMatchObject(DENIED);
    await expect(lease.buttonDown('left', DEADLINE)).rejects.toMatchObject(DENIED);
    await expect(lease.wheel({ x: 0, y: 1 }, DEADLINE)).rejects.toMatchObject(DENIED);
    for (const window of simulated.apps[1]?.windows ?? []) window.focused = true;
    const text = { ...DEADLINE, delayMs: 0, check: async () => undefined };
    await expect(lease.type('abc', text)).rejects.toMatchObject(DENIED);
    await expect(lease.press(parseKeyCombination('Enter'), DEADLINE)).rejects.toMatchObject(DENIED);
    await expect(lease.keyDown(parseKey('Shift'), DEADLINE)).rejects.toMatchObject(DENIED);
    expect(desktop.input.record).toEqual([]);
  });

  it('does not say that nothing was delivered if a part of it was', async () => {
    const { guarded, desktop, world: simulated } = await world();
    const lease = await guarded.input.take('somebody', DEADLINE);
    await lease.moveTo(IN_EDITOR, DEADLINE);
    await expect(lease.moveTo(IN_VAULT, DEADLINE)).rejects.toMatchObject(DENIED);
    await lease.press(parseKeyCombination('Tab'), DEADLINE);
    for (const window of simulated.apps[1]?.windows ?? []) window.focused = true;
    const partly = { ...DENIED, delivered: true };
    await expect(lease.press(parseKeyCombination('Enter'), DEADLINE)).rejects.toMatchObject(partly);
    desktop.input.position = IN_VAULT;
    await expect(lease.wheel({ x: 0, y: 1 }, DEADLINE)).rejects.toMatchObject(partly);
  });

  it('sends no keys while a denied application has a menu or a lock screen open', async () => {
    const { guarded, desktop } = await world();
    const bounds = { x: 0, y: 0, width: 10, height: 10 };
    desktop.listPopups = async () => [{ clientPid: VAULT_PID, isTooltip: false, bounds }];
    const lease = await guarded.input.take('somebody', DEADLINE);
    await expect(lease.press(parseKeyCombination('a'), DEADLINE)).rejects.toMatchObject(DENIED);
  });

  it('sends no keys while an authentication dialog is open, wherever the focus is', async () => {
    const { guarded, world: simulated, state } = await world({});
    const [, vault] = simulated.apps;
    if (vault === undefined) throw new Error('it is gone');
    const lease = await guarded.input.take('somebody', DEADLINE);
    await lease.press(parseKeyCombination('a'), DEADLINE);
    simulated.apps.splice(1, 1, { ...vault, name: 'pinentry-gtk-2' });
    await expect(lease.press(parseKeyCombination('a'), DEADLINE)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    state.policy = policyFor({ except: ['authentication dialogs'] });
    await lease.press(parseKeyCombination('a'), DEADLINE);
  });

  it('neither clicks nor sends keys to the dialog of a portal, which may be read', async () => {
    const { guarded, world: simulated } = await world({});
    const [, vault] = simulated.apps;
    if (vault === undefined) throw new Error('it is gone');
    simulated.apps.splice(1, 1, { ...vault, name: 'xdg-desktop-portal-gtk' });
    const lease = await guarded.input.take('somebody', DEADLINE);
    const refused = { code: 'POLICY_DENIED', message: expect.stringContaining('xdg-desktop-portal*') };
    await expect(lease.moveTo(IN_VAULT, DEADLINE)).rejects.toMatchObject(refused);
    for (const window of vault.windows) window.focused = true;
    await expect(lease.press(parseKeyCombination('Enter'), DEADLINE)).rejects.toMatchObject(refused);
    const windows = await guarded.listWindows(DEADLINE);
    expect(windows.map(({ appName }) => appName)).toContain('xdg-desktop-portal-gtk');
  });

  it('takes back what is dragged rather than dropping it on a denied application', async () => {
    const { guarded, desktop } = await world();
    const lease = await guarded.input.take('somebody', DEADLINE);
    await lease.moveTo(IN_EDITOR, DEADLINE);
    await lease.buttonDown('left', DEADLINE);
    desktop.input.position = IN_VAULT;
    await expect(lease.buttonUp('left', DEADLINE)).rejects.toMatchObject({ ...DENIED, delivered: true });
    expect(desktop.input.position).toEqual(IN_EDITOR);
    expect(desktop.input.heldButtons.size).toBe(0);
  });

  it.each([
    ['portal', undefined, true],
    ['portal', 'portal', undefined],
    ['portal', 'auto', undefined],
    ['auto', undefined, undefined],
  ] as const)(
    'under the consent %s, a picture with %s is marked unasked: %s',
    async (now, consent, isUnasked) => {
      const { guarded, desktop, state } = await world();
      state.pictureConsent = now;
      const taken: CaptureTarget[] = [];
      const capture = desktop.capture.bind(desktop);
      desktop.capture = async (target) => {
        taken.push(target);
        return capture(target);
      };
      await guarded.capture({ kind: 'screen', consent }, DEADLINE);
      expect(taken.map((target) => target.isUnasked)).toEqual([isUnasked]);
    },
  );

  it('shows a denied window as grey, but not where another one covers it', async () => {
    const { guarded, world: simulated } = await world();
    const grey = async () => {
      const { bgrx, width } = await guarded.capture({ kind: 'screen' }, DEADLINE);
      return [IN_VAULT, IN_EDITOR].map(({ x, y }) => bgrx[(y * width + x) * 4] !== 0xcc);
    };
    expect(await grey()).toEqual([true, false]);
    simulated.apps[0]?.windows.push(
      windowWith([], { id: 'above', bounds: { x: 840, y: 120, width: 50, height: 50 } }),
    );
    expect(await grey()).toEqual([false, false]);
  });

  /** What the vault and the editor show in a picture of the screen, where windows are as given. */
  async function pictured(
    change: (window: DesktopWindow) => Partial<DesktopWindow>,
    more: readonly SimulatedWindow[] = [],
  ) {
    const { guarded, desktop, world: simulated } = await world();
    simulated.apps[0]?.windows.push(...more);
    const list = desktop.listWindows.bind(desktop);
    desktop.listWindows = async (options) =>
      (await list(options)).map((window) => ({ ...window, ...change(window) }));
    const picture = async (target: CaptureTarget = { kind: 'screen' }) => {
      const { bgrx, width } = await guarded.capture(target, DEADLINE);
      return [IN_VAULT, IN_EDITOR].map(({ x, y }) => bgrx[(y * width + x) * 4] !== 0xcc);
    };
    return { picture, desktop };
  }
  const OVER_VAULT = windowWith([], { id: 'above', bounds: { x: 840, y: 120, width: 50, height: 50 } });

  it('blanks nothing for a denied window that is not on the screen, such as on another workspace', async () => {
    const { picture } = await pictured(({ id }) => (id === 'safe' ? { isHidden: true } : {}));
    expect(await picture()).toEqual([false, false]);
  });

  it('blanks a denied window that only says that it is minimized', async () => {
    const { picture } = await pictured(({ id }) =>
      id === 'safe' ? { isHidden: false, minimized: true } : {},
    );
    expect(await picture()).toEqual([true, false]);
  });

  it('does not take a window for a cover that is on another workspace', async () => {
    const covered = await pictured(() => ({}), [OVER_VAULT]);
    expect(await covered.picture()).toEqual([false, false]);
    const bare = await pictured(({ id }) => (id === 'above' ? { isHidden: true } : {}), [OVER_VAULT]);
    expect(await bare.picture()).toEqual([true, false]);
  });

  describe('where the display does not tell the place of a denied window', () => {
    const placeless = ({ id }: DesktopWindow) =>
      id === 'safe' ? { bounds: undefined, isTreeOnly: true } : {};

    it('refuses a picture in which it may be, and says why', async () => {
      const { picture, desktop } = await pictured(placeless);
      Object.assign(desktop.capabilities, { windows: false });
      for (const target of [
        { kind: 'screen' },
        { kind: 'region', bounds: { x: 0, y: 0, width: 10, height: 10 } },
        { kind: 'window', windowId: 'win' },
      ] as const)
        await expect(picture(target)).rejects.toMatchObject({
          ...DENIED,
          message: expect.stringContaining('"Notes" may be in it'),
        });
    });

    it('gives one of another window alone, and of the screen while it is minimized', async () => {
      const { picture, desktop } = await pictured(placeless);
      Object.assign(desktop.capabilities, { windows: false });
      const capture = desktop.capture.bind(desktop);
      desktop.capture = async (...asked) => ({ ...(await capture(...asked)), isOnlyWindow: true });
      await picture({ kind: 'window', windowId: 'win' });
      const { picture: other, desktop: second } = await pictured((window) => ({
        ...placeless(window),
        minimized: window.id === 'safe',
      }));
      Object.assign(second.capabilities, { windows: false });
      expect(await other()).toEqual([false, false]);
    });

    it('gives a picture where the display lists all windows: it is none of them', async () => {
      const { picture } = await pictured(placeless);
      expect(await picture()).toEqual([false, false]);
    });
  });

  it('tells nothing that happens in a denied application, and keeps the order of the others', async () => {
    const { guarded, world: simulated } = await world();
    const told: DesktopEvent[] = [];
    await guarded.watch((event) => told.push(event), DEADLINE);
    for (const detail of ['1', '2', '3'])
      for (const appId of ['vault', 'app']) simulated.emit(appId, 'any', 'text-changed', detail);
    simulated.emit('vault', 'any', 'window-opened', '');
    await simulated.clock.sleep(10);
    expect(
      told.filter(({ kind }) => kind === 'text-changed').map(({ node, detail }) => [node.app, detail]),
    ).toEqual([
      ['app', '1'],
      ['app', '2'],
      ['app', '3'],
    ]);
    expect(told.some(({ kind }) => kind === 'window-opened')).toBe(true);
  });

  it('tells no notification of a denied program, whatever it calls itself', async () => {
    const { guarded, world: simulated } = await world();
    const told: DesktopNotification[] = [];
    await guarded.watchNotifications({ notified: (one) => told.push(one), lost: () => undefined }, DEADLINE);
    const note = { summary: 's', body: SECRET, hasService: true };
    simulated.notify({ ...note, app: 'Notes', pid: VAULT_PID });
    simulated.notify({ ...note, app: 'KeePassXC' });
    simulated.notify({ ...note, app: 'Editor', pid: 100 });
    await simulated.clock.sleep(10);
    expect(told.map(({ app: name }) => name)).toEqual(['Editor']);
  });

  it('reads no clipboard of a denied application, nor a marked password', async () => {
    const { guarded, desktop } = await world();
    desktop.clipboard.content = { kind: 'text', text: SECRET };
    expect(await guarded.clipboard.read('text', DEADLINE)).toMatchObject({ text: SECRET });
    desktop.clipboard.owner = VAULT_PID;
    await expect(guarded.clipboard.read('text', DEADLINE)).rejects.toMatchObject(DENIED);
    await expect(guarded.clipboard.formats(DEADLINE)).rejects.toMatchObject(DENIED);
    // A clipboard manager holds it now.
    desktop.clipboard.owner = 100;
    desktop.clipboard.hints = ['x-kde-passwordManagerHint'];
    await expect(guarded.clipboard.read('text', DEADLINE)).rejects.toMatchObject(DENIED);
  });

  it('reads what callers put into the clipboard, also if they run in this process', async () => {
    const { guarded, desktop } = await world();
    await guarded.clipboard.write({
      ...DEADLINE,
      content: { kind: 'text', text: 'Grace' },
      outlivesCall: true,
    });
    desktop.clipboard.owner = VAULT_PID;
    expect(await guarded.clipboard.read('text', DEADLINE)).toMatchObject({ text: 'Grace' });
    desktop.clipboard.isOwned = false;
    await expect(guarded.clipboard.read('text', DEADLINE)).rejects.toMatchObject(DENIED);
  });

  it('asks about acts on an application, for its process, and not about reading it', async () => {
    const { guarded, desktop, state } = await world({ confirm: ['*'] });
    const asked = async (act: () => Promise<unknown>): Promise<string[]> => {
      const about: unknown[] = [];
      const ask = (_what: string, _verdict: unknown, one: unknown): void => void about.push(one);
      const command = { command: 'click', isReadOnly: false };
      await underPolicy(state.policy, async () =>
        withinCommand({ policy: state.policy, command, ask }, async () => void (await act())),
      );
      return [...new Set(about.map((one) => JSON.stringify(one)))];
    };
    desktop.clipboard.content = { kind: 'text', text: SECRET };
    desktop.clipboard.owner = VAULT_PID;
    expect(await asked(() => guarded.clipboard.read('text', DEADLINE))).toEqual([]);
    const ofElement = await asked(() => guarded.press(NODE, DEADLINE));
    expect(ofElement).toHaveLength(1);
    const lease = await guarded.input.take('somebody', DEADLINE);
    // As a window, and by the process behind the point, it is called otherwise.
    desktop.contentAt = async () => ({
      isPopup: false,
      windowId: 'safe',
      clientPids: [VAULT_PID],
      lineage: [],
    });
    expect(await asked(() => lease.moveTo(IN_VAULT, DEADLINE))).toEqual(ofElement);
    expect(await asked(() => guarded.press(OPEN_NODE, DEADLINE))).not.toEqual(ofElement);
  });

  it('denies the program in which a caller runs, and the next one only if the nearer has no window', async () => {
    const { guarded, hosts, state, world: simulated } = await world({});
    await guarded.press(OPEN_NODE, DEADLINE);
    await hosts.note(4711);
    await guarded.listWindows(DEADLINE);
    await expect(guarded.press(OPEN_NODE, DEADLINE)).rejects.toMatchObject(DENIED);
    await guarded.press(NODE, DEADLINE);
    simulated.apps[0]?.windows.splice(0);
    await guarded.listWindows(DEADLINE);
    await expect(guarded.press(NODE, DEADLINE)).rejects.toMatchObject(DENIED);
    state.policy = policyFor({ except: ['own terminal'] });
    await guarded.press(NODE, DEADLINE);
  });
});

describe('the programs in which callers run', () => {
  const line = [
    { pid: 5, key: '1', isInTerminal: true },
    // It has a window and starts callers, but runs in the terminal itself.
    { pid: 4, key: '1', isInTerminal: false },
    { pid: 3, key: '1', isInTerminal: true },
    { pid: 2, key: '1', isInTerminal: false },
    { pid: 1, key: '1', isInTerminal: false },
  ];
  const windowed = new Set([4, 2, 1]);
  const hostsIn = async (found: typeof line) => {
    const hosts = new CallerHosts({ lineageOf: async () => [found], keyOf: async () => '1' });
    await hosts.note(5);
    const pids = [1, 2, 3, 4, 5, 6];
    const are = await Promise.all(pids.map((pid) => hosts.isHost(pid, (one) => windowed.has(one))));
    return pids.filter((_, index) => are[index]);
  };

  it('are all up to what shows the terminal, and not what that comes from', async () => {
    expect(await hostsIn(line)).toEqual([2, 3, 4, 5]);
  });

  it('are all if there is no terminal', async () => {
    expect(await hostsIn(line.map((one) => ({ ...one, isInTerminal: false })))).toEqual([1, 2, 3, 4, 5]);
  });

  it('are not recognised by a pid that another process has by now', async () => {
    const keyOf = async (pid: number) => (pid === 5 ? '1' : '2');
    const hosts = new CallerHosts({ lineageOf: async () => [line], keyOf });
    await hosts.note(5);
    expect(await hosts.isHost(2, () => true)).toBe(false);
  });
});
