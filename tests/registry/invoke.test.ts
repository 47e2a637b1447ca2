import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import findCommand from '../../src/commands/observation/find.ts';
import getCommand from '../../src/commands/observation/get.ts';
import operationAwaitCommand from '../../src/commands/operations/operation-await.ts';
import operationOutputCommand from '../../src/commands/operations/operation-output.ts';
import runToolCommand from '../../src/commands/operations/run-tool.ts';
import setValueCommand from '../../src/commands/interaction/set-value.ts';
import snapshotCommand from '../../src/commands/observation/snapshot.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { byKeys } from '../../src/model/effects/guarantees.ts';
import { defineCommand, type CommandContext, type CommandDefinition } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { GRACE_MS, REPORT_MS } from '../../src/registry/wrappers/deadline.ts';
import { MAX_TEXT_BYTES } from '../../src/registry/wrappers/parse-input.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { spelled } from '../spelled.ts';

async function invokeWith(
  definition: CommandDefinition,
  input: unknown,
  changes: Partial<CommandContext> = {},
) {
  const [command] = createRegistry([definition]).commands;
  if (command === undefined) throw new Error('no command');
  return invoke(command, fakeDesktop({}, changes).ctx, input);
}

async function refusal(definition: CommandDefinition, input: unknown): Promise<string> {
  try {
    await invokeWith(definition, input);
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'INVALID_ARGUMENT')
      return spelled(`${error.message} | ${error.suggestion}`);
    throw error;
  }
  throw new Error('it was accepted');
}

function doing(run: (ctx: CommandContext) => Promise<Record<string, unknown>>): CommandDefinition {
  return defineCommand({
    name: 'probe',
    group: 'system',
    kind: 'read',
    summary: 'Probe.',
    input: z.object({ timeout_ms: z.int().default(50) }),
    output: z.record(z.string(), z.unknown()),
    examples: [],
    run,
  });
}

describe('input', () => {
  it.each([
    [
      snapshotCommand,
      { depth: 3 },
      'snapshot does not accept "depth"; it accepts app, window, terminal, since, root, surface, after,',
    ],
    [snapshotCommand, { max_dept: 3 }, 'Did you mean max_depth?'],
    [snapshotCommand, { max_depth: -1, max_dept: 3 }, 'Did you mean max_depth?'],
    [snapshotCommand, { max_depth: -1 }, '--max-depth is -1; expected a whole number from 0 to 1000.'],
    [snapshotCommand, { max_depth: 1.5 }, '--max-depth is 1.5; expected a whole number from 0 to 1000.'],
    [snapshotCommand, { compact: 'yes' }, '--compact is "yes"; expected true or false.'],
    [snapshotCommand, { app: '' }, '--app is ""; expected text that is not empty.'],
    [snapshotCommand, { root: '@w1' }, '--root: "@w1" is not an element reference like @e7.'],
    [snapshotCommand, { timeout_ms: 0 }, '--timeout is 0; expected a whole number from 1 to 3600000.'],
    [snapshotCommand, { timeout_ms: 0, max_depth: -1 }, '(and 1 more problem).'],
    [snapshotCommand, { app: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) }, 'within each other'],
    [snapshotCommand, [], 'The input is not an object of named values.'],
    [
      operationOutputCommand,
      { operation_id: '../x' },
      '<operation_id> is "../x", which is not an operation id such as op-k3f7x2. | Run "desk operation output',
    ],
    [
      operationOutputCommand,
      { operation_id: 'op-k3f7x2', lines: '0-2' },
      '--lines is "0-2", which must be FIRST-LAST, such as 100-150.',
    ],
    [
      operationOutputCommand,
      { operation_id: 'op-k3f7x2', pattern: 'x'.repeat(1001) },
      'expected text of at most 1000 characters.',
    ],
    [
      operationAwaitCommand,
      { operation_ids: Array.from({ length: 51 }, () => 'op-k3f7x2') },
      'expected a list of strings with at most 50 items.',
    ],
    [
      runToolCommand,
      { tool: 'x', args: { files: [1] } },
      '<args> is {"files":[1]}; expected a JSON object whose values are strings, numbers, booleans or lists of strings.',
    ],
    [findCommand, { query: 'a', limit: 0 }, '--limit is 0; expected a whole number from 1 to 1000.'],
    [
      findCommand,
      { query: 'a', by: 'exat' },
      'expected one of auto, cell, exact, contains, regex, role, identifier, path, fuzzy. | Did you mean exact?',
    ],
    [
      findCommand,
      { role: 'buton' },
      '--role: "buton" is not a role; did you mean button? | Use an ARIA role',
    ],
    [
      getCommand,
      {},
      '<property> is missing; expected one of text, value, bounds, role, states, attributes, title, tree-stats.',
    ],
    [setValueCommand, { ref: '@e1' }, '<value> is missing; expected text'],
    [
      setValueCommand,
      { ref: '@e1', value: 'ä'.repeat(MAX_TEXT_BYTES / 2 + 1) },
      '<value> is 1048578 bytes long; at most 1048576 are accepted.',
    ],
  ])('%#', async (definition, input, text) => {
    expect(await refusal(definition, input)).toContain(text);
  });

  it('of exactly one MiB is accepted', async () => {
    const value = 'x'.repeat(MAX_TEXT_BYTES);
    await expect(invokeWith(setValueCommand, { ref: '@e1', value })).rejects.toMatchObject({
      message: expect.stringContaining('setValue was not expected'),
    });
  });
});

