import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import type { WindowSummary } from '../../src/model/refs/target.ts';
import { flatten, Found, Got, ListedWindows, Snapshot } from './support/answers.ts';
import { useFixtures } from './support/fixtures.ts';
import { isReportedGone } from './support/reported-gone.ts';

const place = usePlace();
const bench = useFixtures(place);

describe.each(FIXTURE_KINDS)('refs of %s', (kind) => {
  it('stay the same across calls and click the element they name', async () => {
    const app = bench(kind);
    const ref = await app.ref('press');
    const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
    expect(flatten(tree).find((node) => node.ref === ref)).toMatchObject({ role: 'button', name: 'Press' });
    expect(await app.ref('press')).toBe(ref);
    expect((await app.click(ref)).pressed).toEqual(['press']);
  });

  it.each([[[]], [['--whole-tree']]])(
    'of all elements stay the same when the window is read again %j',
    async (more) => {
      const app = bench(kind);
      const read = async () => {
        const { tree } = (await app.desk('snapshot', '--app', app.app, ...more)).ok(Snapshot);
        return flatten(tree).flatMap(({ ref, role, name }) =>
          ref === undefined ? [] : [{ ref, role, name }],
        );
      };
      const first = await read();
      expect(first.length).toBeGreaterThan(10);
      expect(await read()).toEqual(first);
    },
  );

  it('survive a change of the name', async () => {
    const app = bench(kind);
    const ref = await app.ref('press');
    await app.fixture.control('rename', { widget: 'press', label: 'Renamed' });
    try {
      expect((await app.click(ref)).pressed).toEqual(['press']);
      expect(await app.refOf('Renamed', 'button')).toBe(ref);
    } finally {
      await app.fixture.control('rename', { widget: 'press', label: 'Press' });
    }
  });

  it('follow widgets that are swapped', async () => {
    const app = bench(kind);
    const [press, other] = [await app.ref('press'), await app.ref('enable_later')];
    await app.fixture.control('swap', { widget: 'press', with: 'enable_later' });
    try {
      for (const [ref, widget] of [[press, 'press'] as const, [other, 'enable_later'] as const]) {
        const { reply, pressed } = await app.click(ref);
        expect(pressed).toEqual(isReportedGone(reply) ? [] : [widget]);
      }
    } finally {
      await app.fixture.control('swap', { widget: 'press', with: 'enable_later' });
      await app.set('later', 'enabled', false);
    }
  });

  // One rule for all toolkits: exactly one element has its role, name and position.
  it('name the equal replacement of a destroyed widget', async () => {
    const app = bench(kind);
    const ref = await app.ref('enable_later');
    await app.fixture.control('recreate', { widget: 'enable_later' });
    const { reply, pressed } = await app.click(ref);
    expect([reply.exitCode, pressed]).toEqual([0, ['enable_later']]);
    expect(await app.ref('enable_later')).toBe(ref);
    await app.set('later', 'enabled', false);
  });

  it('never name a twin of a destroyed widget', async () => {
    const app = bench(kind);
    await app.fixture.control('rename', { widget: 'open_dialog', label: 'Twin' });
    await app.fixture.control('rename', { widget: 'odd', label: 'Twin' });
    const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
    const twins = flatten(tree).filter((node) => node.name === 'Twin');
    expect(twins).toHaveLength(2);
    await app.fixture.control('remove', { widget: 'open_dialog' });
    const clicks = [];
    for (const { ref } of twins) clicks.push(await app.click(ref ?? ''));
    const gone = clicks.filter(({ reply }) => isReportedGone(reply));
    expect(gone).toHaveLength(1);
    expect(gone[0]?.pressed).toEqual([]);
    expect(clicks.flatMap(({ pressed }) => pressed)).toEqual(['odd']);
  });

  it('of rows never name another row', async () => {
    const app = bench(kind);
    // The first two are removed, and toolkits that number their rows give the third the number of the first.
    const rows = ['Apple', 'Banana', 'Cherry'];
    const refs = await Promise.all(rows.map((name) => app.refOf(name, 'listitem')));
    await app.fixture.control('remove_rows', { widget: 'fruits', index: 0, n: 2 });
    const texts = await Promise.all(refs.map((ref) => app.desk('get', 'text', ref)));
    const told = texts.map((reply) => (isReportedGone(reply) ? 'gone' : reply.ok(Got).value));
    expect(
      [['gone'], ['gone'], ['gone', 'Cherry']].every((fine, index) => fine.includes(String(told[index]))),
    ).toBe(true);
  });

  it('report that a destroyed widget no longer exists', async () => {
    const app = bench(kind);
    const ref = await app.ref('press');
    await app.fixture.control('remove', { widget: 'press' });
    const { reply, pressed } = await app.click(ref);
    expect(isReportedGone(reply)).toBe(true);
    expect(pressed).toEqual([]);
    isReportedGone(await app.desk('get', 'text', ref));
    expect((await app.desk('get', 'bounds', ref)).exitCode).toBe(8);
    expect((await app.desk('snapshot', '--root', ref)).exitCode).toBe(8);
  });
});

