import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HolderLinks } from '../../src/operations/holder/holder-links.ts';
import { bytesOf, ended, isAlive, kill, useOperationsLab } from '../operations/support/operations-lab.ts';
import { until } from '../until.ts';

const lab = useOperationsLab();

describe('an operation', () => {
  it('is recorded with its output and exit code', async () => {
    const operations = lab().operations();
    const started = await operations.start(lab().request('echo one; echo two >&2; exit 3'));
    expect(started.operation_id).toMatch(/^op-[a-z2-7]{6}$/);
    const view = await ended(operations, started.operation_id);
    expect(view).toMatchObject({ status: 'failed', exit_code: 3, written: { merged: 8 }, tool: 'test' });
    expect(bytesOf(lab(), view.operation_id).toString()).toBe('one\ntwo\n');
    const record: unknown = JSON.parse(
      readFileSync(join(lab().stateFolder, 'operations', view.operation_id, 'operation.json'), 'utf8'),
    );
    expect(record).toMatchObject({
      status: 'failed',
      exit_code: 3,
      steps: [{ status: 'failed', exit_code: 3 }],
    });
  });

  it('keeps streams separate on request', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(
      lab().request('echo out; echo err >&2', { output: 'separate' }),
    );
    expect(await ended(operations, id)).toMatchObject({
      status: 'succeeded',
      written: { stdout: 4, stderr: 4 },
    });
    expect((await operations.read(id, { stream: 'stderr', cursor: 0, maxTokens: 500 })).text).toBe('err\n');
    expect((await operations.read(id, { stream: 'stdout', cursor: 0, maxTokens: 500 })).text).toBe('out\n');
    const summary = await operations.read(id, { maxTokens: 1000 });
    expect(summary.text).toBe('stderr:\nerr\n\nstdout:\nout');
  });

  it('of several steps ends with the first failure', async () => {
    const operations = lab().operations();
    const scripts = ['echo 1 > one', 'exit 4', 'echo 3 > three'];
    const { operation_id: id } = await operations.start(lab().request(scripts));
    const view = await ended(operations, id);
    expect(view).toMatchObject({ status: 'failed', exit_code: 4 });
    expect(view.steps.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'skipped']);
    expect(existsSync(join(lab().scope, 'one'))).toBe(true);
    expect(existsSync(join(lab().scope, 'three'))).toBe(false);
  });

  it('waits between its steps as requested', async () => {
    const operations = lab().operations();
    const request = lab().request(['date +%s%N > first', 'date +%s%N > second']);
    const steps = request.steps.map((step, index) => (index === 1 ? { ...step, delayMs: 400 } : step));
    const { operation_id: id } = await operations.start({ ...request, steps });
    expect((await ended(operations, id)).status).toBe('succeeded');
    const [first = 0, second = 0] = ['first', 'second'].map((name) =>
      Number(readFileSync(join(lab().scope, name), 'utf8')),
    );
    expect((second - first) / 1e6).toBeGreaterThanOrEqual(400);
  });

  it('that takes too long is ended with everything it started', async () => {
    const operations = lab().operations();
    const script = 'setsid sleep 300 & (trap "" INT TERM; sleep 301) & echo begun; sleep 302';
    const { operation_id: id } = await operations.start(
      lab().request([script, 'echo never'], { timeoutMs: 800 }),
    );
    const view = await ended(operations, id);
    expect(view).toMatchObject({ status: 'timed_out', timeout_ms: 800 });
    expect(view.steps.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(lab().strays()).toEqual([]);
    expect(bytesOf(lab(), id).toString()).toBe('begun\n');
  });

  it('leaves no background processes behind and counts them', async () => {
    const operations = lab().operations();
    const script = 'setsid sleep 300 > /dev/null 2>&1 & sleep 301 & echo done';
    const { operation_id: id } = await operations.start(lab().request(script));
    const view = await ended(operations, id);
    expect(view).toMatchObject({ status: 'succeeded', exit_code: 0, left_behind: 2 });
    expect(lab().strays()).toEqual([]);
  });

  it('has all output of processes that end just after it', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(lab().request('(sleep 0.1; echo late) & echo early'));
    expect(await ended(operations, id)).toMatchObject({ status: 'succeeded' });
    expect(bytesOf(lab(), id).toString()).toBe('early\nlate\n');
  });

  it('whose program is missing is not started and leaves no trace', async () => {
    const operations = lab().operations();
    const { steps, ...request } = lab().request('', { output: 'separate' });
    const missing = steps.map((step) => ({ ...step, command: ['/no/such/program'] as const }));
    await expect(operations.start({ ...request, steps: missing })).rejects.toMatchObject({
      code: 'ACTION_FAILED',
    });
    expect(await operations.list({})).toEqual([]);
  });

  it('is found in lists, newest first', async () => {
    const operations = lab().operations();
    const first = await operations.start(lab().request('true'));
    await ended(operations, first.operation_id);
    const second = await operations.start(lab().request('sleep 300', { session: 'other' }));
    expect((await operations.list({})).map((view) => view.operation_id)).toEqual([
      second.operation_id,
      first.operation_id,
    ]);
    expect(await operations.list({ running: true })).toMatchObject([{ operation_id: second.operation_id }]);
    expect(await operations.list({ session: 'default' })).toMatchObject([
      { operation_id: first.operation_id },
    ]);
    expect(await operations.list({ scope: '/elsewhere' })).toEqual([]);
  });

  it('is not found by another name', async () => {
    const operations = lab().operations();
    writeFileSync(join(lab().stateFolder, 'operation.json'), '{}');
    for (const id of ['op-zzzzzz', '..', '../../etc', 'op-a/../..', ''])
      await expect(operations.status(id)).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
  });
});

