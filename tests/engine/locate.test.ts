import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, oneWindow, snapshot, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';
import { spelled } from '../spelled.ts';

/** A button that notes in `pressed` that it was pressed. */
function noting(
  pressed: string[],
  id: string,
  name: string,
  more: Partial<SimulatedNode> = {},
): SimulatedNode {
  return button(id, name, { onPress: () => pressed.push(id), ...more });
}

function row(pressed: string[], name: string): SimulatedNode {
  return {
    id: `row-${name}`,
    role: 'listitem',
    name,
    children: [noting(pressed, `delete-${name}`, 'Delete'), noting(pressed, `open-${name}`, `Open ${name}`)],
  };
}

function box(x: number, y: number, width = 100, height = 20) {
  return { bounds: { x, y, width, height } };
}

async function mail(): Promise<{ on: Stage; pressed: string[] }> {
  const pressed: string[] = [];
  const on = await stage(
    oneWindow([
      {
        id: 'bar',
        role: 'toolbar',
        name: 'Main',
        children: [noting(pressed, 'save', 'Save'), noting(pressed, 'save-as', 'Save as…')],
      },
      { id: 'mail', role: 'list', name: 'Mail', children: [row(pressed, 'Inbox'), row(pressed, 'Sent')] },
      { id: 'label-to', role: 'text', name: 'Recipient:', ...box(10, 400) },
      { id: 'to', role: 'textbox', name: 'to-entry', value: 'ada', accepts: 'text', ...box(120, 400) },
      { id: 'label-cc', role: 'text', name: 'Copy:', ...box(10, 430) },
      { id: 'cc', role: 'textbox', name: 'cc-entry', value: 'grace', accepts: 'text', ...box(120, 430) },
      { id: 'agree', role: 'checkbox', name: 'Agree', states: ['checked'] },
      { id: 'spam', role: 'checkbox', name: 'Spam', states: ['disabled'] },
      noting(pressed, 'hidden', 'Archive', { states: ['hidden'] }),
    ]),
  );
  return { on, pressed };
}

async function click(on: Stage, ref: string, more: { heal?: boolean; deadlineMs?: number } = {}) {
  return on.engine.click({ ...DEADLINE, ref, ...more });
}

async function nameOf(on: Stage, ref: string): Promise<string | undefined> {
  return (await on.engine.describe({ ...DEADLINE, ref })).node.name;
}

