import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import operationAwait from '../../../src/commands/operations/operation-await.ts';
import type { OperationsPort, OperationView } from '../../../src/ports/operations.ts';
import { fakeDesktop } from '../fake-engine.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');

function view(id: string, changes: Partial<OperationView>): OperationView {
  return {
    format: 1,
    operation_id: id,
    tool: 'sandboxed_shell',
    status: 'succeeded',
    steps: [{ command: ['true'], status: 'succeeded', exit_code: 0 }],
    cwd: '/srv',
    scope: '/srv',
    sandbox: 'landlock',
    session: 'default',
    started_at: '2026-01-31T11:00:00.000Z',
    output: 'merged',
    budget_bytes: 1000,
    holder: { socket: '/run/x', pid: 1, start_time: '1', boot_id: 'b' },
    written: { merged: 0 },
    ...changes,
  };
}

const ended = (id: string, minutesAgo: number): OperationView =>
  view(id, { ended_at: new Date(NOW.getTime() - minutesAgo * 60_000).toISOString() });
const running = view('op-running', { status: 'running' });

async function awaited(all: readonly OperationView[]): Promise<readonly string[]> {
  const of = (id: string): OperationView => {
    const found = all.find(({ operation_id }) => operation_id === id);
    if (found === undefined) throw new Error(`${id} was not expected`);
    return found;
  };
  const unexpected = () => Promise.reject(new Error('this was not expected'));
  const operations: OperationsPort = {
    prepare: unexpected,
    start: unexpected,
    cancel: unexpected,
    onEnd: () => () => undefined,
    status: async (id) => of(id),
    wait: async (id) => of(id),
    list: async () => all,
    read: async () => ({ text: '', left_out: [], next_cursor: 0, total_bytes: 0, total_lines: 0 }),
  };
  const { ctx } = fakeDesktop({}, { operations: async () => operations, calledAt: NOW });
  const answer = await operationAwait.run(ctx, operationAwait.input.parse({}));
  const { operations: list } = z
    .object({ operations: z.array(z.object({ operation_id: z.string() })) })
    .parse(answer);
  return list.map(({ operation_id }) => operation_id);
}

describe('operation await without ids', () => {
  it('waits for what runs, and for that alone', async () => {
    expect(await awaited([ended('op-first', 1), running])).toEqual(['op-running']);
  });

  it('returns those that have ended lately if none runs, the latest first', async () => {
    expect(await awaited([ended('op-old', 60), ended('op-first', 5), ended('op-second', 1)])).toEqual([
      'op-second',
      'op-first',
    ]);
  });

  it('returns the last one, however long ago, and not questions to a program about itself', async () => {
    const check = { ...ended('op-check', 1), tool: 'check' };
    expect(await awaited([ended('op-old', 90), ended('op-older', 95), check])).toEqual(['op-old']);
    expect(await awaited([])).toEqual([]);
  });
});
