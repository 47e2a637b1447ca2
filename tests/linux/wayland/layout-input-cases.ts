import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { inputContract } from '../../contract/input-contract.ts';
import { buildHolder } from './build-holder.ts';
import { RawInput } from './raw-input.ts';
import { CALL, WaylandStage, type StageDisplay } from './stage.ts';

/** Keyboard and pointer of a compositor that takes keys of the user's layout, judged by what reached a window. */
export function layoutInputCases(
  name: string,
  display: StageDisplay,
  {
    notch,
    hasKeyboard,
  }: {
    /** What a window is told of one notch. */
    readonly notch: string;
    /** Whether windows can have the keyboard focus before there is a device of ours. */
    readonly hasKeyboard: boolean;
  },
): void {
  inputContract(name, async () => {
    const stage = await WaylandStage.start(display);
    await stage.desktop.status(CALL);
    const raw = await RawInput.start(stage.place.environment);
    return {
      input: stage.desktop.input,
      stopSwitch: stage.desktop.stopSwitch,
      held: () => raw.held(),
      // The compositor does not tell.
      useHands: undefined,
      sleep,
      now: () => performance.now(),
      stop: async () => {
        raw.stop();
        await stage.stop();
      },
    };
  });

  describe(`keyboard and pointer of ${name}`, () => {
    let stage: WaylandStage;
    let raw: RawInput;
    beforeAll(async () => {
      stage = await WaylandStage.start(display);
      raw = await RawInput.start(stage.place.environment, { hasKeyboard });
    });
    afterAll(async () => {
      raw.stop();
      await stage.stop();
    });

    it('lose nothing, not even the first event of an application that was there before them', async () => {
      const lease = await stage.desktop.input.take('first', CALL);
      await lease.press(parseKeyCombination('F5'), CALL);
      await lease.endLease();
      expect((await raw.log()).filter(([kind]) => kind.startsWith('key'))).toEqual([
        ['key-down', 'F5'],
        ['key-up', 'F5'],
      ]);
    });

    it('press combinations in order and release them in reverse', async () => {
      const lease = await stage.desktop.input.take('keys', CALL);
      await raw.log();
      await lease.press(parseKeyCombination('ctrl+shift+s'), CALL);
      await lease.endLease();
      expect(await raw.log()).toEqual([
        ['key-down', 'Control_L'],
        ['key-down', 'Shift_L'],
        ['key-down', 'S'],
        ['key-up', 'S'],
        ['key-up', 'Shift_L'],
        ['key-up', 'Control_L'],
      ]);
    });

    it('press nothing of a text that the layout does not have', async () => {
      const lease = await stage.desktop.input.take('text', CALL);
      await raw.log();
      const typing = lease.type(`${'a'.repeat(200)}é`, { ...CALL, delayMs: 0, check: async () => undefined });
      await expect(typing).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        delivered: false,
        message: expect.stringContaining('é'),
      });
      expect(await raw.log()).toEqual([]);
      await lease.type('A$', { ...CALL, delayMs: 0, check: async () => undefined });
      await lease.endLease();
      expect((await raw.log()).filter(([kind]) => kind === 'key-down').map(([, name]) => name)).toEqual([
        'Shift_L',
        'A',
        'Shift_L',
        'dollar',
      ]);
    });

    it('click, double-click and scroll where the pointer is', async () => {
      const lease = await stage.desktop.input.take('mouse', CALL);
      await lease.moveTo({ x: 321, y: 123 }, CALL);
      expect(await stage.desktop.input.pointer(CALL)).toEqual({ x: 321, y: 123 });
      await raw.log();
      await lease.click('left', 2, CALL);
      await lease.click('right', 1, CALL);
      await lease.wheel({ x: 0, y: 2 }, CALL);
      await lease.wheel({ x: -1, y: 0 }, CALL);
      await lease.endLease();
      const log = await raw.log();
      expect(log.filter(([kind]) => kind.startsWith('button'))).toEqual([
        ['button-down', 'button 1'],
        ['button-up', 'button 1'],
        ['button-down', 'button 1'],
        ['button-up', 'button 1'],
        ['button-down', 'button 3'],
        ['button-up', 'button 3'],
      ]);
      expect(log.filter(([kind]) => kind === 'scroll')).toEqual([
        ['scroll', `0.0,${notch}`],
        ['scroll', `0.0,${notch}`],
        ['scroll', `-${notch},0.0`],
      ]);
    });

    it('refuse keys for a window that does not have the focus', async () => {
      const lease = await stage.desktop.input.take('into', CALL);
      await raw.log();
      await expect(lease.press(parseKeyCombination('a'), { ...CALL, into: 'none' })).rejects.toMatchObject({
        code: 'NOT_ACTIONABLE',
        delivered: false,
        retryable: true,
      });
      expect(await raw.log()).toEqual([]);
      await lease.endLease();
    });

    it('release everything when their process is killed', async () => {
      const { file, folder } = await buildHolder();
      const child = spawn(process.execPath, [file], {
        env: { ...stage.place.environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      expect(await raw.held()).toEqual(['Shift', 'left button']);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const other = new LinuxDesktop(stage.place.environment);
      const lease = await other.input.take('after', CALL);
      await expect.poll(() => raw.held(), { timeout: 3000 }).toEqual([]);
      await lease.endLease();
      await other.close();
      rmSync(folder, { recursive: true });
    });
  });
}
