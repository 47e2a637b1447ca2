import { describe, expect, it } from 'vitest';
import type { OperationsPort } from '../../src/ports/operations.ts';
import type { TerminalsPort } from '../../src/ports/terminals.ts';
import { createOperations } from '../../src/operations/operations.ts';
import { kill } from '../operations/support/operations-lab.ts';
import { ran, request, useTerminalsLab, WAITS } from '../terminal/support/terminals-lab.ts';

const lab = useTerminalsLab();
const CALL = { deadlineMs: 5000 } as const;
/** The deadline of the calls, and the time of two programs on a busy machine. */
const MOST_MS = 8000;

type Call = readonly [name: string, call: () => Promise<unknown>];

function callsOf(
  terminals: TerminalsPort,
  operations: OperationsPort,
  id: string,
  operation: string,
): Call[] {
  const { signal } = new AbortController();
  const view = terminals.view(id);
  // It is asked before the holder is suspended only where the caller has it already.
  view.catch(() => undefined);
  return [
    ['run', () => terminals.run(id, request('echo no', { waitMs: 5000 }), signal)],
    ['run in a second', () => terminals.run(id, request('echo no', { waitMs: 1000 }), signal)],
    ['interrupt', () => terminals.run(id, request('echo no', { waitMs: 1000, interrupt: WAITS }), signal)],
    ['read', async () => (await view).read({ ...CALL, scrollbackLines: 0 })],
    ['write', async () => (await view).write(Buffer.from('x'), CALL)],
    ['resize', async () => (await view).resize({ columns: 90, rows: 30 }, CALL)],
    ['facts', () => terminals.facts(id)],
    ['lines', () => terminals.lines(id, 10)],
    ['clear', () => terminals.clear(id)],
    ['kill', () => terminals.kill(id, WAITS)],
    ['close', () => terminals.close(id, WAITS)],
    ['open', () => terminals.open(lab().start({ tag: 'other' }))],
    [
      'attach',
      () => terminals.attach(id, { size: { columns: 80, rows: 24 }, onBytes: () => undefined, signal }),
    ],
    ['start', () => operations.start(lab().base.request('true'))],
    ['prepare', () => operations.prepare(lab().base.confinement())],
    ['cancel', () => operations.cancel(operation)],
  ];
}

describe('while the holder is suspended', () => {
  it.each(['known', 'new'])(
    'every call of a client that is %s ends at its deadline, and works again later',
    async (client) => {
      const terminals = lab().terminals();
      const operations = createOperations(lab().parts());
      const { id } = await terminals.open(lab().start());
      const { operation_id: operation } = await operations.start(lab().base.request('sleep 300'));
      const [holder = 0] = lab().base.holders();
      const calls =
        client === 'known'
          ? callsOf(terminals, operations, id, operation)
          : callsOf(lab().terminals(), createOperations(lab().parts()), id, operation);
      kill(holder, 'SIGSTOP');
      try {
        const ends = await Promise.all(
          calls.map(async ([name, call]) => {
            const begun = performance.now();
            const how = await call().then(
              () => 'done',
              (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error)),
            );
            return { name, how, isInTime: performance.now() - begun < MOST_MS };
          }),
        );
        expect(ends).toEqual(calls.map(([name]) => ({ name, how: 'TIMEOUT', isInTime: true })));
        // What needs no holder still tells what is known.
        expect(await terminals.list()).toHaveLength(1);
        const begun = performance.now();
        const options = { timeoutMs: 500, signal: new AbortController().signal };
        expect((await operations.wait(operation, options)).status).toBe('running');
        expect(performance.now() - begun).toBeLessThan(2000);
      } finally {
        kill(holder, 'SIGCONT');
      }
      // What was asked meanwhile, such as the end of the terminal, may have been carried out.
      const { id: again } = await lab()
        .terminals()
        .open(lab().start({ tag: 'again' }));
      expect((await ran(lab().terminals(), again, 'echo works')).output).toBe('works');
    },
    60_000,
  );
});
