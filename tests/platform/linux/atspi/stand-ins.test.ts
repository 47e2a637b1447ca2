import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  STAND_INS,
  standInFor,
  standIns,
  type StandInAct,
} from '../../../../src/platform/linux/atspi/actions/stand-ins.ts';

type Element = Parameters<typeof standInFor>[1];

const ROOT = join(import.meta.dirname, '../../../..');
const Compatibility = z.object({
  rows: z.array(z.object({ toolkit: z.string(), command: z.string(), outcome: z.string() })),
});

function chosen(
  act: StandInAct,
  toolkit: Element['toolkit'],
  role: Element['role'],
  offered: string,
): string | undefined {
  const names = offered.split(',').filter((name) => name !== '');
  return standInFor(act, { toolkit, role, offered: names })?.name;
}

describe('the action that stands in for an act', () => {
  it.each([
    ['click', 'gtk3', 'button', 'click', 'click'],
    ['click', 'gtk3', 'menuitem', 'click', 'click'],
    ['click', 'qt', 'button', 'Press,SetFocus', 'Press'],
    ['click', 'qt', 'tab', 'Press', 'Press'],
    ['click', 'gecko', 'link', 'jump', 'jump'],
    ['click', 'chromium', 'checkbox', 'check,showContextMenu', 'check'],
    ['toggle', 'gtk3', 'checkbox', 'Click', 'Click'],
    ['toggle', 'chromium', 'checkbox', 'check,showContextMenu', 'check'],
    ['expand', 'gtk3', 'cell', 'Expand or contract,Edit,Activate', 'Expand or contract'],
    ['expand', 'gtk3', 'menu', 'Click', 'Click'],
    ['expand', 'libreoffice', 'menu', 'Click', 'Click'],
    ['expand', 'gtk3', 'combobox', 'Press', 'Press'],
    ['click', 'gtk3', 'togglebutton', 'activate', 'activate'],
    ['toggle', 'gtk3', 'togglebutton', 'activate', 'activate'],
    ['expand', 'gtk3', 'togglebutton', 'Activate', 'Activate'],
    ['expand', 'qt', 'menuitem', 'ShowMenu', 'ShowMenu'],
    ['expand', 'qt', 'combobox', 'ShowMenu,Press', 'ShowMenu'],
    ['expand', 'qt', 'button', 'Press,ShowMenu', 'ShowMenu'],
    ['expand', 'gecko', 'combobox', 'open', 'open'],
    ['collapse', 'qt', 'combobox', 'ShowMenu,Press', 'Press'],
    ['expand', 'java', 'treeitem', 'toggleexpand', 'toggleexpand'],
    ['expand', 'java', 'menu', 'click', 'click'],
    ['collapse', 'java', 'combobox', 'togglePopup', 'togglePopup'],
    ['select', 'qt', 'tablist', 'Press', 'Press'],
    ['select', 'chromium', 'combobox', 'select', 'select'],
  ] as const)('%s on %s: a %s that offers %s', (act, toolkit, role, offered, wanted) => {
    expect(chosen(act, toolkit, role, offered)).toBe(wanted);
  });

  it.each([
    ['gtk3', 'combobox', 'Selection.SelectChild'],
    ['gtk4', 'tablist', 'Selection.SelectChild'],
    ['java', 'treegrid', 'Selection.SelectChild'],
  ] as const)('%s selects in a %s with %s', (toolkit, container, method) => {
    expect(standIns('select', toolkit, container)[0]?.actions).toEqual([method]);
  });

  // A click also puts the cursor there, and file managers open what is clicked in their side bars.
  it.each(['table', 'grid', 'tree', 'treegrid', 'list', 'listbox'] as const)(
    'GTK rows are selected by the pointer: %s',
    (container) => {
      for (const toolkit of ['gtk3', 'gtk4'] as const)
        expect(standIns('select', toolkit, container)).toEqual([]);
    },
  );
});

