import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyProgram, HOLDER_FILES } from '../program-copy.ts';
import type { Confinement } from '../../src/model/tools/confinement.ts';
import type { OperationsPort } from '../../src/ports/operations.ts';
import { bytesOf, ended, isAlive, kill, useOperationsLab } from '../operations/support/operations-lab.ts';
import { until } from '../until.ts';

/** Resident memory of a holder with one prepared confinement, with a margin for other versions of Node. */
const MOST_RESIDENT_MB = 110;

const lab = useOperationsLab();
let programs = '';

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'dkh-'));
  await copyProgram(programs, (name) => HOLDER_FILES.includes(name));
  await symlink(resolve('node_modules'), join(programs, 'node_modules'));
  writeFileSync(join(programs, 'package.json'), '{"type":"module"}');
}, 60_000);
afterAll(() => rm(programs, { recursive: true, force: true }));

/** The bundled holder. */
function published(): OperationsPort {
  return lab().operations({
    holderFile: join(programs, 'holder.js'),
    workerFile: join(programs, 'spawn-worker.js'),
  });
}

function confined(): { readonly confinement: Confinement } {
  const closed = { by: 'landlock', network: false, unixSockets: false } as const;
  return { confinement: { ...lab().confinement(), ...closed } };
}

function residentMb(pid: number): number {
  const [, kilobytes = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

describe('the published holder', () => {
  it('runs confined programs without being confined itself', async () => {
    const operations = published();
    await operations.start(lab().request('true', confined()));
    const [holder = 0] = lab().holders();
    expect(residentMb(holder)).toBeLessThan(MOST_RESIDENT_MB);
    const outside = join(lab().folder, 'outside');
    const holders = join(lab().stateFolder, 'operations', 'holders');
    const token = join(holders, readdirSync(holders).find((name) => name.endsWith('.token')) ?? '');
    const script = `echo in > inside; echo out > ${outside}; cat ${token}; exit 6`;
    const { operation_id: id } = await operations.start(lab().request(script, confined()));
    const view = await ended(operations, id);
    expect(view).toMatchObject({ status: 'failed', exit_code: 6, sandbox: 'landlock' });
    expect(readFileSync(join(lab().scope, 'inside'), 'utf8')).toBe('in\n');
    expect(existsSync(outside)).toBe(false);
    const output = bytesOf(lab(), id).toString();
    expect(output).not.toContain(readFileSync(token, 'utf8'));
    expect(output).toContain(`cat: ${token}: Permission denied`);
  });

  it('is outlived by its operations, which another holder then ends', async () => {
    const operations = published();
    const script = 'setsid sh -c "trap \'\' INT TERM; while :; do sleep 0.2; done" & sleep 300';
    const { operation_id: id } = await operations.start(lab().request(script, confined()));
    await until(() => lab().strays().length >= 3, 'all of it runs');
    const [holder = 0] = lab().holders();
    kill(holder);
    await until(() => !isAlive(holder), 'the holder is gone');
    // Its last threads may still be ending.
    await vi.waitFor(async () => expect((await published().status(id)).status).toBe('lost'));
    expect(lab().strays().length).toBeGreaterThan(0);
    expect((await published().cancel(id)).status).toBe('lost');
    expect(lab().strays()).toEqual([]);
  });

  it('cancels processes that left their session and parent', async () => {
    const operations = published();
    const script = '(setsid sh -c "(sleep 300 &) ; trap \'\' INT TERM; sleep 301; sleep 302" &) ; sleep 303';
    const { operation_id: id } = await operations.start(lab().request(script, confined()));
    await until(() => lab().strays().length >= 4, 'all of it runs');
    expect((await operations.cancel(id)).status).toBe('cancelled');
    expect(lab().strays()).toEqual([]);
  });

  it('that cannot write to the state folder is reported with the reason', async () => {
    const file = join(lab().folder, 'a-file');
    writeFileSync(file, '');
    const operations = lab().operations({ stateFolder: join(file, 'state') });
    await expect(operations.start(lab().request('true', confined()))).rejects.toMatchObject({
      code: 'DAEMON_UNAVAILABLE',
      message: expect.stringMatching(
        /^The state folder .* cannot be used: a part of its path is not a folder\.$/,
      ),
      suggestion: expect.stringContaining('XDG_STATE_HOME'),
      delivered: false,
    });
  });

  it('reports what is missing if nothing can be confined', async () => {
    const operations = lab().operations({ holderFile: join(programs, 'holder.js') });
    await expect(operations.start(lab().request('true', confined()))).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    expect(await operations.list({})).toEqual([]);
  });
});
