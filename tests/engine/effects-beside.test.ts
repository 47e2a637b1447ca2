import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWindow, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, every, pressing } from './support/acting.ts';
import { app, button, DEADLINE, refOf, stage, windowWith } from './support/stage.ts';

describe('a button that is disabled by its own click', () => {
  const place = (id: string, ...children: SimulatedNode[]): SimulatedNode => ({
    id,
    role: 'group',
    children,
  });

  /** `source` reports that it was disabled, with what is in it. */
  const pressed = async (
    source: string,
    disabled: readonly string[],
    more: Partial<SimulatedNode> = {},
  ): Promise<string> => {
    const run = (world: SimulatedWorld): void => {
      for (const id of disabled) world.node('app', id).states = ['disabled'];
      world.emit('app', source, 'state-changed', 'sensitive=0');
    };
    const bar = place('bar', place('mine', pressing(run, more)), place('theirs', button('sum', 'Sum')));
    return (await click(await stage([app({ windows: [windowWith([bar])] })]))).effect;
  };

  it('is confirmed by others whose place says that it was disabled', async () => {
    expect(await pressed('theirs', ['go', 'sum'])).toBe('confirmed');
  });

  it('is not confirmed by what disabled both: it may have come before the act', async () => {
    expect(await pressed('bar', ['go', 'sum'])).toBe('unverified');
  });

  it('is not confirmed by itself, or by what is in it', async () => {
    expect(await pressed('mine', ['go'])).toBe('unverified');
    const split = { children: [button('more', 'More')] };
    expect(await pressed('go', ['go', 'more'], split)).toBe('unverified');
  });

  it('is not confirmed by what disabled both, where it does not report that itself', async () => {
    expect(await pressed('bar', ['sum'])).toBe('unverified');
  });
});

describe('the title of another window of the application', () => {
  const pressed = async (title: string, isTold = true): Promise<string> => {
    const run = (world: SimulatedWorld): void => {
      const main = world.apps[0]?.windows.find(({ id }) => id === 'main');
      if (main !== undefined) main.title = title;
      world.node('app', 'main-root').name = title;
      if (isTold) world.emit('app', 'main-root', 'name-changed', 'accessible-name');
    };
    const main = windowWith([button('cut', 'Cut')], { id: 'main', title: 'notes 1' });
    const dialog = windowWith([pressing(run)], { id: 'dialog', title: 'Replace' });
    return (await click(await stage([app({ windows: [main, dialog] })]))).effect;
  };

  it('confirms a click in a dialog, as its own event says so', async () => {
    expect(await pressed('*notes 1')).toBe('confirmed');
  });

  it('confirms nothing without its event, or if only a number in it changed', async () => {
    expect(await pressed('*notes 1', false)).toBe('unverified');
    expect(await pressed('notes 2')).toBe('unverified');
  });
});

describe('the title of the target’s own window, of which no event tells', () => {
  const pressed = async (title: string, isShown = true, isInTree = true): Promise<string> => {
    const run = (world: SimulatedWorld): void => {
      const [window] = world.apps[0]?.windows ?? [];
      if (isShown && window !== undefined) window.title = title;
      if (isInTree) world.node('app', 'win-root').name = title;
    };
    const on = await stage([app({ windows: [windowWith([pressing(run)], { title: 'notes' })] })]);
    return (await click(on)).effect;
  };

  it('confirms an act if the display shows it, too', async () => {
    expect(await pressed('notes*')).toBe('confirmed');
    expect(await pressed('notes*', false)).toBe('unverified');
    expect(await pressed('notes*', true, false)).toBe('unverified');
    expect(await pressed('notes')).toBe('unverified');
  });
});

describe('the title of another window that changes by itself', () => {
  const retitle = (world: SimulatedWorld, title: string): void => {
    const main = world.apps[0]?.windows.find(({ id }) => id === 'main');
    if (main !== undefined) main.title = title;
    world.change('app', 'main-root', { name: title });
  };
  const main = (): SimulatedWindow => windowWith([button('cut', 'Cut')], { id: 'main', title: 'Chat' });

  it('does not confirm a click: it blinks for attention', async () => {
    const own = windowWith([pressing(() => undefined)], { id: 'own', title: 'Replace' });
    const on = await stage([app({ windows: [main(), own] })]);
    every(on.world, 700, 60, (beat) => retitle(on.world, beat % 2 === 0 ? 'New message!' : 'Chat'));
    expect((await click(on)).effect).toBe('unverified');
  });

  it('does not end the wait for an effect that comes late', async () => {
    const late = (world: SimulatedWorld): void => {
      const chat = world.apps[0]?.windows.find(({ id }) => id === 'main');
      if (chat !== undefined) chat.title = 'New message!';
      world.clock.after(700, () => world.change('app', 'done', { name: 'Done' }));
    };
    const own = windowWith([pressing(late), button('done', 'Not done')], { id: 'own', title: 'Replace' });
    const receipt = await click(await stage([app({ windows: [main(), own] })]));
    expect(receipt).toMatchObject({ effect: 'confirmed' });
  });

  it('does not confirm that a check box was switched which stays as it was', async () => {
    const box = pressing((world) => retitle(world, 'Chat with Ann'), { role: 'checkbox' });
    const own = windowWith([box], { id: 'own', title: 'Replace' });
    const on = await stage([app({ windows: [main(), own] })]);
    const answer = await on.engine
      .click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') })
      .catch((error: unknown) => error);
    expect(JSON.stringify(answer)).toContain('"effect":"no_op"');
  });
});

describe('an item of an open combo box', () => {
  const chosen = async (value: string, closes: boolean): Promise<string> => {
    const run = (world: SimulatedWorld): void => {
      if (!closes) return;
      world.node('app', 'go').states = ['hidden'];
      world.emit('app', 'go', 'state-changed', 'showing=0');
    };
    const items = [pressing(run, { role: 'menuitem' }), button('other', 'Other', { role: 'menuitem' })];
    const list: SimulatedNode = { id: 'list', role: 'menu', children: items };
    const box: SimulatedNode = { id: 'box', role: 'combobox', name: 'Kind', value, children: [list] };
    return (await click(await stage([app({ windows: [windowWith([box])] })]))).effect;
  };

  it('is confirmed by its list that closes, where the combo box still shows it', async () => {
    expect(await chosen('Go', true)).toBe('confirmed');
  });

  it('is not confirmed where the combo box shows another one, or the list stays open', async () => {
    expect(await chosen('Other', true)).toBe('unverified');
    expect(await chosen('Go', false)).toBe('unverified');
  });
});
