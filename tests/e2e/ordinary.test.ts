import { describe, expect, it } from 'vitest';
import { usePlace } from './harness.ts';
import { flatten, GotText, Snapshot } from './support/answers.ts';
import { useOrdinary, type OrdinaryBench } from './support/ordinary.ts';

const place = usePlace();

/** The last thing that the application was told of a widget. */
function last(told: readonly { readonly event: string; readonly value: unknown }[]) {
  const { event, value } = told.at(-1) ?? {};
  return { event, value };
}

async function textOf(app: OrdinaryBench, ref: string): Promise<string> {
  return (await app.desk('get', 'text', ref)).ok(GotText).value;
}

/** A click at a button while a menu is open: a person's would only close the menu. */
async function pastMenu(app: OrdinaryBench, name: string, widget: string): Promise<readonly unknown[]> {
  await app.desk('click', await app.ref('Record', 'menuitem'));
  const button = await app.ref(name, 'button');
  const refused = await app.perform(widget, 'click', button, '--timeout', '1000');
  const { message, delivered } = refused.reply.error('NOT_ACTIONABLE');
  await app.desk('press', 'Escape', '--app', app.pid);
  const { told } = await app.perform(widget, 'click', button);
  return [message.includes('a menu of its application is open'), delivered, refused.told.length, told.length];
}

