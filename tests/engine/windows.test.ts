import { describe, expect, it } from 'vitest';
import type { WindowRequest } from '../../src/ports/desktop/windows.ts';
import type { SimulatedWindow } from '../simulated/simulated-world.ts';
import { app, DEADLINE, failureOf, stage, windowWith, type Stage } from './support/stage.ts';
import { spelled } from '../spelled.ts';

/** An active window `Other` of another application above the window `Document` of `Editor`. */
async function twoWindows(
  changes: Partial<SimulatedWindow> = {},
): Promise<Stage & { document: SimulatedWindow }> {
  const document = windowWith([], { id: 'doc', title: 'Document', ...changes });
  const other = windowWith([], { id: 'other', title: 'Other', focused: true });
  const on = await stage([
    app({ windows: [document] }),
    app({ id: 'second', name: 'Second', pid: 200, windows: [other] }),
  ]);
  return { ...on, document };
}

function ask(on: Stage, request: WindowRequest, window = 'Document') {
  return on.engine.controlWindow({ ...DEADLINE, request, window });
}

const ACTIVE = { kind: 'focus', role: 'window' };

describe('a window is', () => {
  it.each<[WindowRequest, object, string]>([
    [
      { kind: 'move', x: -20, y: 30 },
      { bounds: { x: -20, y: 30, width: 800, height: 600 } },
      'at -20,30 (was at 0,0)',
    ],
    [
      { kind: 'resize', width: 300, height: 200 },
      { bounds: { x: 0, y: 0, width: 300, height: 200 } },
      'of 300x200 pixels (was of 800x600 pixels)',
    ],
    [{ kind: 'minimize' }, { minimized: true }, 'minimized (was neither minimized nor maximized)'],
    [{ kind: 'maximize' }, { maximized: true }, 'maximized (was neither minimized nor maximized)'],
  ])('changed by %o, read afresh, and the focus stays', async (request, state, words) => {
    const on = await twoWindows();
    const receipt = await ask(on, request);
    expect(receipt).toMatchObject({
      target: { ref: '@w1', role: 'window', name: 'Document' },
      window: { title: 'Document', focused: false, ...state },
      effect: 'confirmed',
      evidence: [`a fresh read shows it ${words}`],
      via: `simulated:${request.kind}`,
      delivered: true,
      retry_safe: true,
    });
    expect(receipt.already).toBeUndefined();
    expect(receipt.changes).toBeUndefined();
    expect(on.document).toMatchObject(state);
  });

  it('resized where it is, even if its window manager moves it', async () => {
    const on = await twoWindows({ drift: { x: -1, y: -20 } });
    const receipt = await ask(on, { kind: 'resize', width: 300, height: 200 });
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      evidence: ['a fresh read shows it of 300x200 pixels (was of 800x600 pixels)'],
      via: 'simulated:resize, simulated:move',
      window: { bounds: { x: 0, y: 0, width: 300, height: 200 } },
    });
  });

  it.each(['ignores', 'refuses'] as const)(
    'said to be moved if its window manager %s to move it back',
    async (how) => {
      const on = await twoWindows({ drift: { x: -1, y: -20 }, [how]: ['move'] });
      expect(await ask(on, { kind: 'resize', width: 300, height: 200 })).toMatchObject({
        effect: 'confirmed',
        evidence: [
          'a fresh read shows it of 300x200 pixels (was of 800x600 pixels)',
          'it was also moved from 0,0 to -1,-20, and did not go back',
        ],
      });
    },
  );

  it('focused, which the changes show', async () => {
    const on = await twoWindows();
    const receipt = await ask(on, { kind: 'focus' });
    expect(receipt).toMatchObject({ effect: 'confirmed', window: { focused: true } });
    expect(receipt.changes).toEqual([{ ...ACTIVE, ref: '@w1', name: 'Document' }]);
  });

  it('restored from both states', async () => {
    const on = await twoWindows({ minimized: true, maximized: true });
    const { window, evidence } = await ask(on, { kind: 'restore' });
    expect(window).toMatchObject({ minimized: false });
    expect(window.maximized).toBeUndefined();
    expect(evidence).toEqual([
      'a fresh read shows it neither minimized nor maximized (was minimized and maximized)',
    ]);
  });

  it('requested all the same if it is only about to change', async () => {
    const on = await twoWindows();
    on.world.clock.after(30, () => {
      on.document.minimized = true;
    });
    expect(await ask(on, { kind: 'restore' })).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(on.document.minimized).toBe(false);
  });

  it('not sent a request that already holds', async () => {
    const on = await twoWindows({ ignores: ['minimize'], minimized: true });
    expect(await ask(on, { kind: 'minimize' })).toMatchObject({
      effect: 'confirmed',
      evidence: ['already minimized'],
      already: true,
      delivered: false,
      via: 'none',
    });
  });

  it('sent a request that holds only according to its tree', async () => {
    const on = await twoWindows({ minimized: true, isTreeOnly: true });
    expect(await ask(on, { kind: 'minimize' })).toMatchObject({ via: 'simulated:minimize', delivered: true });
  });

  it('the active one by default', async () => {
    const on = await twoWindows();
    const receipt = await on.engine.controlWindow({ ...DEADLINE, request: { kind: 'move', x: 5, y: 5 } });
    expect(receipt.window.title).toBe('Other');
    expect(on.document.bounds.x).toBe(0);
  });
});