describe('a locator resolves to the one element that matches', () => {
  it.each([
    ['role:button[name="Save"]', 'save'],
    ['role:push-button[name*="save AS"]', 'save-as'],
    ['role:button[name~="^save.+"]', 'save-as'],
    ['text:"save as"', 'save-as'],
    ['text:"Open inbox"', 'open-Inbox'],
    ['path:toolbar>button[2]', 'save-as'],
    ['role:listitem[name=Sent] >> role:button[name=Delete]', 'delete-Sent'],
    ['role:button[name="Delete"][nth=2]', 'delete-Sent'],
    ['role:listitem[nth=2] >> text:Delete', 'delete-Sent'],
    ['window:Docu >> app:Editor >> role:toolbar >> role:button[nth=1]', 'save'],
    ['role:button[name="Archive"]', 'hidden'],
  ])('%s', async (locator, expected) => {
    const { on, pressed } = await mail();
    const receipt = await click(on, locator);
    expect(pressed).toEqual([expected]);
    expect(receipt.target.ref).toMatch(/^@e\d+$/);
    // The same element keeps its ref, whatever the locator.
    expect((await on.engine.describe({ ...DEADLINE, ref: receipt.target.ref ?? '' })).node.name).toBe(
      receipt.target.name,
    );
    expect((await click(on, locator)).target.ref).toBe(receipt.target.ref);
  });

  it.each([
    ['role:checkbox[checked]', 'Agree'],
    ['role:checkbox[checked=false]', 'Spam'],
    ['role:checkbox[enabled]', 'Agree'],
    ['label:"recipient"', 'to-entry'],
    ['label:Copy', 'cc-entry'],
    ['label:"cc-entry"', 'cc-entry'],
    ['role:textbox[value="ada"]', 'to-entry'],
    ['text:grace', 'cc-entry'],
    ['text:"Mail"', 'Mail'],
  ])('%s', async (locator, expected) => {
    expect(await nameOf((await mail()).on, locator)).toBe(expected);
  });

  it('id: matches the application’s identifier', async () => {
    const { on } = await mail();
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request) => {
      const read = await readTree(request);
      if (request.includeIdentifiers === true)
        for (const node of read.root.children) node.identifier = `id-${node.handle.path}`;
      return read;
    };
    expect(await nameOf(on, 'id:id-cc')).toBe('cc-entry');
    expect(await failureOf(nameOf(on, 'id:id-c'))).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('in the given window, else in the active one', async () => {
    const pressed: string[] = [];
    const on = await stage([
      app({
        windows: [windowWith([noting(pressed, 'one', 'OK')], { id: 'w1', title: 'One', focused: true })],
      }),
      app({
        id: 'b',
        name: 'Other',
        pid: 7,
        windows: [windowWith([noting(pressed, 'two', 'OK')], { id: 'w2', title: 'Two' })],
      }),
    ]);
    await click(on, 'role:button[name=OK]');
    await click(on, 'app:other >> role:button[name=OK]');
    await click(on, 'window:Two >> text:OK');
    expect(pressed).toEqual(['one', 'two', 'two']);
    const absent = await failureOf(nameOf(on, 'app:nobody >> text:OK'));
    expect(absent).toMatchObject({ code: 'APP_NOT_FOUND' });
  });
});

describe('several matches, or unknown', () => {
  it.each(['Inbox', 'Say "hi" to all', `A long name ${'and so on '.repeat(20)}`])(
    'the container %s that is suggested is one that can be used',
    async (name) => {
      const pressed: string[] = [];
      const on = await stage(
        oneWindow([
          { id: 'list', role: 'list', name: 'Mail', children: [row(pressed, name), row(pressed, 'Sent')] },
        ]),
      );
      const error = await failureOf(click(on, 'role:button[name="Delete"]'));
      const suggested = /\((role:.*) >> …\)/.exec(error.suggestion)?.[1];
      await click(on, `${suggested} >> role:button[name="Delete"]`);
      expect(pressed).toEqual([`delete-${name}`]);
    },
  );

  it('several are named with refs, and nothing is pressed', async () => {
    const { on, pressed } = await mail();
    const error = await failureOf(click(on, 'role:button[name="Delete"]'));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_TARGET', delivered: false });
    expect(error.suggestion).toContain('[nth=1]');
    expect(error.suggestion).toContain('role:listitem[name="Inbox"] >> ');
    expect(error.candidates.map(({ role, name, detail }) => [role, name, detail])).toEqual([
      ['button', 'Delete', '[nth=1] in list "Mail" in listitem "Inbox"'],
      ['button', 'Delete', '[nth=2] in list "Mail" in listitem "Sent"'],
    ]);
    expect(pressed).toEqual([]);
    await click(on, error.candidates[1]?.ref ?? '');
    expect(pressed).toEqual(['delete-Sent']);
  });

  it('one match in a partial tree does not count as the only one', async () => {
    const { on, pressed } = await mail();
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = (request) => readTree({ ...request, maxNodes: 4 });
    for (const locator of ['role:button[name="Save"]', 'role:textbox[name="to-entry"]']) {
      const error = await failureOf(click(on, locator, { heal: true, deadlineMs: 1000 }));
      expect(error).toMatchObject({ code: 'TREE_TIMEOUT', retryable: true, delivered: false });
      expect(error.message).toContain('only the first 4 elements were read');
    }
    expect(pressed).toEqual([]);
  });

  it('a position beyond the last is none', async () => {
    const error = await failureOf(nameOf((await mail()).on, 'role:button[name="Delete"][nth=3]'));
    expect(error.code).toBe('ELEMENT_NOT_FOUND');
    expect(error.message).toContain('Only 2 elements match');
  });

  it('the failed step of a chain is reported', async () => {
    const error = await failureOf(nameOf((await mail()).on, 'role:dialog[name="Sent"] >> role:button'));
    expect(error.message).toContain('Nothing matches role:dialog[name="Sent"] in "Document" of "Editor"');
  });

  it('the failure says how to search another window, unless one was named', async () => {
    const { on } = await mail();
    const anywhere = await failureOf(click(on, 'role:button[name="Sav"]'));
    expect(anywhere.suggestion).toContain('begin with app:"NAME" >> or window:"TITLE" >>');
    const named = await failureOf(click(on, 'window:"Document" >> role:button[name="Sav"]'));
    expect(named.suggestion).not.toContain('window:"TITLE"');
  });

  it('secrets cannot be guessed', async () => {
    const { on } = await mail();
    await on.engine.setValue({
      ...DEADLINE,
      ref: 'role:textbox[name="to-entry"]',
      value: 'hunter2',
      withheld: true,
    });
    for (const locator of [
      'text:hunter2',
      'role:textbox[value*="h"]',
      'role:textbox[value~="."][name="to-entry"]',
    ]) {
      const error = await failureOf(nameOf(on, locator));
      expect([error.code, JSON.stringify(error.candidates)]).not.toContain('hunter2');
      expect(error.code).toBe('ELEMENT_NOT_FOUND');
    }
  });

  it('an invalid one is refused before anything is read', async () => {
    const { on } = await mail();
    on.desktop.listWindows = () => Promise.reject(new Error('the desktop was asked'));
    expect(await failureOf(click(on, 'role:button['))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('time', () => {
  it('an act waits for its element for half of its time, at most five seconds', async () => {
    const { on, pressed } = await mail();
    on.world.clock.after(1500, () =>
      on.world.insert(
        'app',
        'bar',
        noting(pressed, 'late', 'Late', { bounds: { x: 300, y: 10, width: 80, height: 30 } }),
        0,
      ),
    );
    await click(on, 'role:button[name="Late"]');
    expect(pressed).toEqual(['late']);
    const began = on.world.clock.now();
    const error = await failureOf(click(on, 'role:button[name="Never"]', { deadlineMs: 2000 }));
    expect(error).toMatchObject({ code: 'ELEMENT_NOT_FOUND', delivered: false, retryable: true });
    expect(on.world.clock.now() - began).toBeLessThan(1500);
    await failureOf(click(on, 'role:button[name="Never"]', { deadlineMs: 60_000 }));
    expect(on.world.clock.now() - began).toBeLessThan(8000);
  });

  it('reading searches once', async () => {
    const { on } = await mail();
    const began = on.world.clock.now();
    await failureOf(nameOf(on, 'role:button[name="Never"]'));
    expect(on.world.clock.now() - began).toBeLessThan(200);
  });

  it('waiting and expecting repeat until it holds', async () => {
    const { on } = await mail();
    const late = 'role:button[name="Late"]';
    on.world.clock.after(700, () => on.world.insert('app', 'bar', button('late', 'Late'), 0));
    on.world.clock.after(1400, () => on.world.remove('app', 'late'));
    expect((await on.engine.waitForElement({ ...DEADLINE, element: late })).name).toBe('Late');
    expect((await on.engine.expect({ ...DEADLINE, ref: late, expected: { enabled: true } })).ref).toMatch(
      /^@e/,
    );
    await on.engine.waitUntilGone({ ...DEADLINE, ref: late });
    expect(await on.engine.expect({ ...DEADLINE, ref: late, expected: { exists: false } })).toMatchObject({
      ref: undefined,
      checks: [{ property: 'exists', expected: false, actual: false }],
    });
    const many = on.engine.waitForElement({ ...DEADLINE, element: 'text:Delete' });
    expect(await failureOf(many)).toMatchObject({ code: 'AMBIGUOUS_TARGET' });
    expect(await failureOf(on.engine.waitForElement({ deadlineMs: 500, element: late }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('an element is followed until it disappears even if another window becomes active', async () => {
    const on = await stage([
      app({
        windows: [
          windowWith([button('ok', 'OK')], { id: 'w1', title: 'One', focused: true }),
          windowWith([], { id: 'w2', title: 'Two' }),
        ],
      }),
    ]);
    on.world.clock.after(300, () => {
      void on.engine.controlWindow({ ...DEADLINE, window: 'Two', request: { kind: 'focus' } });
    });
    const error = await failureOf(
      on.engine.waitUntilGone({ deadlineMs: 900, ref: 'role:button[name="OK"]' }),
    );
    expect(error.code).toBe('TIMEOUT');
  });
});

describe('an element that changed', () => {
  const SAVE = 'role:button[name="Save"]';

  it('is suggested with a score and a locator that matches it, but not used', async () => {
    const { on, pressed } = await mail();
    await nameOf(on, SAVE);
    on.world.change('app', 'save', { name: 'Save it' });
    const error = await failureOf(click(on, SAVE, { heal: false }));
    expect(spelled(error.suggestion)).toContain('--heal');
    const [first, second] = error.candidates;
    expect(first).toMatchObject({ role: 'button', name: 'Save it' });
    expect(first?.detail).toMatch(/^score 0\.\d+: role:button\[name="Save it"\]$/);
    expect(second?.name).toBe('Save as…');
    expect(pressed).toEqual([]);
    expect(await nameOf(on, (first?.detail ?? '').replace(/^score [\d.]+: /, ''))).toBe('Save it');
  });

  it('is used and reported with --heal, even if it was seen under its new name before', async () => {
    const { on, pressed } = await mail();
    await click(on, SAVE);
    on.world.change('app', 'save', { name: 'Save it' });
    await snapshot(on.engine);
    for (const _ of [1, 2]) {
      const receipt = await click(on, SAVE, { heal: true });
      expect(receipt.healed).toMatchObject({ from: SAVE, to: 'role:button[name="Save it"]' });
      expect(receipt.healed?.score).toBeGreaterThanOrEqual(0.8);
    }
    expect(pressed).toEqual(['save', 'save', 'save']);
    expect((await click(on, 'role:button[name="Save it"]', { heal: true })).healed).toBeUndefined();
  });

  it('is waited for before another one is used', async () => {
    const { on, pressed } = await mail();
    await nameOf(on, SAVE);
    on.world.change('app', 'save', { name: 'Save it' });
    on.world.clock.after(1000, () => on.world.insert('app', 'bar', noting(pressed, 'new', 'Save'), 2));
    expect((await click(on, SAVE, { heal: true })).healed).toBeUndefined();
    expect(pressed).toEqual(['new']);
  });

  it('is recognised by the same words alone', async () => {
    const { on, pressed } = await mail();
    const receipt = await click(on, 'role:button[name="SAVE AS"]', { heal: true });
    expect([pressed, receipt.healed?.to]).toEqual([['save-as'], 'role:button[name="Save as…"]']);
  });

  it.each([
    // Never seen before, and only similar.
    ['role:button[name="Save all"]', () => undefined],
    // Its name has the opposite meaning, or another number.
    [SAVE, (on: Stage) => on.world.change('app', 'save', { name: 'Unsave' })],
    [
      'role:button[name="Open Inbox"]',
      (on: Stage) => on.world.change('app', 'open-Inbox', { name: 'Close Inbox' }),
    ],
    // Another element is in its place, with a merely similar name.
    [
      SAVE,
      (on: Stage) => {
        on.world.remove('app', 'save');
        on.world.insert('app', 'bar', button('new', 'Save as'), 0);
      },
    ],
    // It has a completely different name.
    [SAVE, (on: Stage) => on.world.change('app', 'save', { name: 'Zebra' })],
    // It no longer exists; only its former neighbours do.
    [SAVE, (on: Stage) => on.world.remove('app', 'save')],
    // Not in the given container.
    ['role:dialog >> role:button[name="Save"]', () => undefined],
    // Not in the requested state.
    ['role:button[name="Save"][checked]', () => undefined],
    // Another element is equally similar.
    ['role:listitem[name="Sent"] >> role:button[name="DELETE!"][nth=2]', () => undefined],
    ['role:button[name="DELETE!"]', () => undefined],
  ])('%s is not healed if that would be a guess (%#)', async (locator, change) => {
    const { on, pressed } = await mail();
    await nameOf(on, SAVE);
    await nameOf(on, 'role:button[name="Open Inbox"]');
    change(on);
    const error = await failureOf(click(on, locator, { heal: true, deadlineMs: 1000 }));
    expect(error.code).toBe('ELEMENT_NOT_FOUND');
    expect(pressed).toEqual([]);
  });
});
