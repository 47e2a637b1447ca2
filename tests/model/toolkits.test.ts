import { describe, expect, it } from 'vitest';
import { COMPACT, INTERACTIVE, lines, raw } from './raw-tree.ts';

const box = (x: number, y: number, width = 100, height = 20) => ({ bounds: { x, y, width, height } });

describe('GTK 4', () => {
  it('shows a button and the label inside it once, and drops type names', () => {
    const tree = raw('window', 'Calculator', {}, [
      raw('textbox', 'GtkEntry', { value: '42', states: ['editable', 'focusable', 'focused'] }),
      raw('button', '7 7', {}, [raw('text', '7')]),
      raw('button', '_OK OK', {}, [raw('text', 'OK')]),
      raw('togglebutton', 'GtkToggleButton', { states: ['focusable', 'pressed'] }, [raw('image')]),
      raw('button', 'Bora Bora', {}, [raw('text', 'Bora Bora')]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'window "Calculator"',
      '  textbox @e1 value="42" focused',
      '  button "7" @e2',
      '  button "OK" @e3',
      '  togglebutton @e4 pressed',
      '  button "Bora Bora" @e5',
    ]);
  });

  it('keeps a type name that is visible text', () => {
    const tree = raw('window', 'Inspector', {}, [
      raw('button', 'GtkButton', {}, [raw('text', 'GtkButton')]),
      raw('treeitem', 'GtkEntry'),
      raw('text', 'GdkPixbuf'),
    ]);
    expect(lines(tree)).toStrictEqual([
      'window "Inspector"',
      '  button "GtkButton" @e1',
      '  treeitem "GtkEntry" @e2',
      '  text "GdkPixbuf"',
    ]);
  });

  it('detects scrolled-out elements by their bounds, but lets popovers overflow', () => {
    const tree = raw('window', 'Files', box(0, 0, 400, 300), [
      raw('group', '', box(0, 50, 400, 100), [
        raw('list', '', box(0, 50, 400, 900), [
          raw('listitem', 'first', box(0, 50)),
          raw('listitem', 'last', box(0, 900)),
          raw('listitem', 'flat', box(0, 60, 100, 0)),
        ]),
        raw('button', 'Menu', box(300, 60), [
          raw('menu', '', box(300, 200), [raw('menuitem', 'Quit', box(300, 210))]),
        ]),
      ]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'window "Files"',
      '  list (1 down) @e1',
      '    listitem "first" @e2',
      '  button "Menu" @e3',
      '    menu',
      '      menuitem "Quit" @e4',
    ]);
    expect(lines(tree, { ...COMPACT, wholeTree: true }).join()).toContain('listitem "last"');
    expect(lines(tree, { ...COMPACT, clip: false }).join()).toContain('listitem "last"');
  });

  it('names the switch of a settings row after the row, and shows one line for it', () => {
    const row = raw('listitem', '', {}, [
      raw('generic', '', {}, [
        raw('group', '', {}, [raw('text', 'Dark mode'), raw('text', 'Easier on the eyes')]),
        raw('switch', '', { states: ['checked'] }),
      ]),
    ]);
    const tree = raw('window', 'Preferences', {}, [raw('list', '', {}, [row])]);
    expect(lines(tree, INTERACTIVE)).toContain('    switch ~"Dark mode" @e1 checked');
  });
});

describe('GTK 3', () => {
  it('drops cells without a box among cells with one', () => {
    const tree = raw('table', '', {}, [
      raw('cell', 'seen', box(0, 0)),
      raw('cell', 'scrolled out'),
      raw('cell', 'seen too', box(0, 20)),
    ]);
    expect(lines(tree)).toStrictEqual(['table (1 down) @e1', '  cell "seen" @e2', '  cell "seen too" @e3']);
  });

  it('keeps trees that have no boxes at all', () => {
    expect(lines(raw('list', '', {}, [raw('listitem', 'a'), raw('listitem', 'b')]))).toHaveLength(3);
  });

  it('reads labels before fields, each in its own box', () => {
    const tree = raw('dialog', 'Connect', {}, [
      raw('generic', '', {}, [
        raw('generic', '', {}, [raw('text', 'Host:', box(0, 0))]),
        raw('generic', '', {}, [raw('textbox', '', { ...box(110, 0), value: 'example.org' })]),
        raw('text', 'Far away', box(0, 300)),
        raw('textbox', '', box(200, 0)),
      ]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'dialog "Connect"',
      '  textbox ~"Host" @e1 value="example.org"',
      '  text "Far away"',
      '  textbox @e2',
    ]);
  });

  it('never takes a name from another container', () => {
    const tree = raw('window', '', {}, [
      raw('group', 'A', {}, [raw('text', 'Port')]),
      raw('group', 'B', {}, [raw('textbox'), raw('button', 'x')]),
    ]);
    expect(lines(tree)).toContain('    textbox @e1');
  });

  it('drops the label a field is named by', () => {
    const tree = raw('group', 'Form', {}, [
      raw('text', 'User name:'),
      raw('textbox', 'User name', { nameFrom: 'labelled_by' }),
    ]);
    expect(lines(tree)).toStrictEqual(['group "Form"', '  textbox "User name" @e1']);
  });
});

describe('Qt', () => {
  it('shows a closed combo box with its selection, an open one with its items', () => {
    const combo = (state: 'collapsed' | 'expanded') =>
      raw('combobox', 'Size', { states: [state] }, [
        raw('list', '', {}, [raw('listitem', 'Small'), raw('listitem', 'Large', { states: ['selected'] })]),
        raw('textbox', ''),
      ]);
    expect(lines(combo('collapsed'))).toStrictEqual(['combobox "Size" @e1 value="Large"', '  textbox @e2']);
    expect(lines(combo('expanded'))).toContain('    listitem "Large" @e3 selected');
  });

  it('shows a menu item and the menu of the same name once', () => {
    const tree = raw('menubar', '', {}, [
      raw('menuitem', 'File', {}, [raw('menu', 'File', {}, [raw('menuitem', 'Open')])]),
    ]);
    expect(lines(tree)).toStrictEqual(['menubar', '  menuitem "File" @e1', '    menuitem "Open" @e2']);
  });

  it('treats a spin box as one control', () => {
    const tree = raw('window', '', {}, [
      raw('spinbutton', 'Copies', {}, [
        raw('textbox', '', { value: '3', states: ['focused'] }),
        raw('button', 'Up'),
        raw('button', ''),
      ]),
      raw('spinbutton', 'Pages', { value: '1' }, [raw('button', ''), raw('button', '')]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'window',
      '  spinbutton "Copies" @e1',
      '    textbox @e2 value="3" focused',
      '    button "Up" @e3',
      '    button @e4',
      '  spinbutton "Pages" @e5 value="1"',
    ]);
  });
});

describe('web engines', () => {
  it('reads links and paragraphs cut into runs as one text', () => {
    const tree = raw('document', 'Page', {}, [
      raw('paragraph', '', {}, [
        raw('text', 'Hello'),
        raw('generic', '', {}, [raw('text', 'brave')]),
        raw('text', 'world'),
      ]),
      raw('link', 'Sign in now', {}, [raw('text', 'Sign in'), raw('generic', '', {}, [raw('text', 'now')])]),
      raw('heading', 'News', {}, [raw('text', 'News')]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'document "Page"',
      '  paragraph "Hello brave world"',
      '  link "Sign in now" @e1',
      '  heading "News"',
    ]);
  });

  it('shows a navigation list by its links, but a selectable list by its items', () => {
    const nav = raw('list', '', {}, [
      raw('listitem', '', {}, [raw('link', 'Home', {}, [raw('text', 'Home')])]),
    ]);
    expect(lines(nav, COMPACT)).toStrictEqual(['list', '  link "Home" @e1']);
    const list = raw('listbox', '', {}, [
      raw('listitem', '', { states: ['selectable'] }, [raw('link', 'Home')]),
    ]);
    expect(lines(list, COMPACT)).toHaveLength(3);
  });

  it('names an icon button by its tooltip and a row by its texts', () => {
    const tree = raw('window', '', {}, [
      raw('button', '', { description: 'Undo the last change' }, [raw('image')]),
      raw('listitem', '', {}, [raw('text', 'report.pdf'), raw('text', '3 MB')]),
    ]);
    expect(lines(tree, COMPACT)).toStrictEqual([
      'window',
      '  button "Undo the last change" @e1',
      '  listitem "report.pdf 3 MB" @e2',
    ]);
  });
});

describe('LibreOffice', () => {
  it('shows the cells of a sheet that were read and how many were not', () => {
    const sheet = raw('table', 'Sheet1', { childCount: 2_147_483_647, elided: 'too_many' }, [
      raw('cell', 'A1', { value: '12' }),
      raw('cell', 'B1'),
    ]);
    expect(lines(sheet)).toStrictEqual([
      'table "Sheet1" (2147483645 more) @e1+',
      '  cell "A1" @e2 value="12"',
      '  cell "B1" @e3',
    ]);
  });
});
