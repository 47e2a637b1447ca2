import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { fakeApp } from '../app/fake-app.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  flatten,
  oneWindow,
  refsByName,
  snapshot,
  stage,
  windowWith,
} from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const WORDS = ['Öffnen', 'ファイル', 'naïve', '\u202Ehidden', 'Zażółć', '🙂🙃', 'plain', 'x'.repeat(50)];

function manyNodes(count: number): SimulatedNode[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `group-${index}`,
    role: 'group',
    name: `Group ${WORDS[index % WORDS.length]} ${index}`,
    children: [
      button(`b${index}`, `Button ${WORDS[(index * 3) % WORDS.length]}`),
      { id: `t${index}`, role: 'textbox', name: `Field ${index}`, value: `value ${index * 7919}` },
    ],
  }));
}

/** The whole program except the operating system: tokens are counted in the user's output. */
function appOn(on: Stage): App {
  return fakeApp(
    async () => on.desktop,
    async () => on.engine,
    { clock: on.world.clock, openSession: () => on.store },
  );
}

describe('--max-tokens', () => {
  const titles = ['Document', '\u202E'.repeat(40), '日本語のとても長いタイトル'.repeat(6)];
  it.each(titles.flatMap((title) => [['json', title] as const, ['outline', title] as const]))(
    'is never exceeded by the whole answer as %s in the window %j',
    async (format, title) => {
      const on = await stage([app({ windows: [windowWith(manyNodes(120), { title })] })]);
      const program = appOn(on);
      const readTree = on.desktop.readTree.bind(on.desktop);
      on.desktop.readTree = (request) => readTree({ ...request, maxNodes: 250 });
      const shown: number[] = [];
      for (const max of [20, 60, 100, 150, 200, 300, 400, 700, 1000, 2000, 5000]) {
        const reply = await program.execute('default', 'snapshot', { max_tokens: max }, { format });
        expect([0, 5]).toContain(reply.exitCode);
        if (reply.exitCode !== 0) continue;
        shown.push(max);
        expect(countTokens(reply.stdout), `${max}: ${reply.stdout}`).toBeLessThanOrEqual(max);
      }
      expect(shown.length).toBeGreaterThan(3);
    },
  );

  it.each(['json', 'outline'] as const)(
    'as %s has room beside titles and names of any length',
    async (format) => {
      const long = 'A window with a title that never ends. '.repeat(260);
      const on = await stage([app({ name: long, windows: [windowWith(manyNodes(9), { title: long })] })]);
      const program = appOn(on);
      const answer = await program.execute('default', 'snapshot', { max_tokens: 400 }, { format });
      expect(answer).toMatchObject({ exitCode: 0 });
      expect(countTokens(answer.stdout)).toBeLessThanOrEqual(400);
      for (const [command, input, exitCode] of [
        ['list-windows', {}, 0],
        ['list-apps', {}, 0],
        ['snapshot', { app: 'nobody' }, 6],
        ['snapshot', { window: 'nothing' }, 6],
      ] as const) {
        const other = await program.execute('default', command, input, { format });
        expect(other.exitCode).toBe(exitCode);
        expect((other.stdout + other.stderr).length).toBeLessThan(2000);
      }
    },
  );

  it('too small names a sufficient budget, which suffices', async () => {
    const on = await stage([app({ windows: [windowWith(manyNodes(30))] })]);
    const program = appOn(on);
    const reply = await program.execute('default', 'snapshot', { max_tokens: 5 }, { format: 'json' });
    const { error } = JSON.parse(reply.stdout);
    expect(error.code).toBe('BUDGET_TOO_SMALL');
    const advised = Number(/--max-tokens (\d+)/.exec(error.suggestion)?.[1]);
    expect(
      (await program.execute('default', 'snapshot', { max_tokens: advised }, { format: 'json' })).exitCode,
    ).toBe(0);
  });

  it('assigns no refs to what it leaves out, and leaves a ref to read it with', async () => {
    const on = await stage([app({ windows: [windowWith(manyNodes(60))] })]);
    const { tree, elided } = await snapshot(on.engine, { maxTokens: 300 });
    const refs = flatten(tree).flatMap(({ ref }) => (ref?.startsWith('@e') ? [Number(ref.slice(2))] : []));
    expect(elided).toBeGreaterThan(100);
    expect(refs).toEqual(refs.map((_, index) => index + 1));
    const handle = flatten(tree).find(
      (node) => node.elided_reason === 'budget' && node.ref?.startsWith('@e'),
    );
    const below = await snapshot(on.engine, { root: handle?.ref });
    expect(flatten(below.tree).length).toBeGreaterThan(1);
  });
});

