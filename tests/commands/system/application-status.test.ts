import { describe, expect, it } from 'vitest';
import { applicationStatus, outlineApplication } from '../../../src/commands/system/application-status.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { WindowSummary } from '../../../src/model/refs/target.ts';
import { fakeDesktop } from '../fake-engine.ts';

const WINDOW: WindowSummary = {
  ref: '@w1',
  id: 'x1',
  title: 'Draft',
  app: 'editor',
  pid: 7,
  focused: true,
  minimized: false,
  accessible: true,
};

const SHOWN: Awaited<ReturnType<Engine['snapshot']>> = {
  app: 'editor',
  window: WINDOW,
  refCount: 1,
  tree: {
    role: 'window',
    children: [
      { role: 'menubar', children: [{ role: 'menuitem', name: 'File' }] },
      { role: 'textbox', name: 'Text', value: 'secret plans', states: ['focused'], ref: '@e1' },
    ],
  },
  explanation: { state: 'idle', patterns: [], suggestions: [] },
  complete: true,
  incompleteReasons: [],
  elided: 0,
  cursor: 'c1',
  nodeCount: 3,
  callCount: 1,
};

async function statusWith(snapshot: Engine['snapshot']) {
  const { ctx } = fakeDesktop({ listWindows: async () => [WINDOW], snapshot });
  return applicationStatus(ctx, 'editor', 5000);
}

const failing = (code: 'APP_UNRESPONSIVE' | 'ACTION_NOT_SUPPORTED' | 'BUS_UNAVAILABLE') => () =>
  Promise.reject(new DeskterityError(code, 'It failed.', { suggestion: 'Try again.' }));

describe('the status of an application', () => {
  it('has its state, windows, menus and focus, without what is typed there', async () => {
    const status = await statusWith(async () => SHOWN);
    expect(status).toMatchObject({
      app: 'editor',
      pid: 7,
      state: 'idle',
      windows: [{ ref: '@w1' }],
      focused_element: { role: 'textbox', name: 'Text', ref: '@e1' },
      menu_bar: ['File'],
    });
    expect(JSON.stringify(status)).not.toContain('secret');
    expect(outlineApplication(status)).toContain('focus: textbox "Text" @e1\nmenus: File');
  });

  it('is busy if it does not answer', async () => {
    expect(await statusWith(failing('APP_UNRESPONSIVE'))).toMatchObject({ state: 'busy', windows: [{}] });
  });

  it('has no state if its window shows no elements', async () => {
    const status = await statusWith(failing('ACTION_NOT_SUPPORTED'));
    expect(status.state).toBeUndefined();
    expect(outlineApplication(status)).toContain('state unknown');
  });

  it('fails as reading does otherwise', async () => {
    await expect(statusWith(failing('BUS_UNAVAILABLE'))).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  });
});
