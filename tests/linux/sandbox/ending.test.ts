import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ORDINARY_USER, Stage } from './stage.ts';

const isRoot = process.getuid?.() === 0;
const PYTHON = '/usr/bin/python3';
const users = [
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
];

interface Living {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

/** By reading /proc, with code of this test alone. */
function processes(): Living[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), state, command }];
      } catch {
        return [];
      }
    });
}

describe.skipIf(!existsSync(PYTHON) || process.arch !== 'x64')(
  'ending an operation (needs Python, x86-64)',
  () => {
    describe.each(users)('as $who', ({ user, runs }) => {
      describe.skipIf(!runs)('which this user can start', () => {
        let stage: Stage;
        beforeAll(async () => {
          stage = await Stage.open(isRoot ? { user } : {});
          stage.copyIn('hostile');
        });
        afterAll(async () => stage.close());

        async function survivors(
          how: 'stay' | 'leave',
          by: 'landlock' | 'none' = 'landlock',
          on: Stage = stage,
        ): Promise<{ operationId: string; notes: () => string[] }> {
          const operationId = randomUUID();
          const file = on.path('scope', `notes-${operationId}`);
          await on.start(
            on.confinement({ by, read: [on.path('app', 'hostile')] }),
            on.request([PYTHON, on.path('app', 'hostile', 'survivors.py'), file, how], {
              operationId,
              environment: { PATH: '/usr/bin:/bin', PYTHONDONTWRITEBYTECODE: '1' },
            }),
          );
          const notes = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
          await expect
            .poll(() => new Set(notes().map((line) => line.split(' ')[0])).size, { timeout: 10_000 })
            .toBe(6);
          return { operationId, notes };
        }

        function alive(notes: readonly string[]): string[] {
          const living = new Set(
            processes()
              .filter(({ state }) => !/[ZX]/.test(state))
              .map(({ pid }) => pid),
          );
          return notes.filter((line) => living.has(Number(line.split(' ')[1])));
        }

        const zombies = (on: Stage = stage) =>
          processes().filter(({ parent, state }) => parent === on.pid && state === 'Z');

        it.each(['landlock', 'none'] as const)(
          'leaves nothing of a tree that ignores signals, drops its marks and multiplies (%s)',
          async (by) => {
            const { operationId, notes } = await survivors('stay', by);
            expect(alive(notes()).length).toBeGreaterThanOrEqual(6);
            const count = await stage.end(operationId, { interruptMs: 200, terminateMs: 200 });
            expect(count).toBeGreaterThanOrEqual(6);
            expect(alive(notes())).toEqual([]);
            expect(await stage.wait(operationId)).toMatchObject({ signal: 'SIGKILL' });
            await expect.poll(() => zombies()).toEqual([]);
          },
        );

        it('finds processes that an exited leader left behind', async () => {
          const { operationId, notes } = await survivors('leave');
          await expect.poll(() => alive(notes()).some((line) => line.startsWith('leader'))).toBe(false);
          expect(alive(notes()).length).toBeGreaterThanOrEqual(5);
          const count = await stage.end(operationId, { interruptMs: 0, terminateMs: 100 });
          expect(count).toBeGreaterThanOrEqual(5);
          expect(alive(notes())).toEqual([]);
          expect(await stage.wait(operationId)).toMatchObject({ exitCode: 0 });
          await expect.poll(() => zombies()).toEqual([]);
        });

        it.skipIf(!existsSync('/usr/bin/prlimit'))(
          'without marks, finds all processes except hidden ones without the variable (needs prlimit)',
          async () => {
            const plain = await Stage.open({ ...(isRoot ? { user } : {}), withoutMarks: true });
            onTestFinished(async () => plain.close());
            plain.copyIn('hostile');
            const { operationId, notes } = await survivors('stay', 'landlock', plain);
            await plain.end(operationId, { interruptMs: 50, terminateMs: 50 });
            expect(new Set(alive(notes()).map((line) => line.split(' ')[0]))).toEqual(new Set(['nameless']));
            await expect.poll(() => zombies(plain), { timeout: 10_000 }).toEqual([]);
          },
        );

        it('ends only one of several operations', async () => {
          const [one, other] = [await survivors('stay'), await survivors('stay')];
          await stage.end(one.operationId, { interruptMs: 50, terminateMs: 50 });
          expect(alive(one.notes())).toEqual([]);
          expect(new Set(alive(other.notes()).map((line) => line.split(' ')[0])).size).toBe(6);
          await stage.end(other.operationId, { interruptMs: 50, terminateMs: 50 });
          expect(alive(other.notes())).toEqual([]);
          await expect.poll(() => zombies()).toEqual([]);
        });

        it('sends INT first, then TERM, and kills no process that exits on its own', async () => {
          const operationId = randomUUID();
          const ready = stage.path('scope', `ready-${operationId}`);
          const script = `trap "echo INT; trap : INT" INT; trap "echo TERM; exit 7" TERM; echo ready; : >${ready}; while :; do sleep 0.05; done`;
          await stage.start(stage.confinement(), stage.request(['/bin/bash', '-c', script], { operationId }));
          await expect.poll(() => existsSync(ready), { timeout: 5000 }).toBe(true);
          await stage.end(operationId, { interruptMs: 400, terminateMs: 5000 });
          expect(await stage.wait(operationId)).toMatchObject({
            exitCode: 7,
            output: { merged: expect.stringMatching(/^ready\nINT\n(?:Terminated\n)?TERM\n$/) },
          });
        });

        it('kills a process that requests tracing by us, and does not mistake a stop for an exit', async () => {
          const script =
            'import ctypes, os; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0), flush=True); os.kill(os.getpid(), 10); print("on")';
          expect(await stage.run([PYTHON, '-c', script])).toMatchObject({
            signal: 'SIGKILL',
            output: { merged: '0\n' },
          });
        });

        it('reports that there was nothing to end', async () => {
          const operationId = randomUUID();
          await stage.start(stage.confinement(), stage.request(['/bin/true'], { operationId }));
          await stage.wait(operationId);
          expect(await stage.end(operationId, { interruptMs: 1000, terminateMs: 1000 })).toBe(0);
          expect(await stage.end(randomUUID(), { interruptMs: 1000, terminateMs: 1000 })).toBe(0);
        });

        it('reaps orphans that exit on their own', async () => {
          const script = 'for i in 1 2 3 4 5; do (setsid sh -c "exec env -i sleep 0.3" &) ; done';
          expect(await stage.run(['/bin/sh', '-c', script])).toMatchObject({ exitCode: 0 });
          await expect.poll(() => processes().filter(({ parent }) => parent === stage.pid)).toEqual([]);
        });
      });
    });
  },
);