describe('an action that does something else than a person, or is not known, does not stand in', () => {
  it.each([
    // It opens the row.
    ['click', 'gtk3', 'cell', 'Expand or contract,Edit,Activate'],
    ['click', 'gtk3', 'listitem', 'activate'],
    // It selects the first item of the menu.
    ['click', 'gtk3', 'menu', 'Click'],
    // The application does not hear of it.
    ['click', 'qt', 'checkbox', 'Toggle'],
    // It may open a list or a menu, which needs the event of a real press.
    ['click', 'gtk3', 'togglebutton', 'Click'],
    ['toggle', 'gtk3', 'togglebutton', 'Click'],
    ['click', 'qt', 'togglebutton', 'Toggle'],
    ['toggle', 'qt', 'checkbox', 'Toggle'],
    ['toggle', 'qt', 'radio', 'Toggle,SetFocus'],
    ['click', 'qt', 'listitem', 'Toggle'],
    ['click', 'qt', 'treeitem', 'Toggle'],
    ['select', 'qt', 'list', 'Toggle'],
    ['select', 'qt', 'table', 'Toggle'],
    ['select', 'qt', 'combobox', 'Toggle'],
    ['select', 'gecko', 'listbox', 'select'],
    // It would submit the form.
    ['click', 'gtk4', 'textbox', 'activate'],
    ['toggle', 'gtk4', 'checkbox', ''],
    ['toggle', 'gtk3', 'cell', 'Expand or contract,Edit,Activate'],
    // Nobody has shown what it does.
    ['click', 'other', 'button', 'click'],
    ['click', 'gtk3', 'image', 'click'],
    // It opens the submenu of the first item, too.
    ['click', 'libreoffice', 'menu', 'click'],
    ['expand', 'other', 'row', 'open'],
    // It would run the item.
    ['expand', 'qt', 'menuitem', 'Press'],
    ['expand', 'gtk3', 'menuitem', 'Click'],
    ['collapse', 'gtk3', 'combobox', 'Press'],
    ['expand', 'gtk4', 'button', 'listitem.expand'],
    ['expand', 'libreoffice', 'cell', 'expand or contract'],
    ['collapse', 'libreoffice', 'button', 'press'],
    ['collapse', 'gecko', 'treeitem', 'collapse'],
    ['collapse', 'chromium', 'combobox', 'close'],
    ['collapse', 'qt', 'button', 'Press'],
  ] as const)('%s on %s: a %s that offers %s', (act, toolkit, role, offered) => {
    expect(chosen(act, toolkit, role, offered)).toBeUndefined();
  });

  it.each([
    ['set-value', 'gecko', 'textbox'],
    ['type', 'gecko', 'textbox'],
    ['set-value', 'chromium', 'textbox'],
    ['set-value', 'other', 'textbox'],
    ['select', 'gtk4', 'combobox'],
    // A click also opens the row.
    ['select', 'gtk3', 'list'],
    ['select', 'libreoffice', 'listbox'],
    ['select', 'gtk4', 'list'],
    ['select', 'gecko', 'combobox'],
    // The page hears of no input.
    ['set-value', 'gecko', 'spinbutton'],
    ['select', 'chromium', 'list'],
    ['select', 'chromium', 'listbox'],
    ['select', 'gtk3', 'menu'],
  ] as const)('%s on %s: a %s', (act, toolkit, role) => {
    expect(standIns(act, toolkit, role)).toEqual([]);
  });
});

it('names for each row a test or a result that exists', () => {
  const compatible = Compatibility.parse(
    JSON.parse(readFileSync(join(ROOT, 'docs/compatibility.json'), 'utf8')),
  ).rows.filter(({ outcome }) => outcome === 'works');
  const works = new Set(compatible.map(({ toolkit, command }) => `${toolkit} ${command}`));
  for (const { act, toolkits, shown } of STAND_INS) {
    const [file = '', what = ''] = shown.split(': ');
    const isFound =
      file === 'docs/compatibility.json'
        ? works.has(what)
        : existsSync(join(ROOT, file)) && readFileSync(join(ROOT, file), 'utf8').includes(what);
    expect([act, toolkits, shown, isFound]).toEqual([act, toolkits, shown, true]);
  }
});

/** What `docs/compatibility.json` calls them. */
const RECORDED: Readonly<Partial<Record<Element['toolkit'], readonly string[]>>> = {
  gtk3: ['GTK 3'],
  gtk4: ['GTK 4'],
  qt: ['Qt 5', 'Qt 6'],
  java: ['Swing'],
  gecko: ['Firefox'],
  chromium: ['Chromium'],
  libreoffice: ['LibreOffice Calc'],
};

it('names for each row no result of another toolkit or act', () => {
  const cited = STAND_INS.filter(({ shown }) => shown.startsWith('docs/compatibility.json: '));
  expect(cited.length).toBeGreaterThan(20);
  for (const { act, toolkits, shown } of cited)
    for (const toolkit of toolkits)
      expect(RECORDED[toolkit]?.map((name) => `docs/compatibility.json: ${name} ${act}`)).toContain(shown);
});

it('has menus and lists that open take the next click, and nothing else', () => {
  for (const { act, roles, grabs } of STAND_INS.filter((row) => row.grabs === true)) {
    expect([act === 'expand' || act === 'click', grabs]).toEqual([true, true]);
    expect(roles.some((role) => ['menu', 'menuitem', 'combobox', 'button'].includes(role))).toBe(true);
  }
});

it('knows which menus open with their first item selected, and its submenu', () => {
  const opening = STAND_INS.filter((row) => row.act === 'expand' && row.roles.includes('menu'));
  const first = opening.filter((row) => row.opensFirst === true).flatMap(({ toolkits }) => toolkits);
  expect(first).toEqual(['gtk3', 'libreoffice']);
});
