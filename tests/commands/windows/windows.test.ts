import { describe, expect, it } from 'vitest';
import closeWindow from '../../../src/commands/windows/close-window.ts';
import focusWindow from '../../../src/commands/windows/focus-window.ts';
import maximize from '../../../src/commands/windows/maximize.ts';
import minimize from '../../../src/commands/windows/minimize.ts';
import moveWindow from '../../../src/commands/windows/move-window.ts';
import resizeWindow from '../../../src/commands/windows/resize-window.ts';
import restore from '../../../src/commands/windows/restore.ts';
import type { WindowReceipt } from '../../../src/model/effects/effect.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { RECEIPT, WINDOW } from '../samples.ts';
import { spelled } from '../../spelled.ts';

const ANSWER: WindowReceipt = { ...RECEIPT, target: { ref: '@w1', role: 'window' }, window: WINDOW };
const desktop = () => fakeDesktop({ controlWindow: async () => ANSWER });
const common = (signal: AbortSignal) => ({
  deadlineMs: 10_000,
  settle: { quietMs: 80, limitMs: 1000 },
  signal,
});

describe('a window command requests the change of its name', () => {
  it.each([minimize, maximize, restore])('$name', async (command) => {
    const { ctx, calls } = desktop();
    const output = await command.run(ctx, command.input.parse({ window: '@w3' }));
    expect(command.output.parse(output)).toEqual(ANSWER);
    const request = { kind: command.name };
    expect(calls).toEqual([
      { method: 'controlWindow', request: { ...common(ctx.signal), request, app: undefined, window: '@w3' } },
    ]);
  });

  it('move-window, with a position', async () => {
    const { ctx, calls } = desktop();
    await moveWindow.run(ctx, moveWindow.input.parse({ x: -5, y: 40, app: 'KCalc', timeout_ms: 700 }));
    expect(calls[0]?.request).toMatchObject({
      request: { kind: 'move', x: -5, y: 40 },
      app: 'KCalc',
      deadlineMs: 700,
    });
    for (const input of [{ x: 1 }, { x: 0.5, y: 1 }, { x: 1e9, y: 1 }])
      expect(moveWindow.input.safeParse(input).success).toBe(false);
  });

  it('resize-window, with a size', async () => {
    const { ctx, calls } = desktop();
    await resizeWindow.run(ctx, resizeWindow.input.parse({ width: 640, height: 480 }));
    expect(calls[0]?.request).toMatchObject({ request: { kind: 'resize', width: 640, height: 480 } });
    for (const input of [
      { width: 0, height: 5 },
      { width: -3, height: 5 },
      { width: 70_000, height: 5 },
    ])
      expect(resizeWindow.input.safeParse(input).success).toBe(false);
  });

  it('close-window, with a named window', async () => {
    const { ctx, calls } = desktop();
    await closeWindow.run(ctx, closeWindow.input.parse({ app: 'KCalc' }));
    expect(calls[0]?.request).toMatchObject({ request: { kind: 'close' }, app: 'KCalc' });
    expect(spelled(closeWindow.input.safeParse({}).error?.issues[0]?.message)).toBe('or --app is needed');
  });

  it('focus-window, by title', async () => {
    const { ctx, calls } = desktop();
    await focusWindow.run(ctx, focusWindow.input.parse({ title: 'calc' }));
    expect(calls[0]?.request).toMatchObject({ request: { kind: 'focus' }, window: 'calc' });
    expect(focusWindow.input.safeParse({}).success).toBe(false);
    expect(focusWindow.input.safeParse({ window: '@w1', title: 'calc' }).success).toBe(false);
  });
});
