import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../../src/engine/engine.ts';
import { byKeys } from '../../src/model/effects/guarantees.ts';
import type { StopState } from '../../src/ports/input.ts';
import { defineCommand, type CommandDefinition } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

const STOPPED: StopState = { stopped: true, by: 'somebody', since: '2026-01-01T00:00:00.000Z' };

/** Runs a command of one kind on an engine, and lets the test stop acting meanwhile. */
function run(
  kind: CommandDefinition['kind'],
  state: StopState,
  body: (signal: AbortSignal) => Promise<void>,
) {
  const listeners = new Set<(now: StopState) => void>();
  const engine: Partial<Engine> = {
    stopState: async () => state,
    onStop: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const { ctx } = fakeDesktop({}, { engine: async () => engine as Engine });
  const command = createRegistry([
    defineCommand({
      name: 'probe',
      group: 'system',
      ...(kind === 'act' || kind === 'input' ? { kind, guarantee: byKeys('a look') } : { kind }),
      summary: 'Probe.',
      input: z.object({}),
      output: z.object({}),
      examples: [],
      run: async (inner) => {
        await inner.engine();
        await body(inner.signal);
        return {};
      },
    }),
  ]).commands[0];
  if (command === undefined) throw new Error('no command');
  const stop = (now = STOPPED): void => {
    for (const listener of listeners) listener(now);
  };
  return { answer: invoke(command, ctx, {}), stop, listeners };
}

it.each(['act', 'input'] as const)(
  'a command of kind %s is refused while acting is stopped',
  async (kind) => {
    const body = vi.fn<() => Promise<void>>(async () => undefined);
    await expect(run(kind, STOPPED, body).answer).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      delivered: false,
      message: 'Acting on this desktop is stopped by "somebody" since 2026-01-01T00:00:00.000Z.',
    });
    expect(body).not.toHaveBeenCalled();
  },
);

it.each(['read', 'admin'] as const)('a command of kind %s still works', async (kind) => {
  await expect(run(kind, STOPPED, async () => undefined).answer).resolves.toEqual({});
});

it('a running act ends at once and its listener is removed', async () => {
  const { answer, stop, listeners } = run('act', { stopped: false }, async (signal) => {
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  setTimeout(stop, 20);
  const started = performance.now();
  await expect(answer).rejects.toMatchObject({ code: 'CANCELLED', delivered: true });
  expect(performance.now() - started).toBeLessThan(400);
  expect(listeners.size).toBe(0);
});

it('an act that ignores the abort is not awaited', async () => {
  const { answer, stop } = run('act', { stopped: false }, () => new Promise(() => undefined));
  setTimeout(stop, 20);
  await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
});

const TAKEN: StopState = { ...STOPPED, takeover: true };

it('an act is refused while a person has taken over, and told how to wait', async () => {
  const { answer } = run('act', TAKEN, async () => undefined);
  await expect(answer).rejects.toMatchObject({
    code: 'POLICY_DENIED',
    delivered: false,
    message: 'A person has taken over this desktop since 2026-01-01T00:00:00.000Z.',
    suggestion: expect.stringContaining('wait'),
  });
});

it('a running act reports that a person took over', async () => {
  const { answer, stop } = run('act', { stopped: false }, async (signal) => {
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  setTimeout(() => stop(TAKEN), 20);
  await expect(answer).rejects.toMatchObject({
    code: 'CANCELLED',
    delivered: true,
    message: 'probe ended because a person took over this desktop.',
  });
});
