import { describe, expect, it } from 'vitest';
import type { FindRequest, FindResult } from '../../src/engine/requests/reading.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { button, DEADLINE, failureOf, oneWindow, stage } from './support/stage.ts';

const WINDOW: SimulatedNode[] = [
  {
    id: 'bar',
    role: 'toolbar',
    name: 'Main',
    children: [button('save', 'Save'), button('save-as', 'Save As…'), button('print', 'Print')],
  },
  {
    id: 'mail',
    role: 'list',
    name: 'Mail [new]',
    children: [
      { id: 'inbox', role: 'listitem', name: 'Inbox', children: [button('delete-1', 'Delete')] },
      {
        id: 'sent',
        role: 'listitem',
        name: 'Sent',
        states: ['selected'],
        children: [button('delete-2', 'Delete')],
      },
    ],
  },
  { id: 'search', role: 'textbox', name: 'Search', value: 'quarterly report', accepts: 'text' },
  { id: 'hint', role: 'text', name: 'Nothing to see', description: 'a hint' },
  button('hidden', 'Hidden', { states: ['hidden'] }),
];

async function find(request: Partial<FindRequest>, nodes = WINDOW): Promise<FindResult> {
  const on = await stage(oneWindow(structuredClone(nodes)));
  return on.engine.find({ ...DEADLINE, by: 'auto', limit: 20, wholeTree: false, ...request });
}

async function names(request: Partial<FindRequest>, nodes = WINDOW): Promise<(string | undefined)[]> {
  return (await find(request, nodes)).matches.map(({ name }) => name);
}

describe('a method', () => {
  it.each<[FindRequest['by'], string, string[]]>([
    ['exact', 'save', ['Save']],
    ['exact', ' SAVE ', ['Save']],
    ['exact', 'quarterly report', ['Search']],
    ['contains', 'save', ['Save', 'Save As…']],
    ['contains', 'hint', ['Nothing to see']],
    ['regex', '^s(ave|ent)$', ['Save', 'Sent']],
    ['regex', String.raw`\bas…`, ['Save As…']],
    ['role', 'textbox', ['Search']],
    ['role', 'push button', ['Save', 'Save As…', 'Print', 'Delete', 'Delete']],
    ['role', 'AXTextField', ['Search']],
    ['fuzzy', 'Prnit', []],
    ['fuzzy', 'Serach', ['Search']],
    ['fuzzy', 'Sav', ['Save']],
    ['identifier', 'save', []],
  ])('%s finds %j', async (by, query, expected) => {
    expect(await names({ by, query })).toEqual(expected);
  });

  it('identifier finds the application’s identifier, ignoring case', async () => {
    const on = await stage(oneWindow(structuredClone(WINDOW)));
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request) => {
      const read = await readTree(request);
      for (const node of read.root.children) node.identifier = `id-${node.handle.path}`;
      return read;
    };
    const found = await on.engine.find({
      ...DEADLINE,
      by: 'identifier',
      query: 'ID-search',
      limit: 5,
      wholeTree: false,
    });
    expect(found.matches.map(({ name }) => name)).toEqual(['Search']);
  });

  it('fuzzy orders by likeness and returns it', async () => {
    const { matches, matchedBy } = await find({ by: 'fuzzy', query: 'save as' });
    expect(matchedBy).toBe('fuzzy');
    expect(matches.map(({ name }) => name)).toEqual(['Save As…', 'Save']);
    expect(matches[0]?.score ?? 0).toBeGreaterThan(matches[1]?.score ?? 1);
  });
});