describe.each(['qt5', 'qt6'] as const)(
  'refs in a tree of %s, which makes new cells for each reading',
  (kind) => {
    const read = async () => {
      const { tree } = (
        await bench(kind).desk('snapshot', '--app', bench(kind).app, '--max-tokens', '20000')
      ).ok(Snapshot);
      return flatten(tree).flatMap(({ ref, role, name }) =>
        ref !== undefined && (role === 'cell' || role === 'treeitem') ? [{ ref, name }] : [],
      );
    };

    it('stay with rows when others are added above them, and act on them', async () => {
      const app = bench(kind);
      await app.set('tabs', 'selected', 'Advanced');
      await app.fixture.control('add_rows', { widget: 'files', n: 4, prefix: 'Later' });
      const before = await read();
      const folder = before.find(({ name }) => name === 'Pictures')?.ref ?? '';
      await app.fixture.control('add_rows', { widget: 'files', n: 2, index: 0, prefix: 'Folder' });
      try {
        const after = await read();
        const known = new Map(before.map(({ ref, name }) => [ref, name]));
        // A reference that was given before names what it named, and no two rows share one.
        for (const { ref, name } of after) expect(known.get(ref) ?? name).toBe(name);
        expect(new Set(after.map(({ ref }) => ref)).size).toBe(after.length);
        expect(after.find(({ name }) => name === 'Pictures')?.ref).toBe(folder);
        expect((await app.desk('get', 'text', folder)).ok(Got).value).toBe('Pictures');
        await app.desk('click', folder);
        expect(await app.fixture.control('get', { widget: 'files' })).toMatchObject({ selected: 'Pictures' });
      } finally {
        await app.fixture.control('remove_rows', { widget: 'files', n: 2, index: 0 });
      }
      expect((await read()).find(({ name }) => name === 'Pictures')?.ref).toBe(folder);
    });

    it('do not pass to one of several equal rows', async () => {
      const app = bench(kind);
      for (const index of [0, 1, 2])
        await app.fixture.control('add_rows', { widget: 'files', n: 1, index, prefix: 'Twin' });
      try {
        const before = await read();
        await app.fixture.control('add_rows', { widget: 'files', n: 1, index: 0, prefix: 'Twin' });
        const known = new Map(before.map(({ ref, name }) => [ref, name]));
        for (const { ref, name } of await read()) expect(known.get(ref) ?? name).toBe(name);
      } finally {
        await app.fixture.control('remove_rows', { widget: 'files', n: 4, index: 0 });
      }
    });
  },
);

it('are unknown to another session and never invented', async () => {
  const app = bench('gtk3');
  const ref = await app.ref('bold');
  expect((await app.desk('session', 'new', 'other')).exitCode).toBe(0);
  const strange = await app.desk('get', 'role', ref, '--session', 'other');
  expect(strange.error('ELEMENT_NOT_FOUND').suggestion).toContain('--session');
  expect((await app.desk('click', '@e99999')).error('ELEMENT_NOT_FOUND')).toMatchObject({ retryable: false });
});

describe('an application that was killed and started again', () => {
  it.each(['gtk3', 'qt6'] as const)(
    'gets no reference of the old %s one, although its window has the same id',
    async (kind) => {
      const title = `Mortal ${kind}`;
      const first = await place().fixture(kind, title);
      const list = async (): Promise<WindowSummary[]> =>
        (await place().desk(['list-windows'])).ok(ListedWindows).windows;
      const mine = (await list()).find(({ pid }) => pid === first.pid);
      const found = (await place().desk(['find', 'Press', '--app', String(first.pid), '--exact'])).ok(Found);
      const [button] = found.matches;
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      const second = await place().fixture(kind, title);
      const next = (await list()).find(({ pid }) => pid === second.pid);
      // The X server reuses the ids of a client that has disconnected; otherwise this would prove nothing.
      expect(next?.id).toBe(mine?.id);
      expect(next?.ref).not.toBe(mine?.ref);
      const clicked = await place().desk(['click', button?.ref ?? '']);
      expect(clicked.error('STALE_REF').delivered).toBe(false);
      expect((await second.events()).filter(({ widget }) => widget === 'press')).toEqual([]);
      expect(
        (await place().desk(['snapshot', '--window', mine?.ref ?? ''])).error('WINDOW_NOT_FOUND').code,
      ).toBe('WINDOW_NOT_FOUND');
      await second.stop();
    },
  );
});
