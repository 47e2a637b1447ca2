import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../../src/engine/engine.ts';
import { byKeys } from '../../src/model/effects/guarantees.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { Reversible } from '../../src/model/undo/reversal.ts';
import { defineCommand, settledCall, type CommandContext } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

const VALUE: Reversible = { reversal: { kind: 'value', ref: '@e1', before: 'old secret', after: 'new' } };
const TARGET = { ref: '@e1', role: 'textbox', name: 'Name' };
const RECEIPT = { target: TARGET, effect: 'confirmed', delivered: true };

interface Act {
  readonly found?: Reversible;
  readonly run?: (ctx: CommandContext) => Promise<Record<string, unknown>>;
  readonly isUndoing?: boolean;
  readonly secrets?: readonly string[];
}

/** What the session knows of one act. */
async function recorded({ found, run = async () => RECEIPT, isUndoing, secrets }: Act) {
  const engine: Partial<Engine> = {
    stopState: async () => ({ stopped: false }),
    onStop: () => () => undefined,
  };
  const { ctx } = fakeDesktop({}, { engine: async () => engine as Engine, secrets });
  const [command] = createRegistry([
    defineCommand({
      name: 'probe',
      group: 'interaction',
      kind: 'act',
      guarantee: byKeys('a look'),
      ...(isUndoing === undefined ? {} : { isUndoing }),
      summary: 'Probe.',
      input: z.object({}),
      output: z.looseObject({}),
      examples: [],
      run: async (inner) => {
        if (found !== undefined) settledCall(inner, { timeout_ms: 100 }).onReversal?.(found);
        return run(inner);
      },
    }),
  ]).commands;
  if (command === undefined) throw new Error('no command');
  await invoke(command, ctx, {}).catch(() => undefined);
  return (await ctx.undo()).list();
}

const failing = (delivered: boolean | undefined) => async (): Promise<never> => {
  const result = { ...RECEIPT, effect: 'no_op' };
  throw new DeskterityError('ACTION_FAILED', 'No.', { suggestion: 'Look.', delivered, result });
};

describe('an act', () => {
  it('is kept with what the engine says of it, and the call that it is part of', async () => {
    expect(await recorded({ found: VALUE })).toMatchObject([
      { id: 1, command: 'probe', about: 'textbox "Name" @e1', call: 'call-1', ...VALUE },
    ]);
  });

  it('that may have been delivered is kept although it failed; one that was not is not', async () => {
    expect(await recorded({ run: failing(true) })).toMatchObject([{ irreversible: expect.any(String) }]);
    expect(await recorded({ run: failing(false) })).toEqual([]);
    expect(await recorded({ run: async () => ({ ...RECEIPT, delivered: false }) })).toEqual([]);
  });

  it('that was only checked is none', async () => {
    expect(await recorded({ run: async () => ({ dry_run: true }) })).toEqual([]);
  });

  it('that left everything as it was is not kept', async () => {
    const found: Reversible = { reversal: { kind: 'value', ref: '@e1', before: 'same', after: 'same' } };
    expect(await recorded({ found, run: failing(true) })).toEqual([]);
  });

  it('never keeps a text that the caller gave as a secret', async () => {
    const acts = await recorded({ found: VALUE, secrets: ['secret'] });
    expect(JSON.stringify(acts)).not.toContain('old secret');
    expect(acts).toMatchObject([{ irreversible: expect.stringContaining('secret') }]);
  });

  it('of a command that runs others is left to them, and undoing is none', async () => {
    const run = async ({ commands, signal }: CommandContext) => {
      await commands.run('version', {}, { signal }).catch(() => undefined);
      return RECEIPT;
    };
    expect(await recorded({ run })).toEqual([]);
    expect(await recorded({ found: VALUE, isUndoing: true })).toEqual([]);
  });
});
