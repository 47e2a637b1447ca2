import { expect, it } from 'vitest';
import type { Change } from '../../src/model/effects/effect.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { rankChanges, withoutReplaced } from '../../src/engine/evidence/rank-changes.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';

function seen(
  key: string,
  role: Role,
  kind: Change['kind'],
  lineage: readonly string[] = ['window'],
): ObservedChange {
  const change: Change = {
    kind,
    role,
    name: key,
    ...(kind === 'changed' ? { before: 'a', after: 'b' } : {}),
  };
  const handle = { app: 'app', path: key };
  return {
    change,
    key,
    lineage,
    node: { handle, role, nativeRole: role, name: key, states: [], children: [] },
  };
}

const RANKING = { targetKey: 'target', targetLineage: ['near', 'window'], reliesOn: undefined };

function order(changes: readonly ObservedChange[], ranking: Parameters<typeof rankChanges>[1] = RANKING) {
  return rankChanges(changes, ranking).map(({ key }) => key);
}

it('a page that is exchanged does not push the result out of the list', () => {
  const page = Array.from({ length: 30 }, (_, at) =>
    seen(`row ${at}`, 'listitem', 'appeared', ['page', 'window']),
  );
  const old = Array.from({ length: 30 }, (_, at) =>
    seen(`old ${at}`, 'listitem', 'disappeared', ['page 0', 'window']),
  );
  const all = [seen('page', 'group', 'appeared'), ...page, ...old, seen('Total', 'textbox', 'changed')];
  expect(order(all).slice(0, 2)).toEqual(['Total', 'page']);
  const relied = order(all, { ...RANKING, reliesOn: 'row 7' });
  expect(relied[0]).toBe('row 7');
});

it('what happened to the target, the focus and dialogs comes first', () => {
  const changes = [
    seen('label', 'text', 'changed'),
    seen('field', 'textbox', 'focus'),
    seen('target', 'checkbox', 'changed', ['near', 'window']),
    seen('Sure?', 'dialog', 'appeared'),
  ];
  expect(order(changes)).toEqual(['target', 'field', 'Sure?', 'label']);
});

it('of two equal changes the nearer one comes first', () => {
  const changes = [
    seen('far', 'textbox', 'changed', ['other', 'window']),
    seen('beside', 'textbox', 'changed', ['near', 'window']),
    seen('inside', 'textbox', 'changed', ['target', 'near', 'window']),
  ];
  expect(order(changes)).toEqual(['inside', 'beside', 'far']);
});

it('keeps every change, in the order of the window where nothing else decides', () => {
  const changes = ['b', 'a', 'c'].map((key) => seen(key, 'text', 'appeared'));
  expect(order(changes)).toEqual(['b', 'a', 'c']);
});

it('what was replaced by its like is left out, unless it can be used', () => {
  const twice = (name: string, role: Role): ObservedChange[] =>
    (['appeared', 'disappeared'] as const).map((kind) => ({
      ...seen(name, role, kind),
      key: `${name} ${kind}`,
    }));
  const changes = [
    ...twice('bar', 'toolbar'),
    ...twice('go', 'button'),
    seen('alone', 'toolbar', 'disappeared'),
  ];
  const elsewhere = { ...seen('alone', 'toolbar', 'appeared', ['pane', 'window']), key: 'elsewhere' };
  const kept = withoutReplaced([...changes, elsewhere]).map(({ key }) => key);
  expect(kept).toEqual(['go appeared', 'go disappeared', 'alone', 'elsewhere']);
});