describe('waiting', () => {
  it('ends when the time is up and reports progress', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(
      lab().request('echo a; sleep 0.5; echo b; sleep 300'),
    );
    const seen: number[] = [];
    const begun = performance.now();
    const view = await operations.wait(id, {
      timeoutMs: 1800,
      signal: new AbortController().signal,
      onProgress: ({ written }) => seen.push(written.merged ?? 0),
    });
    expect(performance.now() - begun).toBeGreaterThan(1700);
    expect(view.status).toBe('running');
    expect(seen.at(-1)).toBe(4);
  });

  it('ends when the caller cancels; the operation continues', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(lab().request('sleep 300'));
    const controller = new AbortController();
    const waiting = operations.wait(id, { timeoutMs: 30_000, signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await operations.status(id)).status).toBe('running');
  });

  it('reports the end at once', async () => {
    const operations = lab().operations();
    const late: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { operation_id: id } = await operations.start(lab().request('sleep 0.3; date +%s%N > end'));
      await ended(operations, id);
      late.push(Date.now() - Number(readFileSync(join(lab().scope, 'end'), 'utf8')) / 1e6);
    }
    // Without events it would poll once a second.
    expect(Math.min(...late)).toBeLessThan(500);
  });

  it('uses the records on disk if the holder cannot be reached', async () => {
    const operations = lab().operations();
    const { operation_id: id, holder } = await operations.start(lab().request('sleep 0.7; exit 9'));
    renameSync(holder.socket, `${holder.socket}.aside`);
    expect(await ended(lab().operations(), id)).toMatchObject({ status: 'failed', exit_code: 9 });
  });
});

