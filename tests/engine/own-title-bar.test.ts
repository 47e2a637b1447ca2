import { describe, expect, it } from 'vitest';
import { guardPasswords } from '../../src/engine/redaction/guard-passwords.ts';
import { rememberAct } from '../../src/engine/evidence/prior-acts.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, pressing } from './support/acting.ts';
import { button, oneWindow, stage } from './support/stage.ts';

function minimize(world: SimulatedWorld): void {
  for (const window of world.apps[0]?.windows ?? []) window.minimized = true;
}

function minimizeAndTell(world: SimulatedWorld): void {
  minimize(world);
  world.emit('app', 'win-root', 'state-changed', 'active=0');
}

/** A bar along the top of the window, with `controls` at its end. */
function bar(controls: SimulatedNode[], x = 700): SimulatedNode {
  return {
    id: 'bar',
    role: 'group',
    bounds: { x: 0, y: 0, width: 800, height: 46 },
    children: [
      { id: 'controls', role: 'group', bounds: { x, y: 0, width: 100, height: 46 }, children: controls },
    ],
  };
}

const control = (run: (world: SimulatedWorld) => void, x = 710): SimulatedNode =>
  pressing(run, { bounds: { x, y: 10, width: 24, height: 24 } });
const close = (): SimulatedNode =>
  button('close', 'Close', { bounds: { x: 750, y: 10, width: 24, height: 24 } });

/** Whose event, its kind and its detail. */
type Told = readonly [string, 'state-changed' | 'window-changed', string];

async function effectOf(children: SimulatedNode[]): Promise<string> {
  return (await click(await stage(oneWindow(children)))).effect;
}

describe('a window that is minimized', () => {
  it('confirms the press of a window button in its own title bar', async () => {
    const receipt = await click(await stage(oneWindow([bar([control(minimizeAndTell), close()])])));
    expect(receipt).toMatchObject({ effect: 'confirmed', changes: [{ after: 'minimized' }] });
  });

  it('confirms it beside a line that sets the window buttons apart, as in GTK 3', async () => {
    const line: SimulatedNode = {
      id: 'line',
      role: 'separator',
      bounds: { x: 700, y: 0, width: 1, height: 46 },
    };
    expect(await effectOf([bar([line, control(minimizeAndTell), close()])])).toBe('confirmed');
  });

  it('confirms it beside the whole content of the window, as in Chromium, and in one of several bars', async () => {
    const content: SimulatedNode = {
      id: 'content',
      role: 'group',
      bounds: { x: 0, y: 0, width: 800, height: 600 },
      children: [{ id: 'page', role: 'text', name: 'Page' }],
    };
    expect(await effectOf([content, control(minimizeAndTell), close()])).toBe('confirmed');
    const right = bar([control(minimizeAndTell), close()]);
    expect(await effectOf([{ ...right, bounds: { x: 300, y: 0, width: 500, height: 46 } }])).toBe(
      'confirmed',
    );
  });

  it('confirms it beside a whole bar of tools, as in Thunderbird, but not between two of them', async () => {
    const tools = (x: number, width: number): SimulatedNode => ({
      id: `tools ${x}`,
      role: 'toolbar',
      bounds: { x, y: 0, width, height: 46 },
      children: [{ id: `find ${x}`, role: 'textbox' }],
    });
    const effectBeside = async (...bars: SimulatedNode[]): Promise<string> => {
      const row = [control(minimizeAndTell), close()];
      const bounds = { x: 0, y: 0, width: 800, height: 46 };
      return effectOf([{ id: 'row', role: 'group', bounds, children: [...bars, ...row] }]);
    };
    expect(await effectBeside(tools(0, 700))).toBe('confirmed');
    expect(await effectBeside(tools(0, 700), tools(776, 24))).toBe('unverified');
  });

  it('confirms it where another object of the application reports the states of the window, as in Gecko', async () => {
    const effectOfTelling = async (...from: readonly Told[]): Promise<string> => {
      const run = (world: SimulatedWorld): void => {
        minimize(world);
        for (const event of from) world.emit('app', ...event);
      };
      return effectOf([bar([control(run), close()])]);
    };
    const iconified: Told = ['unlisted', 'state-changed', 'iconified=1'];
    const deactivated: Told = ['win-root', 'window-changed', ''];
    expect(await effectOfTelling(iconified, deactivated)).toBe('confirmed');
    expect(await effectOfTelling(iconified)).toBe('unverified');
    expect(await effectOfTelling(deactivated)).toBe('unverified');
  });

  it.each<[string, SimulatedNode[]]>([
    [
      'one of many',
      [0, 1, 2, 3, 4].map((at) =>
        at === 0
          ? control(minimizeAndTell, 630)
          : button(`b${at}`, `B${at}`, { bounds: { x: 630 + at * 32, y: 10, width: 24, height: 24 } }),
      ),
    ],
    [
      'a button with a text',
      [control(minimizeAndTell), button('ok', 'OK', { bounds: { x: 740, y: 10, width: 60, height: 24 } })],
    ],
    ['the only button', [control(minimizeAndTell, 770)]],
    ['another button', [pressing(minimizeAndTell)]],
    ['a button in the middle of such a bar', [bar([control(minimizeAndTell, 310)], 300)]],
    ['a button beside a field', [bar([control(minimizeAndTell), { id: 'find', role: 'textbox' }])]],
    ['a window button, if the window does not tell when', [bar([control(minimize), close()])]],
  ])('does not confirm the press of %s', async (_what, children) => {
    expect(await effectOf(children)).toBe('unverified');
  });

  it('does not confirm it if that may be the late answer to the act before', async () => {
    const on = await stage(oneWindow([bar([control(minimizeAndTell), close()])]));
    rememberAct(guardPasswords(on.desktop), 'app', {
      sentAt: on.world.clock.now(),
      changed: new Set(),
      isOpen: true,
    });
    expect((await click(on)).effect).toBe('unverified');
  });

  it('does not confirm it if that was before the handler of the press can have run', async () => {
    const on = await stage(oneWindow([bar([control(() => undefined), close()])], { activationDelayMs: 250 }));
    on.world.clock.after(60, () => minimizeAndTell(on.world));
    expect((await click(on)).effect).toBe('unverified');
  });
});
