import { describe, expect, it } from 'vitest';
import { actionFor } from '../../../src/platform/linux/atspi/actions/toolkit-actions.ts';

type Element = Parameters<typeof actionFor>[1];

function chosen(
  act: Parameters<typeof actionFor>[0],
  toolkit: Element['toolkit'],
  role: Element['role'],
  offered: string,
): string | undefined {
  const names = offered.split(',').filter((name) => name !== '');
  const index = actionFor(act, { toolkit, role, offered: names });
  return index === undefined ? undefined : names[index];
}

describe('the action for an act in each toolkit', () => {
  it.each([
    ['toggle', 'gtk3', 'checkbox', 'Click', 'Click'],
    ['toggle', 'qt', 'radio', 'Toggle,SetFocus', 'Toggle'],
    ['toggle', 'chromium', 'checkbox', 'check,showContextMenu', 'check'],
    ['toggle', 'gtk3', 'cell', 'Expand or contract,Toggle', 'Toggle'],
    ['expand', 'gtk3', 'cell', 'Expand or contract,Edit,Activate', 'Expand or contract'],
    ['expand', 'gtk3', 'menu', 'Click', 'Click'],
    ['expand', 'gtk3', 'combobox', 'Press', 'Press'],
    ['expand', 'gtk3', 'togglebutton', 'Activate', 'Activate'],
    ['expand', 'qt', 'menuitem', 'ShowMenu', 'ShowMenu'],
    ['expand', 'qt', 'combobox', 'ShowMenu,Press', 'ShowMenu'],
    ['expand', 'qt', 'button', 'Press,ShowMenu', 'ShowMenu'],
    ['expand', 'gecko', 'combobox', 'open', 'open'],
    ['collapse', 'qt', 'combobox', 'ShowMenu,Press', 'Press'],
    ['expand', 'java', 'treeitem', 'toggleexpand', 'toggleexpand'],
    ['expand', 'java', 'menu', 'click', 'click'],
    ['collapse', 'java', 'combobox', 'togglePopup', 'togglePopup'],
    ['collapse', 'gecko', 'treeitem', 'collapse', 'collapse'],
  ] as const)('%s on %s: a %s that offers %s', (act, toolkit, role, offered, wanted) => {
    expect(chosen(act, toolkit, role, offered)).toBe(wanted);
  });
});

describe('an action that lies or does something else is not used', () => {
  it.each([
    ['toggle', 'gtk4', 'checkbox', ''],
    // It selects the row.
    ['toggle', 'qt', 'cell', 'Toggle'],
    ['expand', 'qt', 'cell', 'Toggle'],
    // It would open the file.
    ['expand', 'other', 'row', 'open'],
    // It would run the item.
    ['expand', 'qt', 'menuitem', 'Press'],
    ['expand', 'gtk3', 'menuitem', 'Click'],
    ['toggle', 'gtk3', 'cell', 'Expand or contract,Edit,Activate'],
    ['collapse', 'gtk3', 'combobox', 'Press'],
  ] as const)('%s on %s: a %s that offers %s', (act, toolkit, role, offered) => {
    expect(chosen(act, toolkit, role, offered)).toBeUndefined();
  });
});
