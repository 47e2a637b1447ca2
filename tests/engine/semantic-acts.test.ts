import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SemanticActKind } from '../../src/engine/requests/acting.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

async function perform(act: SemanticActKind, node: Partial<SimulatedNode>): Promise<Receipt> {
  const on = await stage(oneWindow([{ id: 'it', role: 'checkbox', name: 'It', ...node }]));
  return actOn(on, act);
}

async function actOn(on: Stage, act: SemanticActKind): Promise<Receipt> {
  return on.engine.act({ ...DEADLINE, mode: 'background', act, ref: await refOf(on.engine, 'It') });
}

const states =
  (...now: NonNullable<SimulatedNode['states']>): Run =>
  (world) =>
    world.change('app', 'it', { states: now });
/** Changes without an event, as in some toolkits. */
const silently =
  (...now: NonNullable<SimulatedNode['states']>): Run =>
  (world) => {
    world.node('app', 'it').states = now;
  };
const nothing: Run = () => undefined;
const never: Run = () => {
  throw new Error('something was sent');
};

describe('toggle', () => {
  const switching = (isTold: boolean) => (world: SimulatedWorld) => {
    world.remove('app', 'it');
    if (isTold) world.insert('app', 'win-root', { id: 'close', role: 'button', name: 'Close preview' });
  };

  it('is confirmed by the view that took the place of the button with its bar', async () => {
    const receipt = await perform('toggle', { role: 'togglebutton', onAct: { toggle: switching(true) } });
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
  });

  it('is unverified if the button only went away', async () => {
    const receipt = await perform('toggle', { role: 'togglebutton', onAct: { toggle: switching(false) } });
    expect(receipt).toMatchObject({ effect: 'unverified' });
  });

  it.each([
    ['checkbox', [], ['checked']],
    ['checkbox', ['checked'], []],
    ['checkbox', ['indeterminate'], ['checked']],
    ['switch', [], ['checked']],
    ['togglebutton', [], ['pressed']],
    ['radio', [], ['checked']],
    ['menuitemcheckbox', ['checked'], []],
    ['treeitem', [], ['checked']],
  ] as const)('a %s that was %j is confirmed by a fresh read and its own event', async (role, was, is) => {
    const receipt = await perform('toggle', { role, states: [...was], onAct: { toggle: states(...is) } });
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: true, via: 'simulated:toggle' });
    expect(receipt.evidence.join('\n')).toMatch(/fresh read: .*\n.*state-changed/s);
  });

  it('waits for its toolkit', async () => {
    const node: SimulatedNode = {
      id: 'it',
      role: 'checkbox',
      name: 'It',
      onAct: { toggle: states('checked') },
    };
    const on = await stage(oneWindow([node], { activationDelayMs: 250 }));
    expect(await actOn(on, 'toggle')).toMatchObject({ effect: 'confirmed' });
  });

  it('is unverified if the application sends no event', async () => {
    const receipt = await perform('toggle', { onAct: { toggle: silently('checked') } });
    expect(receipt).toMatchObject({ effect: 'unverified', delivered: true, retry_safe: false });
  });

  it('fails if a fresh read shows no other state, whatever else happened', async () => {
    const on = await stage(
      oneWindow([
        {
          id: 'it',
          role: 'checkbox',
          name: 'It',
          onAct: { toggle: (world) => world.change('app', 'label', { name: 'Touched' }) },
        },
        { id: 'label', role: 'text', name: 'Untouched' },
      ]),
    );
    const error = await failureOf(actOn(on, 'toggle'));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true, result: { effect: 'no_op' } });
    expect(error.result).toMatchObject({ retry_safe: false });
  });

  it('took effect in part for a button that was pressed and released again: it is not switched', async () => {
    const keyed: SimulatedNode['onAct'] = {
      toggle: (world) => {
        states('pressed')(world);
        states()(world);
      },
    };
    const error = await failureOf(perform('toggle', { role: 'togglebutton', onAct: keyed }));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true });
    expect(error.result).toMatchObject({ effect: 'partial', retry_safe: false });
    expect(error.message).toContain('pressed and released again');
  });

  it('is unverified for a button that only reports that it was held down, as in Java', async () => {
    const held: SimulatedNode['onAct'] = {
      toggle: (world) => {
        for (const detail of ['armed=1', 'pressed=1', 'pressed=0', 'armed=0'])
          world.emit('app', 'it', 'state-changed', detail);
      },
    };
    expect(await perform('toggle', { role: 'togglebutton', onAct: held })).toMatchObject({
      effect: 'unverified',
    });
  });

  it('does not act on a radio button that is on', async () => {
    const receipt = await perform('toggle', { role: 'radio', states: ['checked'], onAct: { toggle: never } });
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: false, retry_safe: true });
    expect(receipt.evidence).toEqual(['already', 'fresh read: checked']);
  });

  it.each([
    ['a button, which has nothing to switch', { role: 'button' }, 'ACTION_NOT_SUPPORTED'],
    ['what its toolkit offers no way for', {}, 'ACTION_NOT_SUPPORTED'],
    ['what is disabled', { states: ['disabled'], onAct: { toggle: never } }, 'NOT_ACTIONABLE'],
  ] as const)('refuses %s, and sends nothing', async (_what, node, code) => {
    const error = await failureOf(
      perform('toggle', { ...node, states: 'states' in node ? [...node.states] : [] }),
    );
    expect(error).toMatchObject({ code, delivered: false });
  });
});

