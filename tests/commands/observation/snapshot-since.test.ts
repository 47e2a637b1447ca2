import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import snapshot from '../../../src/commands/observation/snapshot.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { button, failureOf, oneWindow, stage, type Stage } from '../../engine/support/stage.ts';
import { fakeDesktop } from '../fake-engine.ts';

async function on(form: CommandContext['form'] = 'json') {
  const desktop = await stage(
    oneWindow([
      { id: 'agree', role: 'checkbox', name: 'Agree', actions: ['toggle'] },
      button('far', 'Far', { states: ['offscreen'] }),
    ]),
  );
  const { ctx } = fakeDesktop({}, { form, engine: async () => desktop.engine });
  const run = async (input: Record<string, unknown> = {}) => {
    const output = await snapshot.run(ctx, snapshot.input.parse(input));
    expect(snapshot.output.parse(output)).toEqual(output);
    return output;
  };
  return { run, world: desktop.world };
}

function addMany({ world }: Pick<Stage, 'world'>): void {
  for (let index = 0; index < 80; index++)
    world.insert('app', 'win-root', button(`b${index}`, `Button ünïcode ${index}`));
}

it('returns only changes and no tree', async () => {
  const { run, world } = await on();
  const first = await run();
  expect(first.changes).toBeUndefined();
  const quiet = await run({ since: first.cursor });
  expect(quiet).toMatchObject({ since: 'c1', changes: [], cursor: 'c2', complete: true });
  expect(quiet.tree).toBeUndefined();
  expect(snapshot.outline?.(quiet)).toBe('no changes since c1\ncursor c2');
  world.change('app', 'agree', { states: ['checked'] });
  const output = await run({ since: 'c1' });
  expect(output.changes).toEqual([
    { kind: 'changed', ref: '@e1', role: 'checkbox', name: 'Agree', before: 'none', after: 'checked' },
  ]);
  expect(snapshot.outline?.(output)).toBe('~ checkbox "Agree" @e1: none -> checked\ncursor c3');
});

it('says that the cursor was discarded, with the whole tree', async () => {
  const { run, world } = await on('outline');
  for (let count = 0; count < 5; count++) {
    world.change('app', 'agree', { name: `Agree ${count}` });
    await run();
  }
  const output = await run({ since: 'c1' });
  expect(output).toMatchObject({ since: 'c1', since_forgotten: true, tree: { role: 'window' } });
  expect(output.changes).toBeUndefined();
  expect(snapshot.outline?.(output)).toMatch(
    /^window "Document" @w1\n[^]*c1 is no longer stored; this is the whole tree\ncursor c6$/,
  );
});

it('has either tree or changes in its schema', async () => {
  const { run } = await on();
  const both = { ...(await run()), since: 'c1', changes: [] };
  expect(snapshot.output.safeParse(both).success).toBe(false);
  const { tree: _tree, changes: _changes, ...neither } = both;
  expect(snapshot.output.safeParse(neither).success).toBe(false);
});

it.each([
  [{ root: '@e1' }, '--root'],
  [{ max_depth: 0 }, '--max-depth'],
  [{ include_bounds: true, whole_tree: true }, '--include-bounds and --whole-tree'],
  [{ include_actions: true }, '--include-actions'],
])('refuses %j together with a cursor', async (input, flags) => {
  const { run } = await on();
  await run();
  const error = await failureOf(run({ since: 'c1', ...input }));
  expect(error.code).toBe('INVALID_ARGUMENT');
  expect(error.message).toContain(flags);
});

it.each(['json', 'outline'] as const)('keeps the whole answer within --max-tokens as %s', async (form) => {
  const told: number[] = [];
  for (const max of form === 'json' ? [200, 300, 600, 2000] : [30, 60, 150, 600]) {
    const stageOn = await on(form);
    await stageOn.run();
    addMany(stageOn);
    const output = await stageOn.run({ since: 'c1', max_tokens: max });
    const shown =
      form === 'json'
        ? `${JSON.stringify({ version: '1.0', ok: true, command: 'snapshot', ...output })}\n`
        : `${snapshot.outline?.(output) ?? ''}\n`;
    expect(countTokens(shown)).toBeLessThanOrEqual(max);
    expect((output.changes?.length ?? 0) + output.elided).toBe(80);
    told.push(output.changes?.length ?? 0);
  }
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBeGreaterThan(20);
});

it('shows only usable elements on request', async () => {
  const { run, world } = await on();
  await run();
  world.insert('app', 'win-root', { id: 'note', role: 'text', name: 'Note' });
  world.insert('app', 'win-root', button('ok', 'OK'));
  expect((await run({ since: 'c1' })).changes).toHaveLength(2);
  expect((await run({ since: 'c1', interactive_only: true })).changes).toMatchObject([{ name: 'OK' }]);
});
