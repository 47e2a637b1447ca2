import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxLevel } from '../../../src/ports/sandbox.ts';
import { ORDINARY_USER, Stage, type StageOptions } from './stage.ts';

const PYTHON = '/usr/bin/python3';
const isRoot = process.getuid?.() === 0;
const ordinary = isRoot ? { user: ORDINARY_USER } : {};

async function open(options: StageOptions): Promise<Stage> {
  const stage = await Stage.open(options);
  onTestFinished(async () => stage.close());
  return stage;
}

describe('a sandbox with an ineffective part', () => {
  it.each([
    {
      what: 'the rules are never entered',
      sabotage: { file: 'confine-thread.ts', from: 'enterRuleset(kernel, ruleset);', to: '' },
      message: /reading outside, writing outside, creating outside, deleting outside/,
    },
    {
      what: 'the rules are for everything',
      sabotage: { file: 'landlock.ts', from: 'openPlace(rule.path, rule.same)', to: "openPlace('/')" },
      message: /reading outside/,
    },
    {
      what: 'the rules handle one right only',
      sabotage: { file: 'landlock.ts', from: '([handled.files,', to: '([2n,' },
      message: /reading outside, creating outside|refused the file rules/,
    },
    {
      what: 'the filter allows everything',
      sabotage: { file: 'bpf-program.ts', from: '...program.rules.flatMap((rule) => block(rule)),', to: '' },
      message: /a network socket, a Unix socket/,
    },
    {
      what: 'the filter lets the launcher be signalled',
      sabotage: {
        file: 'call-policy.ts',
        from: '...(policy.launcher === undefined ? [] : launcherRules(policy.launcher)),',
        to: '',
      },
      message: /signalling/,
    },
  ])('is refused if $what', async ({ sabotage, message }) => {
    const stage = await open({ ...ordinary, sabotage });
    const failed = await stage.run(['true']).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringMatching(message) });
  });

  it.skipIf(!isRoot)('is refused if root keeps its capabilities (needs root)', async () => {
    const sabotage = { file: 'confine-thread.ts', from: 'dropCapabilities(kernel);', to: '' };
    const stage = await open({ sabotage });
    const failed = await stage.run(['true']).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('the environment of'),
    });
  });

  it('leaves no canary behind', async () => {
    const stage = await open(ordinary);
    // Of one that was killed meanwhile, and of one that is at it.
    for (const owner of ['4194999-abc', `${process.pid}-abc`])
      mkdirSync(stage.path('probe', `deskterity-probe-${owner}`));
    stage.give(isRoot ? ORDINARY_USER : (process.getuid?.() ?? 0));
    await stage.prepare(stage.confinement());
    expect(readdirSync(stage.path('probe'))).toEqual([`deskterity-probe-${process.pid}-abc`]);
  });
});

describe('a sandbox that is created while an operation starts', () => {
  // A program in it would bear the mark of the operation, and would be collected and ended with it.
  it('is not tested before the start is complete', async () => {
    const stage = await open({
      sabotage: [
        {
          file: 'spawn-worker.ts',
          from: 'const pid = spawn(order);',
          to: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500); const pid = spawn(order);',
        },
        { file: 'functional-probe.ts', from: 'echo tried\n`;', to: 'sleep 0.5; echo tried\n`;' },
      ],
    });
    const seen = new Set<string>();
    const watch = setInterval(() => {
      for (const limit of limitsOfTrials(stage.pid)) seen.add(limit);
    }, 20);
    onTestFinished(() => clearInterval(watch));
    const request = stage.request(['/bin/sleep', '600']);
    const before = limitOfLocks(stage.pid);
    const starting = stage.start(stage.confinement({ by: 'none' }), request);
    await vi.waitFor(() => expect(limitOfLocks(stage.pid)).not.toBe(before), { timeout: 10_000 });
    await stage.prepare(stage.confinement());
    const operation = await starting;
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen]).not.toContain(limitOfLocks(operation.pid));
    expect(await stage.end(request.operationId, { interruptMs: 50, terminateMs: 50 })).toBe(1);
  });
});