describe('an ordinary GTK 3 application', () => {
  const app = useOrdinary(place, 'gtk3');

  it('has a row selected by a click, and opened only by a double click', async () => {
    const beta = await app().ref('Beta', 'cell');
    const clicked = await app().perform('files', 'click', beta);
    expect(clicked.reply.receipt.via).toContain('pointer:');
    expect(clicked.told.map(({ event, value }) => [event, value])).toEqual([['selected', ['Beta']]]);
    const refused = await app().perform('files', 'click', beta, '--mode', 'background');
    const { delivered, suggestion } = refused.reply.error('ACTION_NOT_SUPPORTED');
    expect([delivered, refused.told]).toEqual([false, []]);
    expect(suggestion).toContain('--mode pointer');
    const opened = await app().perform('files', 'double-click', beta);
    expect(last(opened.told)).toEqual({ event: 'opened', value: 'Beta' });
  });

  it('has one row selected, or one more if it is added', async () => {
    const [alpha, gamma] = [await app().ref('Alpha', 'cell'), await app().ref('Gamma', 'cell')];
    const refused = await app().perform('files', 'select', alpha, '--mode', 'background');
    expect([refused.reply.error('ACTION_NOT_SUPPORTED').delivered, refused.told]).toEqual([false, []]);
    const first = await app().perform('files', 'select', alpha);
    expect(last(first.told).value).toEqual(['Alpha']);
    const added = await app().perform('files', 'select', gamma, '--add');
    expect(last(added.told).value).toEqual(['Alpha', 'Gamma']);
    expect(added.reply.receipt.effect).toBe('confirmed');
    // Already selected, but not alone.
    const replaced = await app().perform('files', 'select', gamma);
    expect(last(replaced.told).value).toEqual(['Gamma']);
    expect(['confirmed', 'unverified']).toContain(replaced.reply.receipt.effect);
  });

  it('does not claim to have added a row to a list that takes one', async () => {
    const [general, network] = [
      await app().ref('General', 'listitem'),
      await app().ref('Network', 'listitem'),
    ];
    await app().desk('select', general);
    const { reply } = await app().perform('pages', 'select', network, '--add');
    expect(reply.receipt.effect).toBe('partial');
    expect(reply.receipt.evidence.join()).toContain('it takes one option at a time');
  });

  it('opens the page of a row that is selected, as by hand', async () => {
    const network = await app().ref('Network', 'listitem');
    await app().desk('select', await app().ref('General', 'listitem'));
    const refused = await app().perform('pages', 'select', network, '--mode', 'background');
    expect([refused.reply.error('ACTION_NOT_SUPPORTED').delivered, refused.told]).toEqual([false, []]);
    const { reply, told } = await app().perform('pages', 'select', network);
    expect(reply.receipt.effect).toBe('confirmed');
    expect(told).toMatchObject([
      { event: 'selected', value: 'Network' },
      { event: 'opened', value: 'Network' },
    ]);
  });

  it('gets text at the caret, however it is typed', async () => {
    const query = await app().ref('Query', 'textbox');
    const inserted = await app().perform('query', 'type', query, 'A');
    expect(last(inserted.told)).toEqual({ event: 'text', value: 'befAore' });
    const typed = await app().perform('query', 'type', query, 'B', '--delay', '10');
    expect(last(typed.told)).toEqual({ event: 'text', value: 'befABore' });
    const entered = await app().perform('query', 'type', query, 'C\n');
    expect(last(entered.told)).toEqual({ event: 'submitted', value: 'befABCore' });
    const pressed = await app().perform('query', 'press', 'd', '--ref', query);
    expect(last(pressed.told)).toEqual({ event: 'text', value: 'befABCdore' });
  });

  it('opens a menu only where it may take the next click', async () => {
    const record = await app().ref('Record', 'menuitem');
    const unit = await app().ref('Unit', 'combobox');
    for (const [widget, ...act] of [
      ['menu', 'expand', record],
      ['menu', 'click', record],
      ['unit', 'expand', unit],
    ] as const) {
      const { reply, told } = await app().perform(widget, ...act, '--mode', 'background');
      const error = reply.error('ACTION_NOT_SUPPORTED');
      expect([act, error.delivered, told]).toEqual([act, false, []]);
      expect(error.message).toContain('next click and key');
      expect(error.suggestion).toContain(widget === 'menu' ? 'desk menu' : 'desk select');
    }
    const run = await app().perform('menu', 'menu', 'Record > Start', '--app', app().pid);
    expect(run.told).toEqual([{ widget: 'menu', event: 'activated', value: 'Start' }]);
    const chosen = await app().perform('unit', 'select', unit, 'mile', '--mode', 'background');
    expect(chosen.told).toEqual([{ widget: 'unit', event: 'selected', value: 'mile' }]);
  });

  it('opens a menu as a click does, and no submenu with it', async () => {
    const view = await app().ref('View', 'menuitem');
    for (const act of ['click', 'expand']) {
      const { reply, told } = await app().perform('zoom', act, view);
      expect([act, reply.receipt.effect, reply.receipt.via, told]).toEqual([
        act,
        'confirmed',
        expect.stringContaining('pointer:'),
        [],
      ]);
      await app().desk('press', 'Escape', '--app', app().pid);
    }
    await app().desk('click', await app().ref('Record', 'menuitem'));
    await app().desk('press', 'ArrowDown', '--app', app().pid);
    const { told } = await app().perform('menu', 'press', 'Enter', '--app', app().pid);
    expect(told).toMatchObject([{ event: 'activated', value: 'Start' }]);
  });

  it('is not confirmed to have done what an item is for by the menu that closes', async () => {
    const record = await app().ref('Record', 'menuitem');
    await app().desk('click', record);
    const { reply, told } = await app().perform('menu', 'click', await app().ref('Finish', 'menuitem'));
    expect(told).toMatchObject([{ event: 'activated', value: 'Finish' }]);
    const { effect, evidence, changes } = reply.receipt;
    expect(effect).toBe('unverified');
    expect(evidence).toContain('only the menu that it is in closed, as it does whatever its items do');
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'disappeared', name: 'Finish' }));
  });

  it('is not clicked past an open menu', async () => {
    expect(await pastMenu(app(), 'Count', 'picture')).toEqual([true, false, 0, 1]);
  });

  it('is confirmed by the window of another program that an item starts', async () => {
    const { reply, told } = await app().perform('view', 'menu', 'View > Manual', '--app', app().pid);
    expect(told).toMatchObject([{ event: 'activated', value: 'Manual' }]);
    expect(reply.receipt.evidence.join()).toMatch(
      /window opened: "Manual" of .*, which the application started/,
    );
    expect(reply.receipt.effect).toBe('confirmed');
    await app().desk('close-window', '--window', 'Manual');
  });

  it('is seen to fill the screen, and to hide its menu bar', async () => {
    for (const [item, shown] of [
      ['Full screen', { kind: 'changed', role: 'window', after: 'in full screen' }],
      ['Window', { kind: 'changed', role: 'window', before: 'in full screen' }],
      ['Hide bar', { kind: 'disappeared', role: 'menuitem', name: 'View' }],
    ] as const) {
      const { reply, told } = await app().perform('view', 'menu', `View > ${item}`, '--app', app().pid);
      expect([reply.receipt.effect, told]).toMatchObject([
        'confirmed',
        [{ event: 'activated', value: item }],
      ]);
      expect(reply.receipt.changes).toContainEqual(expect.objectContaining(shown));
    }
  });

  it('has a place that it draws and does not describe, which the snapshot names', async () => {
    const { stdout } = await app().desk('snapshot', '--app', app().pid, '--format', 'outline');
    expect(stdout).toMatch(/generic \(drawn, not described\) @e\d+$/m);
    expect(stdout).toMatch(/^incomplete: something is drawn at .*desk screenshot/m);
  });

  it('is confirmed by what it draws where its tree tells nothing, and by nothing less', async () => {
    for (const mode of ['background', 'pointer']) {
      const click = async (name: string) =>
        app().perform('picture', 'click', await app().ref(name, 'button'), '--mode', mode);
      // It is watched for a second, so that it cannot be the cause of what comes after the next act.
      const counted = await click('Count');
      expect([mode, counted.told.length, counted.reply.receipt.effect]).toEqual([mode, 1, 'unverified']);
      const painted = await click('Paint');
      const { effect, evidence, changes } = painted.reply.receipt;
      expect([mode, painted.told.length, changes?.filter(({ kind }) => kind !== 'focus') ?? []]).toEqual([
        mode,
        1,
        [],
      ]);
      expect(evidence.join()).toContain('the picture of the window changed');
      // The pointer itself may change a line of text, or so.
      expect([mode, effect]).toEqual([mode, mode === 'background' ? 'confirmed' : 'unverified']);
    }
  });

  it('has a switch that is switched as by hand', async () => {
    const wireless = await app().ref('Wireless', 'togglebutton');
    let isOn = false;
    for (const mode of ['pointer', 'background'])
      for (const act of ['toggle', 'click']) {
        const { told } = await app().perform('wireless', act, wireless, '--mode', mode);
        isOn = !isOn;
        expect([mode, act, told.map(({ value }) => value)]).toEqual([mode, act, [isOn]]);
      }
  });

  it('has an expander that its action opens and closes as a click on its title', async () => {
    const details = await app().ref('Details', 'togglebutton');
    const { told: byHand } = await app().perform('details', 'toggle', details, '--mode', 'pointer');
    expect(byHand.map(({ value }) => value)).toContain(true);
    let isOpen = true;
    for (const act of ['toggle', 'click', 'toggle']) {
      const { told, reply } = await app().perform('details', act, details, '--mode', 'background');
      isOpen = !isOpen;
      expect(reply.receipt.effect).toBe('confirmed');
      expect(told.map(({ event }) => event)).toEqual(byHand.map(({ event }) => event));
      expect(told.map(({ value }) => value)).toContain(isOpen);
    }
  });

  it('opens the list of a toggle button, which opens only for a real press', async () => {
    const arrow = await app().ref('More', 'togglebutton');
    for (const act of ['click', 'toggle']) {
      const refused = await app().perform('arrow', act, arrow, '--mode', 'background');
      expect([refused.reply.error('ACTION_NOT_SUPPORTED').delivered, refused.told]).toEqual([false, []]);
      const { reply, told } = await app().perform('arrow', act, arrow);
      expect([act, last(told), reply.receipt.effect]).toEqual([
        act,
        { event: 'list', value: act === 'click' },
        'confirmed',
      ]);
    }
  });

  it('is seen to switch what never reports whether it is on', async () => {
    await app().desk('click', await app().ref('Options', 'togglebutton'));
    for (const [name, role, told] of [
      ['Grid', 'checkbox', { event: 'grid', value: true }],
      ['By size', 'radio', { event: 'sort', value: 'size' }],
    ] as const) {
      const { reply, told: heard } = await app().perform('options', 'click', await app().ref(name, role));
      expect([last(heard), reply.receipt.effect]).toEqual([told, 'confirmed']);
      expect(reply.receipt.evidence.join()).toContain('the picture of the window changed');
    }
    await app().desk('press', 'Escape', '--app', app().pid);
  });

  it('is clicked under a tooltip, which goes when a person comes', async () => {
    for (const time of ['first', 'again']) {
      const { told } = await app().perform(
        'tipped',
        'click',
        await app().ref('Tipped', 'button'),
        '--mode',
        'background',
      );
      expect([time, told.length]).toEqual([time, 1]);
    }
  });

  it('is not clicked through what lies over a button', async () => {
    const below = await app().ref('Below', 'button');
    for (const mode of [[], ['--mode', 'background'], ['--mode', 'pointer']]) {
      const { reply, told } = await app().perform('below', 'click', below, ...mode, '--timeout', '1000');
      expect([mode, reply.error('NOT_ACTIONABLE').delivered, told]).toEqual([mode, false, []]);
      expect(reply.stdout).toContain('covered by a button \\"Above\\"');
    }
    const above = await app().perform('above', 'click', await app().ref('Above', 'button'));
    expect(above.told).toHaveLength(1);
  });
});

