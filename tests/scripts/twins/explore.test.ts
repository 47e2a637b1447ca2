import { describe, expect, it } from 'vitest';
import { actName, type Act } from '../../../scripts/proof/twins/act/act.ts';
import { isFocusElsewhere, usableWidgets, type Widget } from '../../../scripts/proof/twins/act/widgets.ts';
import { Explorer } from '../../../scripts/proof/twins/run/explore.ts';
import { seededRandom } from '../../../scripts/proof/row.ts';
import { node, seen } from './seen.ts';

function widgets(...nodes: Parameters<typeof seen>[0]): Widget[] {
  return usableWidgets(seen(nodes));
}

function all(explorer: Explorer, shown: (act: Act) => readonly Widget[] = () => []): string[] {
  const found: string[] = [];
  for (let act = explorer.next(); act !== undefined; act = explorer.next()) {
    found.push(actName(act));
    explorer.learn(act, shown(act));
  }
  return found;
}

function explorer(seed: number, from: readonly Widget[]): Explorer {
  const made = new Explorer(seededRandom(seed));
  made.learnPlace([], from);
  return made;
}

describe('usable widgets', () => {
  it('are enabled, big enough and of a role that people use', () => {
    const found = widgets(
      node('push button', 'OK'),
      node('push button', 'Off', { states: ['showing'] }),
      node('push button', 'Thin', { box: [0, 0, 2, 20] }),
      node('label', 'text'),
    );
    expect(found.map(({ key }) => key.name)).toEqual(['OK']);
  });

  it('are not typed into while the keyboard goes to something else', () => {
    const focused = { states: ['sensitive', 'showing', 'focused'] };
    const field = node('text', 'Filter');
    const [here] = widgets(field);
    const isElsewhere = (...shown: Parameters<typeof seen>[0]): boolean =>
      here !== undefined && isFocusElsewhere(seen(shown), here.key);
    expect(isElsewhere({ ...field, ...focused }, node('list', 'Forms'))).toBe(false);
    expect(isElsewhere(field, node('list', 'Forms'))).toBe(false);
    expect(isElsewhere(field, node('list', 'Forms', focused))).toBe(true);
  });

  it('say why a mouse does not reach them', () => {
    const clipped = node('push button', 'Far', { box: [60, 0, 40, 10] });
    expect(widgets(clipped)[0]?.unreachable).toBe('clipped');
    const below = seen([node('push button', 'Below')]);
    const above = {
      id: 2,
      title: 'Other',
      pid: 9,
      box: [0, 0, 64, 64] as [number, number, number, number],
      managed: true,
    };
    expect(usableWidgets({ ...below, windows: [...below.windows, above] })[0]?.unreachable).toBe('covered');
  });
});

describe('exploring', () => {
  const start = widgets(
    node('menu', 'File'),
    node('check box', 'Wrap'),
    node('text', 'Name', { states: ['sensitive', 'showing', 'editable'] }),
    node('spin button', 'Size', { value: 3, range: [0, 9] }),
    node('list item', 'Row'),
  );

  it('tries each widget in every way it invites', () => {
    const kinds = (name: string): string[] =>
      all(explorer(1, start))
        .filter((act) => act.includes(`"${name}"`))
        .map((act) => act.split(':')[0] ?? '')
        .toSorted();
    expect(kinds('Wrap')).toEqual(['click', 'toggle']);
    expect(kinds('Name')).toEqual(['click', 'set-value "twin 42"']);
    expect(kinds('Size')).toEqual(['click', 'set-value "4"']);
    expect(kinds('Row')).toEqual(['click', 'select']);
  });

  it('depends on the seed alone', () => {
    expect(all(explorer(1, start))).toEqual(all(explorer(1, start)));
    expect(all(explorer(1, start))).not.toEqual(all(explorer(2, start)));
  });

  it('follows a menu: by its path, and with the menu open', () => {
    const items = widgets(node('menu item', 'Save'), node('menu item', 'Quit'));
    const found = all(explorer(1, start), ({ kind, target, steps }) =>
      kind === 'click' && target.key.name === 'File' && steps.length === 0 ? items : [],
    );
    expect(found.filter((act) => act.startsWith('menu "File > '))).toHaveLength(2);
    expect(found.filter((act) => /^click: .*"File" → .*"Save"$/.test(act))).toHaveLength(1);
  });

  it('reaches the items of a submenu from the menu bar', () => {
    const submenu = widgets(node('menu', 'Recent'));
    const items = widgets(node('menu item', 'notes.txt'));
    const found = all(explorer(1, start), ({ kind, target }) => {
      if (kind !== 'click') return [];
      return target.key.name === 'File' ? submenu : target.key.name === 'Recent' ? items : [];
    });
    expect(found.filter((act) => act.startsWith('menu "File > Recent > notes.txt": '))).toHaveLength(1);
  });

  it('tries the sort of act next of which it tried the fewest', () => {
    const many = Array.from({ length: 9 }, (_, index) => node('push button', `B${index}`));
    const found = all(explorer(1, widgets(...many, node('check box', 'Wrap'))));
    expect(found.slice(0, 3).map((act) => act.replace(/:.*/, ''))).toContain('toggle');
  });

  it('does not go to the same place twice', () => {
    const dialog = widgets(node('push button', 'Close'));
    const found = all(explorer(1, start), ({ kind }) => (kind === 'click' ? dialog : []));
    expect(found.filter((act) => act.includes('"Close"'))).toHaveLength(1);
  });
});
