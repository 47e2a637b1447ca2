import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { button, DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';

const BOX: Bounds = { x: 10, y: 100, width: 200, height: 60 };

async function viaBeside(list: SimulatedNode[]): Promise<string> {
  const field: SimulatedNode = {
    id: 'field',
    role: 'combobox',
    name: 'Address',
    states: ['expanded'],
    bounds: BOX,
    children: list,
  };
  const on = await stage(oneWindow([button('go', 'Go'), field]));
  return (await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') })).via;
}

const item = (y: number): SimulatedNode => ({
  id: `item ${y}`,
  role: 'option',
  name: 'One',
  bounds: { x: 10, y, width: 200, height: 20 },
});

it('what drops down from a combo box goes with a click elsewhere, so that is made with the pointer', async () => {
  expect(await viaBeside([item(160)])).toContain('pointer');
});

it('a list that is inside its combo box at all times does not send other acts to the pointer', async () => {
  expect(await viaBeside([item(110), item(130)])).not.toContain('pointer');
});

describe('a click by hand', () => {
  /** The display has a popup of this kind elsewhere. */
  async function under(
    kind: 'menus' | 'lists',
    box: Partial<SimulatedNode>,
    go: Partial<SimulatedNode> = {},
  ): Promise<(ref?: string) => Promise<{ readonly via: string }>> {
    const colour: SimulatedNode = { id: 'box', role: 'combobox', name: 'Colour', bounds: BOX, ...box };
    const on = await stage(oneWindow([button('go', 'Go', go), colour]));
    const contentAt = on.desktop.contentAt.bind(on.desktop);
    const desktop: DesktopPort = on.desktop;
    desktop.contentAt = async (point, options) => ({
      ...(await contentAt(point)),
      ...(options[kind] === true ? { isBehindMenu: true } : {}),
    });
    const own = await refOf(on.engine, 'Go');
    return async (ref = own) =>
      on.engine.gesture({ ...DEADLINE, deadlineMs: 1000, ref, gesture: 'triple-click' });
  }

  const list = { states: ['expanded'], children: [item(160)] } as const satisfies Partial<SimulatedNode>;

  it('is not sent where it would only close the list of a combo box', async () => {
    const click = await under('lists', list);
    const error = await failureOf(click());
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(error.message).toContain('the list of a combobox "Colour" is open');
    // Qt 5 and GTK 3 and 4 do not report that it is expanded.
    expect((await failureOf((await under('lists', { children: [item(160)] }))())).code).toBe(
      'NOT_ACTIONABLE',
    );
  });

  it('is sent past the suggestions of a field, and past lists that show in no popup', async () => {
    expect((await (await under('lists', { ...list, states: ['expanded', 'editable'] }))()).via).toContain(
      'pointer',
    );
    expect((await (await under('lists', { states: ['collapsed'] }))()).via).toContain('pointer');
    expect((await (await under('menus', list, { role: 'menuitem' }))()).via).toContain('pointer');
  });

  it('is not sent where it would only close a menu, unless what opened that is clicked', async () => {
    const error = await failureOf((await under('menus', {}))());
    expect(error.message).toContain('a menu of its application is open');
    expect((await (await under('menus', {}, { states: ['expanded'] }))()).via).toContain('pointer');
  });
});

describe('an open popover of GTK 3', () => {
  const inside = button('in', 'Inside');
  const popover: SimulatedNode = {
    id: 'popover',
    role: 'group',
    states: ['modal'],
    bounds: BOX,
    children: [{ ...inside, bounds: { x: 20, y: 110, width: 40, height: 20 } }],
  };

  it('takes the next click: an action on what is outside of it is refused', async () => {
    const on = await stage(oneWindow([button('go', 'Go'), popover]));
    const error = await failureOf(on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  });

  it('is worked itself, with what it opened over it, and closed by what opened it', async () => {
    const opener = { ...button('go', 'Go'), states: ['pressed'] } as const satisfies SimulatedNode;
    const over: SimulatedNode = { ...button('over', 'Over'), role: 'option' };
    const on = await stage(oneWindow([opener, popover, over]));
    for (const name of ['Inside', 'Over', 'Go'])
      expect((await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name) })).delivered).toBe(
        true,
      );
  });
});