describe('a snapshot', () => {
  const PANEL: SimulatedNode = {
    id: 'panel',
    role: 'group',
    name: 'Panel',
    children: [
      { id: 'inner', role: 'group', name: 'Inner', children: [button('deep', 'Deep'), button('low', 'Low')] },
      button('top', 'Top'),
    ],
  };

  it('assigns refs in document order and keeps them', async () => {
    const on = await stage(oneWindow([structuredClone(PANEL), button('last', 'Last')]));
    const first = await refsByName(on.engine);
    expect([...first]).toEqual([
      ['Document', '@w1'],
      ['Deep', '@e1'],
      ['Low', '@e2'],
      ['Top', '@e3'],
      ['Last', '@e4'],
    ]);
    on.world.insert('app', 'panel', button('new', 'New'), 0);
    const second = await refsByName(on.engine);
    expect(second.get('New')).toBe('@e5');
    for (const [name, ref] of first) expect(second.get(name)).toBe(ref);
  });

  it('stops at a depth and counts what is below', async () => {
    const on = await stage(oneWindow([structuredClone(PANEL)]));
    const { tree, elided } = await snapshot(on.engine, { maxDepth: 1 });
    expect(flatten(tree).map(({ name }) => name)).toEqual(['Document', 'Panel']);
    expect(elided).toBe(4);
    const handle = flatten(tree).find(({ name }) => name === 'Panel');
    expect(handle).toMatchObject({ elided: 4, elided_reason: 'depth' });
    const below = await snapshot(on.engine, { root: `${handle?.ref}+`, maxDepth: 1 });
    expect(below.tree).toMatchObject({ ref: handle?.ref, name: 'Panel' });
    expect(flatten(below.tree).map(({ name }) => name)).toEqual(['Panel', 'Inner', 'Top']);
    expect(below.window?.ref).toBe('@w1');
  });

  it('below an element gives the same refs as above it', async () => {
    const on = await stage(oneWindow([structuredClone(PANEL)]));
    const above = await refsByName(on.engine);
    const { matches } = await on.engine.find({
      ...DEADLINE,
      by: 'exact',
      query: 'Inner',
      limit: 1,
      wholeTree: false,
    });
    const below = await refsByName(on.engine, { root: matches[0]?.ref });
    for (const name of ['Deep', 'Low']) expect(below.get(name)).toBe(above.get(name));
  });

  it('below an element that no longer exists is stale', async () => {
    const on = await stage(oneWindow([structuredClone(PANEL)]));
    const refs = await refsByName(on.engine);
    on.world.remove('app', 'panel');
    expect(await failureOf(snapshot(on.engine, { root: refs.get('Top') }))).toMatchObject({
      code: 'STALE_REF',
    });
  });

  it('reports that a part could not be read, in both forms', async () => {
    const on = await stage(oneWindow(manyNodes(5)));
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = (request) => readTree({ ...request, maxNodes: 4 });
    const reason = 'only the first 4 elements were read';
    expect(await snapshot(on.engine)).toMatchObject({ complete: false, incompleteReasons: [reason] });
    const program = appOn(on);
    const outline = await program.execute('default', 'snapshot', {}, { format: 'outline' });
    expect(outline.stdout).toContain(`incomplete: ${reason}`);
    const json = JSON.parse((await program.execute('default', 'snapshot', {}, { format: 'json' })).stdout);
    expect(json).toMatchObject({ complete: false, incomplete_reasons: [reason] });
  });

  it('of a window without a tree fails with a reason and a suggestion', async () => {
    const bounds = { x: 0, y: 0, width: 9, height: 9 };
    const on = await stage([
      app({ windows: [{ id: 'blank', title: 'Blank', bounds, reason: 'Restart it with "desk launch".' }] }),
    ]);
    expect(await failureOf(snapshot(on.engine))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      suggestion: 'Restart it with "desk launch".',
    });
  });

  it('names a nameless window by its title bar', async () => {
    const window = windowWith([button('b', 'B')], { title: 'Calculator' });
    if (window.root) window.root.name = '';
    const { tree } = await snapshot((await stage([app({ windows: [window] })])).engine);
    expect(tree.name).toBe('Calculator');
  });

  it('that fails for its budget advances neither numbers nor the cursor', async () => {
    const on = await stage(oneWindow(manyNodes(3)));
    await failureOf(snapshot(on.engine, { maxTokens: 1 }));
    const { cursor, tree } = await snapshot(on.engine);
    expect(cursor).toBe('c1');
    expect(flatten(tree).find(({ role }) => role === 'button')?.ref).toBe('@e1');
  });
});