describe('cancelling', () => {
  it('ends everything and returns the result', async () => {
    const operations = lab().operations();
    const script = '(setsid sh -c "trap \'\' INT TERM HUP; sleep 300; sleep 301") & sleep 302';
    const { operation_id: id } = await operations.start(lab().request([script, 'true']));
    await until(() => lab().strays().length >= 3, 'all of it runs');
    const view = await operations.cancel(id);
    expect(view).toMatchObject({ status: 'cancelled' });
    expect(view.steps.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(lab().strays()).toEqual([]);
    expect(await operations.cancel(id)).toMatchObject({ status: 'cancelled', ended_at: view.ended_at });
  });

  it('during a pause starts nothing more', async () => {
    const operations = lab().operations();
    const request = lab().request(['true', 'echo 1 > made']);
    const steps = request.steps.map((step, index) => (index === 1 ? { ...step, delayMs: 60_000 } : step));
    const { operation_id: id } = await operations.start({ ...request, steps });
    await until(
      async () => (await operations.status(id)).steps[0]?.status === 'succeeded',
      'the first step is over',
    );
    const view = await operations.cancel(id);
    expect(view.status).toBe('cancelled');
    expect(view.steps.map(({ status }) => status)).toEqual(['succeeded', 'skipped']);
    expect(existsSync(join(lab().scope, 'made'))).toBe(false);
  });
});

describe('cancelling from another client', () => {
  it('reaches the holder of another build', async () => {
    const { operation_id: id } = await lab().operations({ build: 'old' }).start(lab().request('sleep 300'));
    expect((await lab().operations({ build: 'new' }).cancel(id)).status).toBe('cancelled');
    expect(lab().strays()).toEqual([]);
    expect(lab().holders()).toHaveLength(1);
  });

  it('ends the operations of an unreachable holder, which records it', async () => {
    const { operation_id: id, holder } = await lab().operations().start(lab().request('sleep 300'));
    renameSync(holder.socket, `${holder.socket}.aside`);
    expect(await lab().operations().cancel(id)).toMatchObject({ status: 'failed', signal: 'SIGINT' });
    expect(lab().strays()).toEqual([]);
    expect(lab().holders()).toHaveLength(2);
  });
});

describe('the end of operations', () => {
  it('is reported once for each, also for those another daemon started', async () => {
    const operations = lab().operations();
    const before = await operations.start(lab().request('sleep 0.4'));
    const watching = lab().operations();
    const told: string[] = [];
    const stop = watching.onEnd(({ operation_id, status }) => told.push(`${operation_id} ${status}`));
    const after = await watching.start(lab().request('sleep 0.2; false'));
    const other = await operations.start(lab().request('sleep 0.3'));
    await until(() => told.length >= 3, 'all ends are told');
    expect(told.toSorted()).toEqual(
      [
        `${before.operation_id} succeeded`,
        `${after.operation_id} failed`,
        `${other.operation_id} succeeded`,
      ].toSorted(),
    );
    stop();
    const last = await operations.start(lab().request('true'));
    await ended(operations, last.operation_id);
    expect(told).toHaveLength(3);
  });
});

describe('the holder', () => {
  it('has its own session and no open files of its starter', async () => {
    const operations = lab().operations();
    await operations.start(lab().request('sleep 300'));
    const [pid = 0] = lab().holders();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect(Number(session)).toBe(pid);
    expect([0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))).toEqual(Array(3).fill('/dev/null'));
    kill(pid, 'SIGHUP');
    await until(() => /State:\tS/.test(readFileSync(`/proc/${pid}/status`, 'utf8')), 'it sleeps');
    expect(isAlive(pid)).toBe(true);
  });

  it('exits when it is idle, and another one is started on demand', async () => {
    const operations = lab().operations({ idleMs: 200, restMs: 100 });
    const { operation_id: id } = await operations.start(lab().request('sleep 1'));
    const [first = 0] = lab().holders();
    expect((await ended(operations, id)).status).toBe('succeeded');
    await until(() => !isAlive(first), 'it has left');
    expect(
      readdirSync(join(lab().folder, 'run', 'deskterity')).filter((name) => name.endsWith('.sock')),
    ).toEqual([]);
    const next = await operations.start(lab().request('echo again'));
    expect((await ended(operations, next.operation_id)).status).toBe('succeeded');
  });

  it('is reconnected to if a connection ends during a request', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(lab().request('sleep 300'));
    const { holder } = await operations.status(id);
    const links = new HolderLinks(lab().stateFolder);
    for (let index = 0; index < 20; index += 1) {
      const connection = await links.find(holder.socket);
      expect(connection?.isOpen).toBe(true);
      connection?.end();
    }
  });

  it('reports why it cannot work', async () => {
    const operations = lab().operations({ stateFolder: '/proc/nowhere', workerFile: '/nonexistent' });
    await expect(operations.start(lab().request('true'))).rejects.toMatchObject({
      code: 'DAEMON_UNAVAILABLE',
    });
  });
});