describe('expand and collapse', () => {
  it('is confirmed by a list that opens outside the page, whose combo box stays collapsed', async () => {
    const opens: Run = (world) => {
      world.insert('app', 'win-root', {
        id: 'popup',
        role: 'combobox',
        name: '',
        value: 'Austria',
        states: ['expanded'],
        children: [{ id: 'option', role: 'menuitem', name: 'Austria' }],
      });
      world.emit('app', 'win-root', 'children-changed', 'add');
    };
    const node = { role: 'combobox', states: ['collapsed'], onAct: { expand: opens } } as const;
    expect(await perform('expand', { ...node, states: [...node.states] })).toMatchObject({
      effect: 'confirmed',
      retry_safe: false,
    });
  });

  describe('a list that is open outside the page', () => {
    const page = (
      popup: Partial<SimulatedNode>,
      act: NonNullable<SimulatedNode['onAct']>,
    ): SimulatedNode[] => [
      {
        id: 'popup',
        role: 'combobox',
        name: '',
        value: 'Austria',
        states: ['expanded'],
        children: [{ id: 'option', role: 'menuitem', name: 'Austria' }],
        ...popup,
      },
      {
        id: 'it',
        role: 'combobox',
        name: 'It',
        value: 'Austria',
        states: ['collapsed', 'focused'],
        onAct: act,
      },
    ];
    const closes: Run = (world) => {
      world.remove('app', 'popup');
      world.emit('app', 'win-root', 'children-changed', 'remove');
    };

    it('is not "already" collapsed: it is closed', async () => {
      const on = await stage(oneWindow(page({}, { collapse: closes })));
      expect(await actOn(on, 'collapse')).toMatchObject({ effect: 'confirmed', delivered: true });
    });

    it('is a failure if it stays open, though the combo box reads collapsed', async () => {
      const on = await stage(oneWindow(page({}, { collapse: nothing })));
      const error = await failureOf(actOn(on, 'collapse'));
      expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
    });

    it('is already open', async () => {
      const on = await stage(oneWindow(page({}, { expand: never })));
      expect(await actOn(on, 'expand')).toMatchObject({ effect: 'confirmed', delivered: false });
    });

    it.each([
      { value: 'Chile' },
      { name: 'Search' },
      { states: ['collapsed'] },
    ] satisfies Partial<SimulatedNode>[])('is not its own if it is %j', async (popup) => {
      const on = await stage(oneWindow(page(popup, { collapse: never })));
      expect(await actOn(on, 'collapse')).toMatchObject({ effect: 'confirmed', delivered: false });
    });
  });

  it('refuses an item of a menu with nothing in it, which a click would run', async () => {
    const node = { role: 'menuitem', onAct: { expand: never } } as const;
    expect(await failureOf(perform('expand', node))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
  });

  const row = { role: 'treeitem' } as const;

  it('are confirmed by the state and its event', async () => {
    expect(
      await perform('expand', { ...row, states: ['collapsed'], onAct: { expand: states('expanded') } }),
    ).toMatchObject({ effect: 'confirmed', retry_safe: true, via: 'simulated:expand' });
    expect(
      await perform('collapse', { ...row, states: ['expanded'], onAct: { collapse: states('collapsed') } }),
    ).toMatchObject({ effect: 'confirmed', via: 'simulated:collapse' });
  });

  it('are confirmed by the state and by what appeared below', async () => {
    const expand: Run = (world) => {
      silently('expanded')(world);
      world.insert('app', 'it', { id: 'leaf', role: 'treeitem', name: 'Leaf' });
    };
    const receipt = await perform('expand', { ...row, states: ['collapsed'], onAct: { expand } });
    expect(receipt).toMatchObject({ effect: 'confirmed', changes: [{}, { kind: 'appeared', name: 'Leaf' }] });
  });

  it('send nothing if the state already is as requested', async () => {
    for (const [act, state] of [
      ['expand', 'expanded'],
      ['collapse', 'collapsed'],
    ] as const) {
      const receipt = await perform(act, { ...row, states: [state], onAct: { [act]: never } });
      expect(receipt).toMatchObject({ effect: 'confirmed', delivered: false });
      expect(receipt.evidence).toContain('already');
    }
  });

  it('fail if the state stays, and are unverified if only the state changed', async () => {
    const error = await failureOf(
      perform('expand', { ...row, states: ['collapsed'], onAct: { expand: nothing } }),
    );
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
    expect(
      await perform('collapse', { ...row, states: ['expanded'], onAct: { collapse: silently('collapsed') } }),
    ).toMatchObject({ effect: 'unverified' });
  });

  it('judge a menu without such a state by its items', async () => {
    const open: Run = (world) =>
      world.insert('app', 'it', { id: 'save', role: 'menuitem', name: 'Save', actions: ['click'] });
    // Something is in it while it is closed, as in Qt.
    const closed = { role: 'menuitem', children: [{ id: 'line', role: 'separator' }] } as const;
    const menu = { ...closed, children: [...closed.children] };
    expect(await perform('expand', { ...menu, onAct: { expand: open } })).toMatchObject({
      effect: 'confirmed',
      opened: [{ role: 'menuitem', children: [{ role: 'menuitem', name: 'Save', ref: '@e2' }] }],
    });
    expect(await perform('expand', { ...menu, onAct: { expand: nothing } })).toMatchObject({
      effect: 'unverified',
    });
    const children: SimulatedNode[] = [{ id: 'save', role: 'menuitem', name: 'Save' }];
    const error = await failureOf(
      perform('expand', {
        role: 'menuitem',
        children,
        onAct: { expand: (world) => world.remove('app', 'save') },
      }),
    );
    expect(error.message).toContain('it closed instead');
  });

  it('refuse elements that cannot be open, and collapsing those that do not report whether they are', async () => {
    expect(await failureOf(perform('expand', { ...row, onAct: { expand: never } }))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
    expect(
      await failureOf(perform('collapse', { role: 'menuitem', onAct: { collapse: never } })),
    ).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  });
});

describe('clear', () => {
  const field = { role: 'textbox', accepts: 'text', value: 'Ada' } as const;

  it('is confirmed if the field is empty', async () => {
    expect(await perform('clear', field)).toMatchObject({ effect: 'confirmed', delivered: true });
  });

  it('sends nothing to an empty field', async () => {
    const receipt = await perform('clear', { ...field, value: '' });
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(receipt.evidence).toEqual(['already', 'fresh read: ""']);
  });

  it('fails if the text stays', async () => {
    const error = await failureOf(perform('clear', { ...field, accepts: 'lies' }));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
  });

  it('is unverified in a protected field, although it seems empty', async () => {
    const receipt = await perform('clear', { ...field, states: ['protected'], value: 'secret' });
    expect(receipt).toMatchObject({ effect: 'unverified', delivered: true });
    expect(JSON.stringify(receipt)).not.toContain('secret');
  });

  it.each([
    ['a read-only field', { ...field, states: ['readonly'] }, 'NOT_ACTIONABLE'],
    ['a slider', { role: 'slider', accepts: 'number', value: '5' }, 'ACTION_NOT_SUPPORTED'],
    ['a button', { role: 'button' }, 'ACTION_NOT_SUPPORTED'],
  ] as const)('refuses %s', async (_what, node, code) => {
    const error = await failureOf(
      perform('clear', 'states' in node ? { ...node, states: [...node.states] } : node),
    );
    expect(error).toMatchObject({ code, delivered: false });
  });
});

describe('focus', () => {
  const field = { role: 'textbox' } as const;

  it('is confirmed by a fresh read and the event of the element', async () => {
    const receipt = await perform('focus', { ...field, onAct: { focus: states('focused') } });
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: true });
    expect(receipt.evidence.join()).toContain('focus-changed');
  });

  it('is unverified without the event, a failure without the focus', async () => {
    expect(await perform('focus', { ...field, onAct: { focus: silently('focused') } })).toMatchObject({
      effect: 'unverified',
    });
    const error = await failureOf(perform('focus', { ...field, onAct: { focus: nothing } }));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
  });

  it('sends nothing to an element that has it, and refuses if there is no way', async () => {
    expect(await perform('focus', { ...field, states: ['focused'], onAct: { focus: never } })).toMatchObject({
      effect: 'confirmed',
      delivered: false,
    });
    expect(await failureOf(perform('focus', field))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
  });
});

describe('toggle to a state', () => {
  async function toggleTo(to: 'on' | 'off', node: Partial<SimulatedNode>): Promise<Receipt> {
    const on = await stage(oneWindow([{ id: 'it', role: 'checkbox', name: 'It', ...node }]));
    const ref = await refOf(on.engine, 'It');
    return on.engine.act({ ...DEADLINE, mode: 'background', act: 'toggle', to, ref });
  }

  it.each([
    ['on', 'checkbox', [], ['checked']],
    ['off', 'checkbox', ['checked'], []],
    ['on', 'checkbox', ['indeterminate'], ['checked']],
    ['on', 'switch', [], ['checked']],
    ['on', 'togglebutton', [], ['pressed']],
    ['on', 'radio', [], ['checked']],
  ] as const)('%s toggles a %s that was %j', async (to, role, was, is) => {
    const receipt = await toggleTo(to, { role, states: [...was], onAct: { toggle: states(...is) } });
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: true });
  });

  it.each([
    ['on', 'checkbox', ['checked']],
    ['off', 'checkbox', []],
    ['off', 'switch', []],
    ['on', 'togglebutton', ['pressed']],
    ['off', 'radio', []],
    ['on', 'radio', ['checked']],
  ] as const)('%s sends nothing to a %s that is %j', async (to, role, is) => {
    const receipt = await toggleTo(to, { role, states: [...is], onAct: { toggle: never } });
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(receipt.evidence[0]).toBe('already');
  });

  it('is partial if the state that follows is another one', async () => {
    const failure = await failureOf(
      toggleTo('on', { states: [], onAct: { toggle: states('indeterminate') } }),
    );
    expect(failure).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'partial', retry_safe: true } });
    expect(failure.message).toContain('mixed, not on');
  });

  it('does not switch off a radio button, which another one does', async () => {
    expect(
      await failureOf(toggleTo('off', { role: 'radio', states: ['checked'], onAct: { toggle: never } })),
    ).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  });

  it('does not claim that what may be silent is off', async () => {
    const receipt = await toggleTo('off', { mayBeSilent: true, onAct: { toggle: never } });
    expect(receipt).toMatchObject({ effect: 'unverified', delivered: false });
  });
});

