import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperationRecord } from '../../src/model/tools/operation.ts';
import { isOver } from '../../src/model/tools/operation-status.ts';
import { DiskReserve } from '../../src/operations/output/disk-reserve.ts';
import { RUN_LIMITS, type OperationParts } from '../../src/operations/operation-parts.ts';
import { Operation } from '../../src/operations/run-operation.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { OperationRequest } from '../../src/ports/operations.ts';
import { ScriptedProcesses, type Behaviour } from './support/scripted-processes.ts';
import { inFolder } from './support/streams.ts';

const LIMITS = {
  ...RUN_LIMITS,
  waits: { interruptMs: 5, terminateMs: 5 },
  leftoverWaits: { interruptMs: 5, terminateMs: 5 },
  startMs: 150,
  drainMs: 30,
  settleMs: 60,
};

interface Run {
  readonly operation: Operation;
  readonly processes: ScriptedProcesses;
  /** Everything that was told, each beside what was on the disk at that moment. */
  readonly told: readonly { readonly record: OperationRecord; readonly onDisk: OperationRecord }[];
  readonly error: unknown;
}

interface Options {
  readonly delaysMs?: readonly number[];
  readonly timeoutMs?: number | undefined;
  readonly cancelMs?: number | 'after the first exit' | undefined;
  readonly endFails?: boolean;
  /** For what is waited for in vain in no other way. */
  readonly settleMs?: number;
}

async function run(behaviours: readonly Behaviour[], options: Options = {}): Promise<Run> {
  return inFolder(async (stateFolder) => {
    await mkdir(join(stateFolder, 'operations'));
    const processes = new ScriptedProcesses(behaviours);
    processes.endFails = options.endFails ?? false;
    const told: Run['told'][number][] = [];
    const read = (id: string) =>
      OperationRecord.parse(
        JSON.parse(readFileSync(join(stateFolder, 'operations', id, 'operation.json'), 'utf8')),
      );
    const parts: OperationParts = {
      processes,
      clock: createClock(),
      log: { write: () => undefined },
      stateFolder,
      reserve: new DiskReserve(join(stateFolder, 'reserve')),
      holder: { socket: '/s', pid: 1, start_time: '1', boot_id: 'b' },
      limits: { ...LIMITS, settleMs: options.settleMs ?? LIMITS.settleMs },
      onChange: (record) => told.push({ record, onDisk: read(record.operation_id) }),
    };
    const request: OperationRequest = {
      tool: 'test',
      steps: behaviours.map((_, index) => ({
        command: ['x', String(index)],
        cwd: '/',
        delayMs: options.delaysMs?.[index],
        environment: {},
        confinement: {
          by: 'none',
          scope: '/',
          read: [],
          write: [],
          network: true,
          unixSockets: true,
          denyReport: false,
        },
      })),
      scope: '/',
      budgetBytes: 1024 * 1024,
      session: 'default',
      timeoutMs: options.timeoutMs,
      output: 'merged',
    };
    const operation = await Operation.create(parts, request);
    expect(read(operation.id).status).toBe('starting');
    const { cancelMs } = options;
    const isDue = typeof cancelMs === 'number' ? sleep(cancelMs) : processes.firstExit;
    const cancelling =
      cancelMs === undefined ? undefined : isDue.then(() => operation.interrupt('cancelled'));
    const error: unknown = await operation.run(() => undefined).catch((reason: unknown) => reason);
    expect(existsSync(join(stateFolder, 'operations', operation.id, 'operation.json.tmp'))).toBe(false);
    await cancelling;
    return { operation, processes, told, error };
  });
}

const statuses = ({ operation }: Run) => operation.record.steps.map(({ status }) => status);