describe('the deadline', () => {
  it('ends and aborts a call that hangs', async () => {
    let signal: AbortSignal | undefined;
    const hanging = doing((ctx) => {
      signal = ctx.signal;
      return new Promise(() => undefined);
    });
    const before = performance.now();
    await expect(invokeWith(hanging, {})).rejects.toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(performance.now() - before).toBeGreaterThanOrEqual(GRACE_MS);
    expect(signal?.aborted).toBe(true);
  });

  it('says that an act may have been delivered and must be checked before a repeat', async () => {
    const hanging = {
      ...doing(() => new Promise(() => undefined)),
      kind: 'act',
      guarantee: byKeys('a look'),
    } as const;
    const late = { code: 'TIMEOUT', retryable: false, delivered: true };
    await expect(invokeWith(hanging, {})).rejects.toMatchObject(late);
    const refused = { code: 'CANCELLED', delivered: false };
    await expect(invokeWith(hanging, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject(refused);
  });

  it('lets the command report its own failure within the grace time', async () => {
    const late = doing(async () => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      throw new DeskterityError('TREE_TIMEOUT', 'Too slow.', { suggestion: 'Wait.' });
    });
    await expect(invokeWith(late, {})).rejects.toMatchObject({ code: 'TREE_TIMEOUT' });
  });

  it('yields to a cancellation by the caller', async () => {
    const controller = new AbortController();
    const hanging = doing(() => new Promise(() => undefined));
    setTimeout(() => controller.abort(), 10);
    await expect(
      invokeWith(hanging, { timeout_ms: 60_000 }, { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(invokeWith(hanging, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('treats an inner abort error as the cancellation', async () => {
    const controller = new AbortController();
    const sleeping = doing(async (ctx) => {
      controller.abort();
      ctx.signal.throwIfAborted();
      return {};
    });
    await expect(invokeWith(sleeping, {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('a call that is ended', () => {
  const report = (): DeskterityError =>
    new DeskterityError('CANCELLED', '3 of 5 were done.', {
      suggestion: 'Do the rest.',
      delivered: true,
      result: { done: 3 },
      report: 'three lines',
    });
  const reporting = (afterMs: number) =>
    doing(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      throw report();
    });
  const cancelledSoon = (): AbortSignal => {
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 10);
    return caller.signal;
  };

  it('by its caller answers with how far it came', async () => {
    await expect(
      invokeWith(reporting(REPORT_MS / 3), { timeout_ms: 60_000 }, { signal: cancelledSoon() }),
    ).rejects.toMatchObject({ code: 'CANCELLED', message: '3 of 5 were done.', result: { done: 3 } });
  });

  it('by its deadline answers TIMEOUT with how far it came', async () => {
    await expect(invokeWith(reporting(REPORT_MS / 3), {})).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'probe did not end within 50 ms. 3 of 5 were done.',
      delivered: true,
      retryable: false,
      result: { done: 3 },
      report: 'three lines',
    });
  });

  it('answers without it if it takes longer', async () => {
    const before = performance.now();
    await expect(
      invokeWith(reporting(REPORT_MS * 4), { timeout_ms: 60_000 }, { signal: cancelledSoon() }),
    ).rejects.toMatchObject({ message: 'probe was cancelled.', result: undefined });
    expect(performance.now() - before).toBeLessThan(REPORT_MS * 3);
  });

  it('answers what it had done, if it ended all the same', async () => {
    const late = doing(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { done: 5 };
    });
    await expect(invokeWith(late, { timeout_ms: 60_000 }, { signal: cancelledSoon() })).resolves.toEqual({
      done: 5,
    });
  });

  it('waits for the commands that it runs, each of which ends in time', async () => {
    const inner = {
      ...doing(() => new Promise(() => undefined)),
      kind: 'act',
      guarantee: byKeys('a look'),
    } as const;
    const outer = doing(async ({ commands, signal }) => {
      const failure: unknown = await commands.run('inner', {}, { signal }).catch((error: unknown) => error);
      throw report().with({ result: { stopped: failure instanceof DeskterityError ? failure.message : '' } });
    });
    const [command] = createRegistry([inner]).commands;
    if (command === undefined) throw new Error('no command');
    const { ctx } = fakeDesktop();
    const run: CommandContext['commands']['run'] = async (_, input, { signal }) =>
      invoke(command, { ...ctx, signal }, { ...input, timeout_ms: 60_000 });
    await expect(
      invokeWith(
        outer,
        { timeout_ms: 60_000 },
        { signal: cancelledSoon(), commands: { ...ctx.commands, run } },
      ),
    ).rejects.toMatchObject({ result: { stopped: 'probe was cancelled.' } });
  });
});

describe('failures', () => {
  it('that are unexpected are INTERNAL', async () => {
    const cause = new TypeError('x is not a function');
    await expect(
      invokeWith(
        doing(() => Promise.reject(cause)),
        {},
      ),
    ).rejects.toMatchObject({ code: 'INTERNAL', exitCode: 70, cause });
    await expect(
      invokeWith(
        doing(async () => [] as never),
        {},
      ),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('to write a file named by the caller are argument errors', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), {
      code: 'EACCES',
      path: '/root/a.png',
      syscall: 'open',
    });
    await expect(
      invokeWith(
        doing(() => Promise.reject(denied)),
        {},
      ),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', platformDetail: 'EACCES' });
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path: '/full/a.png' });
    await expect(
      invokeWith(
        doing(() => Promise.reject(full)),
        {},
      ),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      platformDetail: 'ENOSPC',
      suggestion: 'Free space there, or choose another path.',
    });
    const spawn = Object.assign(new Error('spawn x ENOENT'), {
      code: 'ENOENT',
      path: 'x',
      syscall: 'spawn x',
    });
    await expect(
      invokeWith(
        doing(() => Promise.reject(spawn)),
        {},
      ),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
