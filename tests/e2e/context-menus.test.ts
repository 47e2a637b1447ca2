import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { OutputNode } from '../../src/model/tree/node.ts';
import { flatten, Snapshot } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { until } from '../until.ts';

const place = usePlace();
const bench = useFixtures(place);
const State = z.object({ text: z.string().nullish() });
const Opened = z.object({ opened: z.array(OutputNode) });
const Changes = z.object({
  changes: z.array(
    z.object({
      kind: z.string(),
      ref: z.string().optional(),
      role: z.string(),
      name: z.string().default(''),
    }),
  ),
});

/** The name without the shortcut that Qt appends. */
function titleOf(name: string): string {
  return name.split('\t')[0]?.trim() ?? '';
}

async function textOf(app: Bench, widget: string): Promise<string> {
  return State.parse(await app.fixture.control('get', { widget })).text ?? '';
}

/** Names of the items of open menus, as a new snapshot shows them. */
async function openItems(app: Bench): Promise<readonly string[]> {
  const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
  return flatten(tree).flatMap(({ role, name }) => (role === 'menuitem' && name ? [titleOf(name)] : []));
}

/** Opens the context menu of a field and returns the ref of "Paste", as the receipt has it. */
async function openMenu(app: Bench, widget: string): Promise<string> {
  await app.set(widget, 'text', '');
  expect(await openItems(app)).not.toContain('Paste');
  const opened = await app.desk('right-click', await app.ref(widget));
  expect(opened.receipt.effect).toBe('confirmed');
  const trees = Opened.parse(opened.receipt).opened;
  const paste = trees.flatMap(flatten).find(({ name = '' }) => titleOf(name) === 'Paste');
  expect(await openItems(app)).toContain('Paste');
  return paste?.ref ?? '';
}

describe.each(['gtk3', 'qt5', 'qt6'] as const)('%s', (kind) => {
  it('opens, reads and uses a context menu through accessibility', async () => {
    const app = bench(kind);
    await place().desk(['clipboard', 'set', 'into notes']);
    const paste = await openMenu(app, 'notes');
    const clicked = await app.desk('click', paste, '--mode', 'background');
    expect(clicked.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    await until(async () => (await textOf(app, 'notes')) === 'into notes', 'the text');
    // Qt runs an item without closing its menu.
    if (kind !== 'gtk3') await app.desk('press', 'Escape');
    await until(async () => !(await openItems(app)).includes('Paste'), 'the menu to close');
  });

  it.each([[['--mode', 'pointer']], [[]]])(
    'uses a context menu with a click, which closes it: %j',
    async (mode) => {
      const app = bench(kind);
      await place().desk(['clipboard', 'set', 'into name']);
      const paste = await openMenu(app, 'name');
      const clicked = await app.desk('click', paste, ...mode);
      expect(clicked.receipt).toMatchObject({ effect: 'confirmed' });
      const gone = Changes.parse(clicked.receipt).changes.filter(
        ({ kind: change }) => change === 'disappeared',
      );
      expect(gone.map(({ name }) => titleOf(name))).toContain('Paste');
      expect(await textOf(app, 'name')).toBe('into name');
      expect(await openItems(app)).not.toContain('Paste');
    },
  );
});

describe('gtk4', () => {
  it('opens a context menu that only the display knows', async () => {
    const app = bench('gtk4');
    expect((await app.desk('right-click', await app.ref('name'))).receipt).toMatchObject({
      effect: 'confirmed',
      evidence: expect.arrayContaining([expect.stringContaining('a popup of the application opened')]),
    });
    await app.desk('press', 'Escape');
  });

  it('is not taken for one that answers if only a tooltip goes', async () => {
    const app = bench('gtk4');
    const tips = async (): Promise<number> => {
      const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
      return flatten(tree).filter(({ role }) => role === 'tooltip').length;
    };
    for (const act of [
      ['press', 'F9', '--app', app.app],
      ['right-click', await app.ref('refresh')],
    ]) {
      await app.desk('mouse', 'move', '5', '5');
      await until(async () => (await tips()) === 0, 'no tooltip');
      await app.desk('hover', await app.ref('refresh'));
      await until(async () => (await tips()) === 1, 'the tooltip');
      expect((await app.desk(...act)).receipt).toMatchObject({ effect: 'unverified' });
      expect(await tips()).toBe(0);
    }
  });
});