describe('an operation', () => {
  it('whose start hangs ends in time, and ends a process that starts too late', async () => {
    const result = await run([{ startMs: 'never' }]);
    expect(result.error).toMatchObject({ code: 'ACTION_FAILED' });
    expect(result.operation.record).toMatchObject({
      status: 'failed',
      problem:
        'A command had not started by then; it will be ended as soon as it starts. x did not start within 150 ms.',
    });
    const late = await run([{ startMs: 180, exitMs: 'never' }]);
    expect(late.processes.started).toEqual(['0']);
    expect(late.processes.ends).toEqual([late.operation.id]);
  });

  it('that is cancelled while it starts ends once its late process is ended', async () => {
    // A busy machine may be late with either; they keep their order.
    const result = await run([{ startMs: 60, exitMs: 'never' }, {}], { cancelMs: 20, settleMs: 5000 });
    expect(result.operation.record.status).toBe('cancelled');
    expect(result.operation.record.problem).toBeUndefined();
    expect(statuses(result)).toEqual(['skipped', 'skipped']);
    expect(result.processes.started).toEqual(['0']);
    expect(result.processes.ends).toEqual([result.operation.id]);
  });

  it('whose later step cannot be started fails with the reason', async () => {
    const result = await run([{}, { fails: true }, {}]);
    expect(result.error).toBeUndefined();
    expect(result.operation.record).toMatchObject({ status: 'failed', problem: 'It is not there.' });
    expect(statuses(result)).toEqual(['succeeded', 'failed', 'skipped']);
  });

  it('ends although a pipe stays open, and reports it', async () => {
    const result = await run([{ pipe: 'never', writes: 'hello' }]);
    expect(result.operation.record).toMatchObject({ status: 'succeeded', exit_code: 0 });
    expect(result.operation.record.problem).toMatch(/end of its output may be missing/);
  });

  it('ends although its process cannot be killed, and reports it', async () => {
    const result = await run([{ exitMs: 'never', isUnkillable: true, pipe: 'never' }], { timeoutMs: 20 });
    expect(result.operation.record.status).toBe('timed_out');
    expect(result.operation.record.problem).toMatch(/was killed but has not exited/);
  });

  it('ends although its processes cannot be ended, and reports it', async () => {
    const result = await run([{}], { endFails: true });
    expect(result.operation.record).toMatchObject({ status: 'succeeded', exit_code: 0 });
    expect(result.operation.record.problem).toMatch(/could not be ended/);
  });

  it('that ended on its own is not cancelled afterwards', async () => {
    // The second one before it is recorded that it runs.
    for (const exitMs of [5, 0]) {
      const result = await run([{ exitMs, pipe: 'never' }], { cancelMs: 'after the first exit' });
      expect(result.operation.record).toMatchObject({ status: 'succeeded', exit_code: 0 });
    }
  });

  it('has the correct result in any order of events, and reports only records that are on disk', async () => {
    const ms = fc.integer({ min: 0, max: 30 });
    const behaviour: fc.Arbitrary<Behaviour> = fc.record({
      startMs: fc.oneof(
        { weight: 8, arbitrary: ms },
        { weight: 1, arbitrary: fc.constant('never' as const) },
      ),
      fails: fc.oneof(
        { weight: 8, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      exitMs: fc.oneof({ weight: 8, arbitrary: ms }, { weight: 1, arbitrary: fc.constant('never' as const) }),
      exitCode: fc.constantFrom(0, 0, 0, 3),
      pipe: fc.constantFrom('ends' as const, 'ends' as const, 'until-ended' as const),
      writes: fc.constantFrom('', 'x\n'),
    });
    const options: fc.Arbitrary<Options> = fc.record({
      delaysMs: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 4 }),
      timeoutMs: fc.integer({ min: 1, max: 120 }),
      cancelMs: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(behaviour, { minLength: 1, maxLength: 4 }),
        options,
        async (behaviours, options) => {
          const result = await run(behaviours, options);
          const { record } = result.operation;
          const steps = statuses(result);
          expect(isOver(record.status)).toBe(true);
          expect(record.ended_at).toBeDefined();
          for (const { record: said, onDisk } of result.told) expect(onDisk).toEqual(said);
          expect(result.told.filter(({ record: said }) => isOver(said.status))).toHaveLength(1);
          expect(result.told.at(-1)?.record).toEqual(record);
          // Successes, then what failed where something did, then what was not reached.
          expect(steps.join(' ')).toMatch(/^(?:succeeded ?)*(?:failed ?)?(?:skipped ?)*$/);
          expect(record.status === 'succeeded').toBe(steps.every((status) => status === 'succeeded'));
          expect(record.status === 'failed' ? steps.includes('failed') : true).toBe(true);
          // Each in its turn, none twice, and everything that was started was also ended.
          const order = result.processes.started.map(Number);
          expect(order).toEqual(order.map((_, index) => index));
          expect(result.processes.started.length === 0 || result.processes.ends.length > 0).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});
