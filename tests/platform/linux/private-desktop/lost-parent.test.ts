import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Supervisor } from '../../../../src/platform/linux/private-desktop/supervisor.ts';
import { allProcesses, commandLine } from '../../../../src/platform/linux/process/facts.ts';

it('what a program of the desktop has started ends with it, without marker and in a session of its own', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-supervisor-'));
  const id = path.basename(folder);
  const stubborn = `trap '' TERM; : ${id}-stubborn; echo; while :; do sleep 0.1; done`;
  const program = spawn('/bin/sh', ['-c', `env -i setsid /bin/sh -c "${stubborn}" & wait`], {
    env: { PATH: '/usr/bin:/bin', DESKTERITY_PRIVATE_DESKTOP: id },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const left = () =>
    allProcesses().filter(
      ({ pid, state }) => state !== 'Z' && commandLine(pid).join(' ').includes(`${id}-stubborn`),
    );
  onTestFinished(() => {
    for (const { pid } of left()) process.kill(pid, 'SIGKILL');
  });
  await new Promise((resolve) => program.stdout.once('data', resolve));
  await new Supervisor({ id, folder, ownerPid: process.pid }).finish();
  expect(left()).toEqual([]);
}, 20_000);
