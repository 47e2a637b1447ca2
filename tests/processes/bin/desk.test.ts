import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ended, useLab, type Ran } from '../../daemon/support.ts';
import { until } from '../../until.ts';

// The bundled program, away from node_modules: anything that is not bundled is missing.
const lab = useLab();
const SIGHUP_BIT = 1n;

/** Runs it with a bare environment: no display, no HOME, and its own temporary folder. */
function desk(...argv: string[]): Promise<Ran> {
  return lab().desk(argv, { HOME: undefined, PATH: undefined, XDG_RUNTIME_DIR: undefined });
}

describe('without a display', () => {
  it('version prints the version', async () => {
    const { exitCode, stdout, stderr } = await desk('version');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      command: 'version',
      program: 'deskterity',
      node: process.versions.node,
    });
  });

  it('status reports that there is none', async () => {
    const { exitCode, stdout } = await desk('status', '--no-daemon');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      desktop: null,
      problem: { code: expect.any(String) },
    });
  });

  it('help and usage errors need only the command line', async () => {
    expect(await desk()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await desk('click', '--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: desk click <ref>'),
    });
    expect(await desk('click', 'seven', '--format', 'text')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('INVALID_ARGUMENT'),
    });
    expect(await desk('get', 'volume', '@e1')).toMatchObject({
      exitCode: 5,
      stdout: expect.stringContaining('expected one of text'),
    });
  });
});

it.each([[[]], [['--no-daemon']]])('Ctrl-C cancels a command, which reports it (flags %j)', async (flags) => {
  const child = lab().spawn(['wait', '60000', ...flags, '--log-to-stderr']);
  const answer = ended(child);
  await untilWaiting(child.pid);
  child.kill('SIGINT');
  const { exitCode, stdout } = await answer;
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, command: 'wait', error: { code: 'CANCELLED' } });
});

/** Until it handles signals, one ends it at once; it is waiting when it uses no more processor time. */
async function untilWaiting(pid: number | undefined): Promise<void> {
  let [used, since] = [-1, performance.now()];
  const isWaiting = () => {
    const { caught, ticks } = stateOf(pid);
    if (ticks !== used) [used, since] = [ticks, performance.now()];
    // Node catches SIGINT by itself; only the program catches SIGHUP, in the same call.
    return (caught & SIGHUP_BIT) !== 0n && performance.now() - since > 300;
  };
  await until(isWaiting, 'it waits');
}

function stateOf(pid: number | undefined): { caught: bigint; ticks: number } {
  const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return { caught: BigInt(`0x${caught}`), ticks: Number(fields[11]) + Number(fields[12]) };
}

it('a closed reader is not a failure', async () => {
  const child = lab().spawn(['--help']);
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  await until(() => child.exitCode !== null, 'it has ended');
  expect(child.exitCode).toBe(0);
  expect(stderr).toBe('');
});