describe('set-value on a check box', () => {
  it.each([
    ['on', [], ['checked']],
    [' TRUE ', [], ['checked']],
    ['1', [], ['checked']],
    ['checked', [], ['checked']],
    ['off', ['checked'], []],
    ['false', ['checked'], []],
    ['0', ['checked'], []],
    ['unchecked', ['checked'], []],
  ] as const)('%j toggles what is %j', async (value, was, is) => {
    const node: SimulatedNode = {
      id: 'it',
      role: 'checkbox',
      name: 'It',
      states: [...was],
      onAct: { toggle: states(...is) },
    };
    const on = await stage(oneWindow([node]));
    const request = { ...DEADLINE, mode: 'background', ref: await refOf(on.engine, 'It'), value } as const;
    expect(await on.engine.setValue(request)).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(await on.engine.setValue(request)).toMatchObject({ effect: 'confirmed', delivered: false });
  });

  it('names the values that it takes', async () => {
    const on = await stage(oneWindow([{ id: 'it', role: 'checkbox', name: 'It', onAct: { toggle: never } }]));
    const ref = await refOf(on.engine, 'It');
    const failure = await failureOf(on.engine.setValue({ ...DEADLINE, ref, value: 'yes please' }));
    expect(failure.message).toContain('on, true, 1, checked, off, false, 0, unchecked');
  });

  it('is still written into a field', async () => {
    const on = await stage(
      oneWindow([{ id: 'it', role: 'textbox', name: 'It', value: '', accepts: 'text' }]),
    );
    const ref = await refOf(on.engine, 'It');
    await on.engine.setValue({ ...DEADLINE, mode: 'background', ref, value: 'on' });
    expect(on.world.node('app', 'it').value).toBe('on');
  });
});