describe.each(['qt5', 'qt6'] as const)('an ordinary %s application', (kind) => {
  const app = useOrdinary(place, kind);

  it('hears of a tool button that is switched', async () => {
    const bold = await app().ref('Bold', 'checkbox');
    for (const [at, act] of (['click', 'toggle'] as const).entries()) {
      const { reply, told } = await app().perform('bold', act, bold);
      expect(reply.receipt.effect).toBe('confirmed');
      expect(told.map(({ event, value }) => [event, value])).toEqual([['triggered', at === 0]]);
      const refused = await app().perform('bold', act, bold, '--mode', 'background');
      expect([refused.reply.error('ACTION_NOT_SUPPORTED').delivered, refused.told]).toEqual([false, []]);
    }
    const remember = await app().perform('remember', 'toggle', await app().ref('Remember', 'checkbox'));
    expect(remember.told).toMatchObject([{ event: 'clicked', value: true }]);
  });

  it('has a group with a check box in its title, which a click in its middle does not switch', async () => {
    const proxy = await app().ref('Use a proxy', 'checkbox');
    const clicked = await app().perform('proxy', 'click', proxy);
    expect([clicked.reply.receipt.effect, clicked.told]).toEqual(['unverified', []]);
    expect(clicked.reply.receipt.evidence.join()).toContain('toggle switches the check box in its title');
    for (const on of [true, false]) {
      const { reply, told } = await app().perform('proxy', 'toggle', proxy);
      expect([reply.receipt.effect, told.map(({ value }) => value)]).toEqual(['confirmed', [on]]);
    }
  });

  it('shows the page of the row that is clicked or selected', async () => {
    const network = await app().ref('Network', 'listitem');
    const clicked = await app().perform('pages', 'click', network);
    expect(clicked.told).toMatchObject([{ event: 'page', value: 'Network' }]);
    expect(clicked.reply.receipt.effect).toBe('confirmed');
    const selected = await app().perform('pages', 'select', await app().ref('Pages', 'list'), 'Sound');
    expect(selected.told).toMatchObject([{ event: 'page', value: 'Sound' }]);
    const refused = await app().perform('pages', 'select', network, '--mode', 'background');
    expect([refused.reply.error('ACTION_NOT_SUPPORTED').delivered, refused.told]).toEqual([false, []]);
  });

  it('has one row selected, one more if it is added, and one that was out of view', async () => {
    const files = await app().ref('Files', 'list');
    const first = await app().perform('files', 'select', files, 'Alpha.txt');
    expect(last(first.told).value).toEqual(['Alpha.txt']);
    const added = await app().perform('files', 'select', files, 'Gamma.txt', '--add');
    expect(last(added.told).value).toEqual(['Alpha.txt', 'Gamma.txt']);
    expect(added.reply.receipt.via).toContain('with Control');
    const replaced = await app().perform('files', 'select', files, 'Beta.txt');
    expect(last(replaced.told).value).toEqual(['Beta.txt']);
    const far = await app().perform('files', 'select', files, 'Row 55');
    expect(last(far.told).value).toEqual(['Row 55']);
  });

  it('has a row renamed in place: the editor that F2 opens has a reference everywhere', async () => {
    const beta = await app().ref('Beta.txt', 'listitem', '--whole-tree');
    await app().desk('select', beta);
    await app().desk('focus', beta);
    const pressed = await app().desk('press', 'F2', '--app', app().pid);
    expect(pressed.receipt.changes).toContainEqual(
      expect.objectContaining({ kind: 'appeared', role: 'textbox', ref: expect.stringMatching(/^@e/) }),
    );
    const tree = (await app().desk('snapshot', '--app', app().pid)).ok(Snapshot).tree;
    const editor = flatten(tree).find(({ role, value }) => role === 'textbox' && value === 'Beta.txt');
    expect((await app().desk('focused')).toString()).toContain(editor?.ref ?? 'a reference in the snapshot');
    await app().desk('set-value', editor?.ref ?? '', 'Delta.txt');
    const { told, reply } = await app().perform('files', 'press', 'Enter', '--app', app().pid);
    expect(told.filter(({ event }) => event === 'renamed').map(({ value }) => value)).toEqual(['Delta.txt']);
    expect(reply.receipt.changes).toContainEqual(
      expect.objectContaining({ role: 'listitem', name: 'Delta.txt' }),
    );
    expect(reply.receipt.effect).toBe('confirmed');
  });

  it('is clicked in a cell without a name, although its tree makes new cells for each reading', async () => {
    const tree = await app().ref('Sizes', 'tree');
    const read = (await app().desk('snapshot', '--root', tree)).ok(Snapshot);
    const all = flatten(read.tree).filter(({ role }) => role === 'cell');
    const cells = all.flatMap(({ name = '', ref }) => (name === '' && ref !== undefined ? [ref] : []));
    // The third row has only one cell, which spans both columns.
    expect(all.map(({ name }) => name)).toContain('All folders');
    expect(cells).toHaveLength(2);
    for (const [at, cell] of cells.entries()) {
      const { told } = await app().perform('sizes', 'click', cell);
      expect(told).toMatchObject([{ event: 'clicked', value: [at === 0 ? 'Mail' : 'News', 1] }]);
    }
  });

  it('has a row selected that its first cell spans, and its header clicked above the first row', async () => {
    for (const name of ['Mail', 'All folders']) {
      const { reply, told } = await app().perform('sizes', 'select', await app().ref(name, 'cell'));
      expect(told).toMatchObject([{ event: 'clicked', value: [name, 0] }]);
      expect([name, reply.receipt.effect]).toEqual([name, 'confirmed']);
    }
    const { told } = await app().perform('sizes', 'click', await app().ref('Size', 'columnheader'));
    expect(told).toMatchObject([{ event: 'sorted', value: 1 }]);
  });

  it('is not clicked past an open menu', async () => {
    expect(await pastMenu(app(), 'Above', 'above')).toEqual([true, false, 0, 1]);
  });

  it('shows what a menu of widgets contains, and has it worked', async () => {
    const opened = await app().desk('menu', 'Record > Palette', '--app', app().pid);
    expect(opened.receipt.effect).toBe('confirmed');
    const { told } = await app().perform('palette', 'click', await app().ref('Sort all', 'listitem'));
    expect(told).toMatchObject([{ event: 'chosen', value: 'Sort all' }]);
    expect(await app().find('Sort all', 'listitem')).toEqual([]);
  });

  it('hides the options of a closed combo box, and says how to choose one', async () => {
    expect(await app().find('mile', 'listitem')).toEqual([]);
    const mile = await app().ref('mile', 'listitem', '--whole-tree');
    expect((await app().desk('get', 'states', mile)).stdout).toContain('hidden');
    const { reply, told } = await app().perform('unit', 'click', mile, '--timeout', '1000');
    const error = reply.error('NOT_ACTIONABLE');
    expect([error.delivered, told]).toEqual([false, []]);
    expect(error.message).toContain('combo box is closed');
    expect(error.suggestion).toContain('desk select');
    const unit = await app().perform('unit', 'select', await app().ref('Unit', 'combobox'), 'mile');
    expect(unit.reply.receipt.effect).toBe('confirmed');
    expect(unit.told).toMatchObject([{ event: 'selected', value: 'mile' }]);
  });

  it('has the list of a combo box closed by choosing the option that is selected already', async () => {
    const unit = await app().ref('Unit', 'combobox');
    await app().desk('select', unit, 'metre');
    const metre = async (): Promise<string> => app().ref('metre', 'listitem');
    for (const option of [async () => [await metre()], async () => [unit, 'metre']]) {
      await app().desk('click', unit);
      const { reply, told } = await app().perform('unit', 'select', ...(await option()));
      expect(told).toMatchObject([{ event: 'selected', value: 'metre' }]);
      expect(await app().find('metre', 'listitem')).toEqual([]);
      expect(reply.receipt).toMatchObject({ effect: 'confirmed' });
    }
  });

  it('has an option of an editable combo box selected', async () => {
    const { reply, told } = await app().perform(
      'size',
      'select',
      await app().ref('Size', 'combobox'),
      'twelve',
    );
    expect(reply.receipt.effect).toBe('confirmed');
    expect(told).toMatchObject([{ event: 'selected', value: 'twelve' }]);
  });

  it('has text that it has not taken yet, and the receipt says so', async () => {
    const address = await app().ref('Address', 'textbox');
    const set = await app().perform('address', 'set-value', address, 'after');
    expect(set.reply.receipt.effect).toBe('confirmed');
    expect([await textOf(app(), address), set.told]).toEqual(['after', []]);
    expect(set.reply.receipt.evidence.join()).toContain('pending');
    const entered = await app().perform('address', 'press', 'Enter', '--ref', address);
    expect(last(entered.told)).toEqual({ event: 'taken', value: 'after' });
  });

  it('has text typed that it has not taken yet, and the receipt says so', async () => {
    const address = await app().ref('Address', 'textbox');
    const typed = await app().perform('address', 'type', address, ' hours');
    expect(typed.reply.receipt.evidence.join()).toContain('pending');
    expect([typed.reply.receipt.via, typed.told]).toEqual(['at-spi:EditableText.InsertText', []]);
    const entered = await app().perform('address', 'press', 'Enter', '--ref', address);
    expect(last(entered.told)).toEqual({ event: 'taken', value: await textOf(app(), address) });
  });

  it('opens a menu only where it may take the next click', async () => {
    const record = await app().ref('Record', 'menuitem');
    const { reply, told } = await app().perform('menu', 'expand', record, '--mode', 'background');
    expect([reply.error('ACTION_NOT_SUPPORTED').delivered, told]).toEqual([false, []]);
    const run = await app().perform('menu', 'menu', 'Record > Start', '--app', app().pid);
    expect(run.told).toMatchObject([{ event: 'activated', value: 'Start' }]);
  });

  it('has a context menu with an item that the menu bar has, too', async () => {
    // Whoever asks for the menu bar first makes the item one of that.
    await app().perform('menu', 'menu', 'Record > Start', '--app', app().pid);
    const opened = await app().desk('right-click', await app().ref('General', 'listitem'));
    expect(opened.receipt.effect).toBe('confirmed');
    expect((await app().find('Rename', 'menuitem')).length).toBe(1);
    const { told } = await app().perform('menu', 'click', await app().ref('Start', 'menuitem'));
    expect(told).toContainEqual(expect.objectContaining({ event: 'activated', value: 'Start' }));
    await app().desk('press', 'Escape');
  });

  it('is not clicked through what lies over a button', async () => {
    const below = await app().ref('Below', 'button');
    const { reply, told } = await app().perform('below', 'click', below, '--timeout', '1000');
    expect([reply.error('NOT_ACTIONABLE').delivered, told]).toEqual([false, []]);
    const above = await app().perform('above', 'click', await app().ref('Above', 'button'));
    expect(above.told).toHaveLength(1);
  });
});
