import { describe, expect, it } from 'vitest';
import undo from '../../../src/commands/interaction/undo.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { RecordedAct } from '../../../src/model/undo/undo-stack.ts';
import { fakeDesktop } from '../fake-engine.ts';

const act = (ref: string): Omit<RecordedAct, 'id'> => ({
  command: 'set-value',
  about: `textbox ${ref}`,
  at: '2026-01-01T00:00:00.000Z',
  call: 'c1',
  reversal: { kind: 'value', ref, before: 'a', after: 'b' },
});
const click: Omit<RecordedAct, 'id'> = {
  command: 'click',
  about: 'button @e9',
  at: '2026-01-01T00:00:00.000Z',
  call: 'c1',
  irreversible: 'what it does depends on the application',
};

/** A session with these acts, of which undoing `conflicts` finds another state. */
async function session(
  acts: readonly Omit<RecordedAct, 'id'>[],
  conflicts: readonly string[] = [],
  failure = new DeskterityError('CONFLICT', 'It was changed since.', {
    suggestion: 'Look.',
    delivered: false,
  }),
  already: readonly string[] = [],
) {
  const reversed: string[] = [];
  const reverse: Engine['reverse'] = async ({ reversal }) => {
    const ref = 'ref' in reversal ? reversal.ref : '';
    reversed.push(ref);
    if (already.includes(ref)) return { effect: 'confirmed', evidence: ['fresh read: "a"'], isAlready: true };
    if (!conflicts.includes(ref)) return { effect: 'confirmed', evidence: ['fresh read: "a"'] };
    throw failure;
  };
  const { ctx } = fakeDesktop({ reverse });
  const stack = await ctx.undo();
  for (const one of acts) await stack.push(one);
  const run = (input: Record<string, unknown> = {}) => undo.run(ctx, undo.input.parse(input));
  return { run, reversed, left: async () => (await stack.list()).map(({ id }) => id) };
}

describe('undo', () => {
  it('does not count as undone what is as before already, nor knows it any longer', async () => {
    const on = await session([act('@e1'), act('@e2')], [], undefined, ['@e2']);
    const output = await on.run({ count: 2 });
    expect(output).toMatchObject({
      undone: 1,
      already: 1,
      actions: [{ status: 'already_as_before', detail: 'fresh read: "a"' }, { status: 'undone' }],
    });
    expect(output.actions[0]).not.toHaveProperty('effect');
    expect(await on.left()).toEqual([]);
  });

  it('undoes the last acts, the newest first, and skips what cannot be undone with the reason', async () => {
    const on = await session([act('@e1'), act('@e2'), click, act('@e3')]);
    expect(await on.run({ count: 3 })).toMatchObject({
      undone: 2,
      skipped: 1,
      failed: 0,
      undo_depth: 1,
      actions: [
        { tool: 'set-value', status: 'undone', effect: 'confirmed' },
        { tool: 'click', status: 'skipped_irreversible', detail: click.irreversible },
        { tool: 'set-value', status: 'undone', target: 'textbox @e2' },
      ],
    });
    expect(on.reversed).toEqual(['@e3', '@e2']);
    expect(await on.left()).toEqual([1]);
  });

  it('fails with the whole record if one was changed since, and keeps that one', async () => {
    const on = await session([act('@e1'), act('@e2'), act('@e3')], ['@e2']);
    const error: unknown = await on.run({ count: 3 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'CONFLICT',
      exitCode: 11,
      delivered: true,
      result: {
        undone: 2,
        failed: 1,
        undo_depth: 1,
        actions: [{ status: 'undone' }, { status: 'changed_since' }, { status: 'undone' }],
      },
    });
    expect(await on.left()).toEqual([2]);
  });

  it('names the act that was changed since and what to do, and can go past it to the one before', async () => {
    const on = await session([act('@e1'), act('@e2')], ['@e2']);
    const error: unknown = await on.run().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: 'set-value textbox @e2 was not undone: It was changed since.',
      suggestion: expect.stringContaining('skip_changed'),
    });
    expect(await on.run({ skip_changed: true })).toMatchObject({
      undone: 1,
      skipped: 1,
      failed: 0,
      undo_depth: 1,
      actions: [{ status: 'skipped_changed' }, { status: 'undone', target: 'textbox @e1' }],
    });
    // Nothing was lost, and nothing is claimed.
    expect(await on.left()).toEqual([2]);
    const nothing: unknown = await on.run({ skip_changed: true }).catch((reason: unknown) => reason);
    expect(nothing).toMatchObject({ code: 'CONFLICT', result: { undone: 0 } });
  });

  it('does not advise to use a new reference of an element that is gone', async () => {
    const gone = new DeskterityError('STALE_REF', '@e1 is not there any more.', {
      suggestion: 'Run snapshot again and use the new reference.',
      delivered: false,
    });
    const on = await session([act('@e1')], ['@e1'], gone);
    const error: unknown = await on.run().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STALE_REF', suggestion: expect.stringContaining('skip_changed') });
    expect(error).toMatchObject({ suggestion: expect.not.stringContaining('reference') });
  });

  it('lists the acts without touching anything', async () => {
    const on = await session([act('@e1'), click]);
    expect(await on.run({ list: true })).toMatchObject({
      undone: 0,
      undo_depth: 2,
      actions: [
        { tool: 'click', status: 'irreversible' },
        { tool: 'set-value', status: 'reversible' },
      ],
    });
    expect(on.reversed).toEqual([]);
    expect(await (await session([])).run()).toMatchObject({ undone: 0, actions: [] });
  });
});