describe('without a method', () => {
  it.each([
    ['save', 'exact', ['Save']],
    ['av', 'contains', ['Save', 'Save As…']],
    ['^(Print|Save)$', 'regex', ['Save', 'Print']],
    ['listitem', 'role', ['Inbox', 'Sent']],
    ['list/listitem[2]', 'path', ['Sent']],
    ['Serach', 'fuzzy', ['Search']],
  ])('%j is found by the first that matches: %s', async (query, method, expected) => {
    const { matches, matchedBy } = await find({ query });
    expect([matchedBy, matches.map(({ name }) => name)]).toEqual([method, expected]);
  });

  it('a text that is neither a pattern nor a path is searched all the same', async () => {
    for (const query of ['Mail [', '(', 'a/', '**']) expect((await find({ query })).complete).toBe(true);
    expect(await names({ query: 'Mail [new]' })).toEqual(['Mail [new]']);
  });

  it('a role alone lists all elements of that role, and narrows a query', async () => {
    expect(await names({ role: 'listitem' })).toEqual(['Inbox', 'Sent']);
    expect(await names({ query: 'e', by: 'contains', role: 'button' })).not.toContain('Sent');
  });
});

describe('an answer', () => {
  it('gives every match a usable ref, whatever its role, and names its containers', async () => {
    const on = await stage(oneWindow(structuredClone(WINDOW)));
    const { matches } = await on.engine.find({
      ...DEADLINE,
      by: 'contains',
      query: 'e',
      limit: 20,
      wholeTree: false,
    });
    expect(matches.length).toBeGreaterThan(5);
    for (const { ref = '', name, role } of matches)
      expect((await on.engine.describe({ ...DEADLINE, ref })).node).toMatchObject({ name, role });
    expect(matches.find(({ name }) => name === 'Delete')?.within).toEqual([
      'window "Document"',
      'list "Mail [new]"',
      'listitem "Inbox"',
    ]);
  });

  it('counts what the limit left out', async () => {
    const { matches, total } = await find({ role: 'button', limit: 2 });
    expect([matches.length, total]).toEqual([2, 5]);
  });

  it('offers near misses if nothing matched', async () => {
    const { matches, nearMisses, matchedBy, total } = await find({ by: 'exact', query: 'Sarch' });
    expect([matches, matchedBy, total]).toEqual([[], undefined, 0]);
    expect(nearMisses[0]).toMatchObject({ name: 'Search', role: 'textbox' });
    expect(nearMisses[0]?.ref).toMatch(/^@e\d+$/);
    expect((await find({ by: 'exact', query: 'xyzzy' })).nearMisses).toEqual([]);
  });

  it('shows hidden elements only in the whole tree', async () => {
    expect(await names({ by: 'exact', query: 'hidden' })).toEqual([]);
    expect(await names({ by: 'exact', query: 'hidden', wholeTree: true })).toEqual(['Hidden']);
  });

  it('passes on why it is incomplete', async () => {
    const on = await stage(oneWindow(structuredClone(WINDOW)));
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = (request) => readTree({ ...request, maxNodes: 3 });
    const found = await on.engine.find({ ...DEADLINE, by: 'exact', query: 'x', limit: 1, wholeTree: false });
    expect([found.complete, found.incompleteReasons]).toEqual([
      false,
      ['only the first 3 elements were read'],
    ]);
  });
});

