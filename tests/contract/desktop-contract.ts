import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../src/model/tree/node.ts';
import type { TreeResult } from '../../src/ports/desktop/elements.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';
import type { DesktopWindow, WindowRequest } from '../../src/ports/desktop/windows.ts';
import { windowOf, type ContractWorld, type Lack } from './contract-world.ts';

const DEADLINE = { deadlineMs: 5000 };

/** What every adapter must do alike. Runs against the simulator and against each real toolkit. */
export function desktopContract(name: string, start: () => Promise<ContractWorld>): void {
  describe(`desktop contract: ${name}`, () => {
    let world: ContractWorld;
    beforeAll(async () => {
      world = await start();
    });
    afterAll(async () => {
      await world.stop();
    });

    const lacks = (lack: Lack): boolean => world.lacks?.has(lack) === true;

    const read = async (
      options: Partial<{
        wholeTree: boolean;
        maxDepth: number;
        maxNodes: number;
        includeActions: boolean;
      }> = {},
    ): Promise<TreeResult> => {
      const window = await windowOf(world);
      if (!window.root) throw new Error('the window has no tree');
      return world.desktop.readTree({
        ...DEADLINE,
        root: window.root,
        wholeTree: false,
        maxNodes: 20_000,
        includeActions: false,
        ...options,
      });
    };
    const node = async (wanted: string, role?: string): Promise<TreeNode> => {
      const { root } = await read();
      const found = flatten(root).find(
        (candidate) => candidate.name === wanted && (role === undefined || candidate.role === role),
      );
      if (!found)
        throw new Error(
          `no ${role ?? 'element'} ${wanted} in ${flatten(root)
            .map((candidate) => `${candidate.role}:${candidate.name}`)
            .join(' ')}`,
        );
      return found;
    };

    /** By the clock of the world: that of the simulator does not go by itself. */
    const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
      for (let looks = 0; looks < 100; looks++) {
        if (await holds()) return;
        await world.sleep(50);
      }
      throw new Error(`waited in vain for ${what}`);
    };

    it('tells of notifications until that is ended, and of no popup where none is open', async () => {
      const heard: string[] = [];
      const end = await world.desktop.watchNotifications(
        { notified: ({ app, summary }) => heard.push(`${app}: ${summary}`), lost: () => undefined },
        DEADLINE,
      );
      await world.notify('First');
      await until('the notification', async () => heard.length > 0);
      end();
      await world.notify('Second');
      await world.sleep(100);
      expect(heard).toEqual(['Contract: First']);
      const popups = await world.desktop.listPopups(DEADLINE);
      expect(popups.filter(({ pid }) => pid === world.pid)).toEqual([]);
    });

    it('lists the application by pid, as readable and answering', async () => {
      const apps = await world.desktop.listApps(DEADLINE);
      expect(apps.find((app) => app.pid === world.pid)).toMatchObject({ accessible: true, responsive: true });
    });

    it('has a clipboard that keeps a text until it is cleared', async () => {
      const { clipboard } = world.desktop;
      const content = { kind: 'text', text: 'ąę 😀' } as const;
      const changes: string[] = [];
      const end = await clipboard.watch((change) => changes.push(change), DEADLINE);
      expect(await clipboard.write({ ...DEADLINE, content, outlivesCall: true })).not.toEqual([]);
      expect(clipboard.isOwned).toBe(true);
      expect(await clipboard.read('text', DEADLINE)).toEqual(content);
      expect(await clipboard.formats(DEADLINE)).toMatchObject({ text: true, image: false });
      await expect(clipboard.read('image', DEADLINE)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
      await clipboard.clear(DEADLINE);
      expect(await clipboard.formats(DEADLINE)).toEqual({ names: [], text: false, image: false });
      expect(clipboard.isOwned).toBe(false);
      for (let looks = 0; changes.length < 2 && looks < 60; looks++) await world.sleep(50);
      // GNOME tells of it twice when it is cleared.
      expect(changes.length).toBeGreaterThanOrEqual(2);
      expect(new Set(changes)).toEqual(new Set(['changed']));
      end();
    });

    it('shows a probe that is an application like any other until it is closed', async ({ skip }) => {
      if (lacks('probe')) skip('this display has no probe window');
      const probe = await world.desktop.openProbe(DEADLINE);
      const ids = async () => (await world.desktop.listWindows(DEADLINE)).map(({ id }) => id);
      expect(await ids()).toContain(probe.windowId);
      expect(await probe.hasKeyboard(DEADLINE)).toBe(false);
      await world.desktop.press(probe.elements.button, DEADLINE);
      expect(await probe.until((record) => record.some(({ kind }) => kind === 'pressed'), DEADLINE)).toBe(
        true,
      );
      await world.desktop.setValue(probe.elements.slider, '7', DEADLINE);
      expect(probe.content.level).toBe(7);
      await probe.close();
      // Until the window manager has seen it too.
      await expect.poll(ids).not.toContain(probe.windowId);
    });

    it('lists its window with title, size and tree', async () => {
      const window = await windowOf(world);
      expect(window).toMatchObject({ pid: world.pid, minimized: false, accessible: true });
      expect(window.bounds?.width).toBeGreaterThan(100);
      expect(window.root).toBeDefined();
    });

    it('moves, resizes, maximizes, minimizes and restores its window', async () => {
      const { id, bounds } = await windowOf(world);
      if (!bounds) throw new Error('the window is nowhere');
      const wanted = {
        x: bounds.x + 31,
        y: bounds.y + 17,
        width: bounds.width + 40,
        height: bounds.height + 20,
      };
      const ask = (request: WindowRequest) => world.desktop.controlWindow(id, request, DEADLINE);
      const becomes = async (state: Partial<DesktopWindow>): Promise<void> => {
        for (let looks = 0; looks < 60; looks++) {
          if (isDeepStrictEqual({ ...(await windowOf(world)), ...state }, await windowOf(world))) return;
          await world.sleep(50);
        }
        expect(await windowOf(world)).toMatchObject(state);
      };
      await ask({ kind: 'move', x: wanted.x, y: wanted.y });
      await becomes({ bounds: { ...bounds, x: wanted.x, y: wanted.y } });
      await ask({ kind: 'resize', width: wanted.width, height: wanted.height });
      await becomes({ bounds: wanted });
      const refusal = await ask({ kind: 'maximize' }).then(
        () => undefined,
        (error: unknown) => error instanceof DeskterityError && error.code,
      );
      expect(refusal).toBe(lacks('maximize') ? 'ACTION_NOT_SUPPORTED' : undefined);
      if (!lacks('maximize')) {
        await becomes({ maximized: true });
        await ask({ kind: 'restore' });
        await becomes({ maximized: false });
      }
      await ask({ kind: 'minimize' });
      await becomes({ minimized: true, focused: false });
      const { via } = await ask({ kind: 'restore' });
      await becomes({ minimized: false });
      await ask({ kind: 'focus' });
      await becomes({ focused: true });
      expect(via).not.toBe('');
      await ask({ kind: 'resize', width: bounds.width, height: bounds.height });
      await ask({ kind: 'move', x: bounds.x, y: bounds.y });
      await becomes({ bounds });
    });

    it('says of a modal dialog which window it is for, from the moment it is shown', async () => {
      const main = await windowOf(world);
      expect([main.modal, main.transientFor]).toEqual([false, undefined]);
      const shown = async (): Promise<DesktopWindow | undefined> =>
        (await world.desktop.listWindows({ ...DEADLINE, pid: world.pid })).find(
          ({ title, stacking }) => title === 'Confirm' && stacking !== undefined,
        );
      await world.showDialog(true);
      let dialog = await shown();
      for (let looks = 0; dialog === undefined && looks < 60; looks++) {
        await world.sleep(50);
        dialog = await shown();
      }
      expect(dialog).toMatchObject({
        ...(lacks('modality') ? {} : { modal: true }),
        ...(lacks('parents') ? {} : { transientFor: main.id }),
      });
      expect(dialog?.stacking).toBeGreaterThan(main.stacking ?? 0);
      await world.showDialog(false);
      for (let looks = 0; looks < 60 && (await shown()) !== undefined; looks++) await world.sleep(50);
      expect(await shown()).toBeUndefined();
    });

    it('finds no window that is not there to move', async () => {
      const asked = world.desktop.controlWindow(
        world.missingWindowId ?? 'x11:0x7fffffe',
        { kind: 'move', x: 0, y: 0 },
        DEADLINE,
      );
      await expect(asked).rejects.toMatchObject({ code: 'WINDOW_NOT_FOUND' });
    });

    it('reads every element once, inside the window', async () => {
      const window = await windowOf(world);
      const { root, complete, incompleteReasons, nodeCount } = await read();
      const nodes = flatten(root);
      expect({ complete, incompleteReasons }).toEqual({ complete: true, incompleteReasons: [] });
      expect(nodes.length).toBe(nodeCount);
      expect(new Set(nodes.map((entry) => entry.handle.path)).size).toBe(nodes.length);
      const button = await node('Press', 'button');
      expect(button.bounds?.x).toBeGreaterThanOrEqual(window.bounds?.x ?? 0);
      expect((button.bounds?.y ?? 0) + (button.bounds?.height ?? 0)).toBeLessThanOrEqual(
        (window.bounds?.y ?? 0) + (window.bounds?.height ?? 0),
      );
      expect(button.states).not.toContain('disabled');
    });

    it('shows more in a whole tree than on screen', async () => {
      const [screen, whole] = [await read(), await read({ wholeTree: true })];
      expect(whole.nodeCount).toBeGreaterThanOrEqual(screen.nodeCount);
    });

    it('marks what a depth or node limit leaves out', async () => {
      const shallow = await read({ maxDepth: 1 });
      const cut = flatten(shallow.root).filter((entry) => entry.elided === 'depth');
      expect(cut.length).toBeGreaterThan(0);
      expect(cut.every((entry) => (entry.childCount ?? 0) > 0 && entry.children.length === 0)).toBe(true);
      const few = await read({ maxNodes: 3 });
      expect(few.complete).toBe(false);
      expect(few.incompleteReasons).toEqual(['only the first 3 elements were read']);
      expect(flatten(few.root).length).toBeLessThanOrEqual(3);
    });

    it('tells actions when asked, and only then', async () => {
      const without = await node('Press', 'button');
      expect(without.actions).toBeUndefined();
      const { root } = await read({ includeActions: true });
      const button = flatten(root).find((entry) => entry.name === 'Press');
      expect(button?.actions?.length).toBeGreaterThan(0);
    });

    it('describes one element as the tree shows it', async () => {
      const button = await node('Press', 'button');
      const details = await world.desktop.describe(button.handle, DEADLINE);
      expect(details).toMatchObject({
        role: button.role,
        name: button.name,
        bounds: button.bounds,
        states: button.states,
      });
      expect(details.interfaces).toContain('Action');
    });

    it('presses a button once, as the application itself counts', async () => {
      const button = await node('Press', 'button');
      const before = await world.pressCount();
      const outcome = await world.desktop.press(button.handle, DEADLINE);
      expect(outcome).toMatchObject({ delivered: true });
      // Time for a second press that should not be.
      await world.sleep((await world.desktop.activationDelayMs(button.handle, DEADLINE)) + 150);
      expect(await world.pressCount()).toBe(before + 1);
    });

    it('tells which input an application had taken in when it opened a window', async ({ skip }) => {
      if (lacks('times')) skip('this display does not know');
      const { bounds } = await node('Press', 'button');
      if (!bounds) throw new Error('the button is nowhere');
      const point = {
        x: Math.round(bounds.x + bounds.width / 2),
        y: Math.round(bounds.y + bounds.height / 2),
      };
      const click = async (): Promise<number> => {
        const count = await world.pressCount();
        const lease = await world.desktop.input.take('contract', DEADLINE);
        await lease.moveTo(point, DEADLINE);
        await lease.click('left', 1, DEADLINE);
        for (let look = 0; look < 40 && (await world.pressCount()) === count; look++) await world.sleep(50);
        expect(await world.pressCount()).toBe(count + 1);
        const { pressedAtMs } = lease;
        await lease.endLease();
        if (pressedAtMs === undefined) throw new Error('the display did not say when');
        return pressedAtMs;
      };
      const first = await click();
      await world.sleep(20);
      const second = await click();
      expect(second).toBeGreaterThan(first);
      const before = await world.desktop.listWindows({ ...DEADLINE, pid: world.pid });
      await world.showDialog(true);
      let dialog: DesktopWindow | undefined;
      let told: number | undefined;
      await until('the dialog', async () => {
        const after = await world.desktop.listWindows({ ...DEADLINE, pid: world.pid });
        dialog = after.find(({ id }) => !before.some((window) => window.id === id));
        // Its application may show it before the display knows it.
        told = await world.desktop.userTimeMs(dialog?.id ?? '', DEADLINE).catch(() => undefined);
        return told !== undefined;
      });
      // Qt tells of events of any kind; what is pressed from now on comes later all the same.
      expect(told).toBeGreaterThanOrEqual(second);
      const { x, y } = dialog?.bounds ?? { x: Number.NaN, y: Number.NaN };
      const lease = await world.desktop.input.take('contract', DEADLINE);
      await lease.moveTo({ x: x + 3, y: y + 3 }, DEADLINE);
      await lease.click('left', 1, DEADLINE);
      expect(told).toBeLessThan(lease.pressedAtMs ?? 0);
      await lease.endLease();
      await world.showDialog(false);
      await until('the dialog to go', async () => {
        const windows = await world.desktop.listWindows({ ...DEADLINE, pid: world.pid });
        return windows.every(({ id }) => id !== dialog?.id);
      });
    });

    it('presses nothing when a click is taken back while the button is down', async () => {
      const { bounds } = await node('Press', 'button');
      if (!bounds) throw new Error('the button is nowhere');
      const before = await world.pressCount();
      const lease = await world.desktop.input.take('contract', DEADLINE);
      await lease.moveTo({ x: bounds.x + 10, y: bounds.y + 10 }, DEADLINE);
      const check = async () => {
        await world.sleep(50);
        throw new Error('something else lies there');
      };
      await expect(lease.click('left', 1, { ...DEADLINE, check })).rejects.toThrow(
        'something else lies there',
      );
      expect(lease.held).toEqual([]);
      // Time for a press that should not be.
      await world.sleep(300);
      expect(await world.pressCount()).toBe(before);
      await lease.moveTo({ x: bounds.x + 10, y: bounds.y + 10 }, DEADLINE);
      await lease.click('left', 1, { ...DEADLINE, check: () => world.sleep(50) });
      await lease.endLease();
      for (let look = 0; look < 40 && (await world.pressCount()) === before; look++) await world.sleep(50);
      expect(await world.pressCount()).toBe(before + 1);
    });

    it('writes text that the application then holds', async () => {
      const field = await node('Name', 'textbox');
      for (const text of ['Ada', 'zażółć 日本 😀', '']) {
        await world.desktop.setValue(field.handle, text, DEADLINE);
        await until(`the text ${text}`, async () => (await world.nameText()) === text);
        expect((await world.desktop.describe(field.handle, DEADLINE)).text ?? '').toBe(text);
      }
    });

    it('inserts text at the caret, where it was put', async () => {
      const field = await node('Name', 'textbox');
      await world.desktop.setValue(field.handle, 'abcd', DEADLINE);
      await until('the text', async () => (await world.nameText()) === 'abcd');
      await world.desktop.placeCaret(field.handle, { offset: 2 }, DEADLINE);
      expect(await world.desktop.caret(field.handle, DEADLINE)).toMatchObject({ offset: 2 });
      await world.desktop.insertText(field.handle, 'X', DEADLINE);
      await until('the letter', async () => (await world.nameText()) === 'abXcd');
      const button = await node('Press', 'button');
      expect(await world.desktop.caret(button.handle, DEADLINE)).toBeUndefined();
    });

    it('knows before an act whether accessibility does what a person would', async () => {
      const [button, field] = [await node('Press', 'button'), await node('Name', 'textbox')];
      await world.desktop.requireAction(button.handle, 'click', DEADLINE);
      for (const act of ['click', 'toggle', 'expand'] as const)
        await expect(world.desktop.requireAction(field.handle, act, DEADLINE)).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          delivered: false,
        });
    });

    it('writes a number that the application then holds', async () => {
      const slider = await node('Volume', 'slider');
      await world.desktop.setValue(slider.handle, '55', DEADLINE);
      await until('the number', async () => (await world.volume()) === 55);
      expect((await world.desktop.describe(slider.handle, DEADLINE)).range).toMatchObject({
        minimum: 0,
        maximum: 100,
        current: 55,
      });
    });

    it('refuses text where a number belongs, and writing where nothing can be written', async () => {
      const slider = await node('Volume', 'slider');
      await expect(world.desktop.setValue(slider.handle, 'loud', DEADLINE)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        delivered: false,
      });
      const button = await node('Press', 'button');
      await expect(world.desktop.setValue(button.handle, 'x', DEADLINE)).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        delivered: false,
      });
    });

    it('toggles a check box, or refuses before anything is sent where the toolkit offers no way', async () => {
      const box = await node('Agree', 'checkbox');
      const isChecked = async (): Promise<boolean> =>
        (await world.desktop.describe(box.handle, DEADLINE)).states.includes('checked');
      const before = await isChecked();
      const outcome = await world.desktop
        .perform(box.handle, 'toggle', DEADLINE)
        .catch((error: unknown) => error);
      await world.sleep((await world.desktop.activationDelayMs(box.handle, DEADLINE)) + 150);
      const isRefused = outcome instanceof DeskterityError;
      expect(outcome).toMatchObject(
        isRefused ? { code: 'ACTION_NOT_SUPPORTED', delivered: false } : { delivered: true },
      );
      expect(await isChecked()).toBe(isRefused ? before : !before);
    });

    it('refuses to toggle what has no two states', async () => {
      const field = await node('Name', 'textbox');
      await expect(world.desktop.perform(field.handle, 'toggle', DEADLINE)).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        delivered: false,
      });
    });

    it('tells of a changed name while somebody watches, and not after', async () => {
      const events: DesktopEvent[] = [];
      const stop = await world.desktop.watch((event) => events.push(event), DEADLINE);
      const { handle } = await node('Press', 'button');
      const isTold = (): boolean =>
        events.some((event) => event.node.path === handle.path || event.kind === 'name-changed');
      // Qt starts to send events a moment after somebody asked for them, so the first change may pass unsaid.
      for (let attempt = 0; attempt < 20 && !isTold(); attempt++) {
        await world.rename('press', `Pressed name ${attempt}`);
        await world.sleep(200);
      }
      expect(isTold()).toBe(true);
      stop();
      // What was on its way may still come.
      await world.sleep(50);
      const count = events.length;
      await world.rename('press', 'Press');
      // Longer than a change takes to be told.
      await world.sleep(200);
      expect(events.length).toBe(count);
    });

    it('lets one act at a time into an application, in the order in which they came', async () => {
      const { desktop } = world;
      const { appId: app } = await windowOf(world);
      const order: string[] = [];
      const first = await desktop.takeTurn({ app }, DEADLINE);
      expect(first.waited).toBe(false);
      await expect(desktop.takeTurn({ app }, { deadlineMs: 200 })).rejects.toMatchObject({
        code: 'CONFLICT',
        delivered: false,
        retryable: true,
      });
      // Another application is free.
      (await desktop.takeTurn({ app: '', pid: 4_000_000 }, DEADLINE)).end();
      const waiting = ['second', 'third'].map(async (who) => {
        const turn = await desktop.takeTurn({ app }, DEADLINE);
        order.push(`${who} ${turn.waited ? 'waited' : 'did not wait'}`);
        turn.end();
      });
      // Nobody gets in meanwhile.
      await world.sleep(200);
      expect(order).toEqual([]);
      first.end();
      first.end();
      await Promise.all(waiting);
      expect(order).toEqual(['second waited', 'third waited']);
      const again = await desktop.takeTurn({ app }, DEADLINE);
      expect(again.waited).toBe(false);
      again.end();
    });

    it('pictures the window at its size', async () => {
      const window = await windowOf(world);
      const image = await world.desktop.capture({ kind: 'window', windowId: window.id }, DEADLINE);
      expect(image.bgrx.length).toBe(image.width * image.height * 4);
      expect(image.width).toBeGreaterThanOrEqual(window.bounds?.width ?? 0);
    });

    it('gives up on a frozen application at the deadline', async () => {
      const window = await windowOf(world);
      const { root } = window;
      if (!root) throw new Error('the window has no tree');
      await world.freeze(1500);
      await expect(
        world.desktop.readTree({
          deadlineMs: 300,
          root,
          wholeTree: false,
          maxNodes: 20_000,
          includeActions: false,
        }),
      ).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE', retryable: true });
      await until('it to answer again', async () => (await read().catch(() => undefined))?.complete === true);
    });

    it('answers STALE_REF for what is gone', async () => {
      const button = await node('Press', 'button');
      await world.remove('press');
      const isGone = (): Promise<boolean> =>
        world.desktop.describe(button.handle, DEADLINE).then(() => false, isStale);
      await until('it to go', isGone);
      for (const call of calls(button.handle)) await expect(call(world)).rejects.toSatisfy(isStale);
    });
  });
}

function calls(handle: NodeHandle): ((world: ContractWorld) => Promise<unknown>)[] {
  return [
    (world) => world.desktop.describe(handle, DEADLINE),
    (world) => world.desktop.press(handle, DEADLINE),
    (world) => world.desktop.perform(handle, 'toggle', DEADLINE),
    (world) => world.desktop.describe({ app: ':9.9999', path: handle.path }, DEADLINE),
  ];
}

function isStale(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'STALE_REF';
}

export function flatten(root: TreeNode): TreeNode[] {
  return [root, ...root.children.flatMap(flatten)];
}