/** What the processes bear that a sandbox is just tried with. */
function limitsOfTrials(launcher: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isTrial =
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reading outside') &&
          readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${launcher}\n`);
        return isTrial ? [limitOfLocks(Number(pid))] : [];
      } catch {
        return [];
      }
    });
}

function limitOfLocks(pid: number): string {
  return /^Max file locks\s+\S+\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? '';
}

describe('what this machine supports', () => {
  it('is complete where programs are confined, by its own test', async () => {
    const stage = await open(ordinary);
    await stage.prepare(stage.confinement());
    const level = (await stage.ask({ do: 'level' })) as SandboxLevel;
    const [best] = level.sandboxes;
    expect(best).toMatchObject({ name: 'landlock', works: true });
    expect(level.isNested).toBe(false);
    expect(Number(/Landlock ABI (\d+)$/.exec(level.system)?.[1])).toBeGreaterThanOrEqual(6);
    expect(best?.detail).toMatch(/^Landlock ABI \d+, a system call filter, no capabilities/);
  });

  it('is tested in a separate process, without changing the caller', async () => {
    const stage = await open(ordinary);
    await stage.ask({ do: 'level' });
    expect(await stage.ask({ do: 'unconfined', file: stage.path('outside', 'free') })).toBe('still free');
  });

  it('is detected inside another sandbox', async () => {
    const stage = await open(ordinary);
    const order = {
      plan: { paths: [], network: false, unixSockets: false, denyReport: false },
      canary: { folder: '/none', file: '/none' },
    };
    const ended = await stage.run(
      ['/usr/bin/env', process.execPath, stage.levelProbe, JSON.stringify(order)],
      {
        read: [stage.path('app')],
      },
    );
    expect(JSON.parse(ended.output['merged'] ?? '')).toMatchObject({
      isConfinedAlready: true,
      landlockAbi: expect.any(Number),
    });
  });

  it.skipIf(!existsSync(PYTHON))('fails inside sixteen others (needs Python)', async () => {
    const stage = await open(ordinary);
    const order = {
      plan: { paths: [], network: false, unixSockets: false, denyReport: false },
      canary: { folder: '/none', file: '/none' },
    };
    const layers =
      'import ctypes,os,struct,sys\nc=ctypes.CDLL(None,use_errno=True)\nc.prctl(38,1,0,0,0)\nrules=struct.pack("QQQ",1<<6,0,0)\nfor _ in range(16): c.syscall(446,c.syscall(444,rules,24,0),0)\nos.execv(sys.argv[1],sys.argv[1:])';
    const ended = await stage.run(
      [PYTHON, '-c', layers, process.execPath, stage.levelProbe, JSON.stringify(order)],
      { by: 'none' },
    );
    expect(JSON.parse(ended.output['merged'] ?? '')).toMatchObject({
      isConfinedAlready: true,
      problem: { detail: 'landlock_restrict_self: E2BIG' },
    });
  });
});

describe('a launcher that has exited', () => {
  it('leaves operations that its successor can end', async () => {
    const first = await open(ordinary);
    const operationId = randomUUID();
    const script = 'trap "" INT TERM; (setsid sleep 600 &); while :; do sleep 1; done';
    const leader = await first.start(
      first.confinement(),
      first.request(['/bin/sh', '-c', script], { operationId }),
    );
    process.kill(first.pid, 'SIGKILL');
    const second = await open(ordinary);
    const waits = { interruptMs: 50, terminateMs: 50 };
    expect(await second.ask({ do: 'end', operationId, leader, waits })).toBeGreaterThanOrEqual(3);
    expect(existsSync(`/proc/${leader.pid}/exe`)).toBe(false);
    // The number is another process's by then, or nobody's.
    expect(
      await second.ask({ do: 'end', operationId, leader: { pid: second.pid, startTime: '1' }, waits }),
    ).toBe(0);
    expect(second.isAlive).toBe(true);
  });
});