describe('a path', () => {
  it.each<[string, string[]]>([
    ['//button', ['Save', 'Save As…', 'Print', 'Delete', 'Delete']],
    ['button', ['Save', 'Save As…', 'Print', 'Delete', 'Delete']],
    ['/window/toolbar/button', ['Save', 'Save As…', 'Print']],
    ['/toolbar', []],
    ['toolbar/button[2]', ['Save As…']],
    ['toolbar/button[9]', []],
    ['//listitem[@name="Sent"]//button', ['Delete']],
    ["//listitem[@name='sent']", ['Sent']],
    ['//button[contains(@name, "save")]', ['Save', 'Save As…']],
    ['//button[contains(@name,"save")][2]', ['Save As…']],
    ['//list[@name="Mail [new]"]/listitem[1]', ['Inbox']],
    ['//listitem[@state="selected"]', ['Sent']],
    ['//textbox[@value="quarterly report"]', ['Search']],
    ['//*[@description="a hint"]', ['Nothing to see']],
    ['/window/*/*[1]', ['Save', 'Inbox']],
    ['window//listitem/button', ['Delete', 'Delete']],
    ['//push-button[1]', ['Save', 'Delete', 'Delete']],
  ])('%s', async (query, expected) => {
    expect(await names({ by: 'path', query })).toEqual(expected);
  });

  it.each([
    '',
    '/',
    '//',
    'button[',
    'button]',
    'button[0]',
    'button[-1]',
    'button[@colour="red"]',
    'button[@name=Save]',
    'button[@name="Save]',
    'buton',
    'list listitem',
    '//button///text',
    'button[contains(@name)]',
    '//a*b',
  ])('%j is an invalid argument with an example', async (query) => {
    const error = await failureOf(find({ by: 'path', query }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(error.suggestion).toContain('//dialog//button');
  });

  it('of many steps is fast in a deep tree', async () => {
    let deep: SimulatedNode = { id: 'leaf', role: 'button', name: 'Leaf' };
    for (let depth = 0; depth < 60; depth++)
      deep = { id: `g${depth}`, role: 'group', name: `g${depth}`, children: [deep] };
    const started = performance.now();
    expect(await names({ by: 'path', query: `//link${'//*'.repeat(12)}` }, [deep])).toEqual([]);
    expect(await names({ by: 'path', query: `//window${'//*'.repeat(12)}//button` }, [deep])).toEqual([
      'Leaf',
    ]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('a pattern', () => {
  it('that is invalid is an invalid argument', async () => {
    for (const query of ['(', '[a', 'a{2,1}', String.raw`\u{zz}`])
      expect(await failureOf(find({ by: 'regex', query }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('that backtracks forever stops within its budget', async () => {
    const trap: SimulatedNode[] = [{ id: 'trap', role: 'text', name: `${'a'.repeat(60)}!` }];
    const started = performance.now();
    expect(await failureOf(find({ by: 'regex', query: '^(a+)+$' }, trap))).toMatchObject({ code: 'TIMEOUT' });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('is matched against thousands of elements', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => button(`b${index}`, `Button ${index}`));
    expect(await names({ by: 'regex', query: '^button 29(98|99)$' }, many)).toEqual([
      'Button 2998',
      'Button 2999',
    ]);
  });

  it('cannot escape its sandbox', async () => {
    const found = await find({ by: 'regex', query: String.raw`[\s\S]*` });
    expect(found.total).toBeGreaterThan(5);
    expect(found.matches.length).toBe(found.total);
  });
});

it('an unknown role is an invalid argument', async () => {
  for (const request of [{ by: 'role', query: 'gizmo' } as const, { query: 'Save', role: 'gizmo' }])
    expect(await failureOf(find(request))).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('finds the empty cell of a sheet, which a reading leaves out', async () => {
  const cell = (name: string): SimulatedNode => ({ id: name, role: 'cell', name, value: '' });
  const sheet = (cells: SimulatedNode[]): SimulatedNode[] => [
    { id: 'sheet', role: 'table', name: 'Sheet1', children: cells },
    button('closed', 'A1 in a closed menu', { states: ['hidden'] }),
  ];
  const on = await stage(oneWindow(sheet([cell('A1'), cell('B1')])));
  const readTree = on.desktop.readTree.bind(on.desktop);
  const readings: boolean[] = [];
  on.desktop.readTree = async (request) => {
    readings.push(request.wholeTree);
    const read = await readTree(request);
    const [table] = read.root.children;
    if (table !== undefined) {
      table.elided = 'lazy';
      if (!request.wholeTree) table.children = [];
    }
    return read;
  };
  const search = { ...DEADLINE, by: 'auto', limit: 20, wholeTree: false } as const;
  expect((await on.engine.find({ ...search, query: 'A1' })).matches.map(({ name }) => name)).toEqual(['A1']);
  expect(readings).toEqual([false, true]);
  expect((await on.engine.find({ ...search, query: 'Z9' })).total).toBe(0);
  await on.engine.find({ ...search, query: 'Sheet1' });
  expect(readings).toEqual([false, true, false, true, false]);
});