describe('a request without full effect', () => {
  it('changes nothing, with the receipt in the failure', async () => {
    const on = await twoWindows({ ignores: ['move'] });
    const failure = await failureOf(ask(on, { kind: 'move', x: 7, y: 7 }));
    expect(failure).toMatchObject({
      code: 'ACTION_FAILED',
      exitCode: 4,
      delivered: true,
      result: {
        effect: 'no_op',
        evidence: ['a fresh read shows it at 0,0, not at 7,7'],
        window: { ref: '@w1' },
      },
    });
  });

  it('with a partial effect reports the real size', async () => {
    const on = await twoWindows({ minimumSize: { width: 400, height: 100 } });
    const failure = await failureOf(ask(on, { kind: 'resize', width: 300, height: 200 }));
    expect(failure).toMatchObject({
      code: 'ACTION_FAILED',
      result: {
        effect: 'partial',
        evidence: ['a fresh read shows it of 400x200 pixels, not of 300x200'],
        window: { bounds: { width: 400, height: 200 } },
      },
    });
  });

  it('late is waited for', async () => {
    const on = await twoWindows({ ignores: ['minimize'] });
    on.world.clock.after(600, () => (on.document.minimized = true));
    expect(await ask(on, { kind: 'minimize' })).toMatchObject({ effect: 'confirmed' });
  });

  it('that held only for a moment does not count', async () => {
    const on = await twoWindows();
    on.world.clock.after(60, () => (on.document.minimized = false));
    const failure = await failureOf(ask(on, { kind: 'minimize' }));
    expect(failure).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
  });

  it('that is known to have no effect is refused before anything is sent', async () => {
    const on = await twoWindows({ refuses: ['resize'] });
    expect(await failureOf(ask(on, { kind: 'resize', width: 1, height: 1 }))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
  });

  it('to a window that closes meanwhile reports that', async () => {
    const on = await twoWindows({ ignores: ['move'] });
    on.world.clock.after(50, () => on.world.apps[0]?.windows.splice(0));
    expect(await failureOf(ask(on, { kind: 'move', x: 1, y: 1 }))).toMatchObject({
      code: 'WINDOW_NOT_FOUND',
      message: 'The window "Document" was closed meanwhile.',
      delivered: true,
    });
  });

  it('to a missing window finds none', async () => {
    const on = await twoWindows();
    expect(await failureOf(ask(on, { kind: 'minimize' }, 'Nothing'))).toMatchObject({
      code: 'WINDOW_NOT_FOUND',
      delivered: false,
    });
  });

  it('ends when the caller cancels', async () => {
    const on = await twoWindows({ ignores: ['minimize'] });
    const caller = new AbortController();
    on.world.clock.after(100, () => caller.abort());
    const asked = on.engine.controlWindow({
      ...DEADLINE,
      request: { kind: 'minimize' },
      window: 'Document',
      signal: caller.signal,
    });
    expect(await failureOf(asked)).toMatchObject({ code: 'CANCELLED', delivered: true });
  });
});

describe('focus', () => {
  it('that the display does not confirm is unverified', async () => {
    const on = await twoWindows();
    const list = on.desktop.listWindows.bind(on.desktop);
    on.desktop.listWindows = async (options) =>
      (await list(options)).map((window) => ({ ...window, hasInput: false }));
    expect(await ask(on, { kind: 'focus' })).toMatchObject({
      effect: 'unverified',
      evidence: ['a fresh read shows it active, but it does not receive the keys'],
    });
  });
});

describe('closing', () => {
  it('is confirmed when the window has closed', async () => {
    const on = await twoWindows();
    expect(await ask(on, { kind: 'close' })).toMatchObject({
      effect: 'confirmed',
      evidence: ['the window is no longer listed'],
      changes: [{ kind: 'window_closed', name: 'Document' }],
      retry_safe: false,
    });
    expect(on.world.apps[0]?.windows).toEqual([]);
  });

  it('that is answered by a question names the window with the question', async () => {
    const on = await twoWindows({
      onClose: ({ apps }) => apps[0]?.windows.push(windowWith([], { id: 'ask', title: 'Save?' })),
    });
    const failure = await failureOf(ask(on, { kind: 'close' }));
    expect(failure).toMatchObject({
      code: 'ACTION_FAILED',
      result: {
        effect: 'partial',
        evidence: ['a window of the application appeared: "Save?"', 'the window is still open'],
        retry_safe: false,
        changes: [{ kind: 'window_opened', ref: '@w2', name: 'Save?' }],
      },
    });
    expect(spelled(failure.suggestion)).toContain('--window @w2');
    expect(await on.engine.title({ ...DEADLINE, window: '@w2' })).toBe('Save?');
  });

  it('that is ignored changed nothing', async () => {
    const on = await twoWindows({ ignores: ['close'] });
    const started = on.world.clock.now();
    expect(await failureOf(ask(on, { kind: 'close' }))).toMatchObject({
      code: 'ACTION_FAILED',
      result: { effect: 'no_op', evidence: ['the window is still open'] },
    });
    expect(on.world.clock.now() - started).toBeLessThan(4000);
  });
});
