import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  SUPERVISOR_SCRIPT,
  SUPERVISOR_TAG,
} from '../../../../src/platform/linux/private-desktop/supervisor-script.ts';
import { processStartTime } from '../../../../src/platform/linux/process/facts.ts';

/** A program that carries no marker, so that only what is noted tells whose it is. */
function unmarked() {
  const program = spawn('/bin/sleep', ['60'], { env: {}, detached: true, stdio: 'ignore' });
  onTestFinished(() => void program.kill('SIGKILL'));
  const { pid = 0 } = program;
  return { program, note: `process ${pid}:${processStartTime(pid)}` };
}

it('one whose owner exits before it writes anything knows the notes that it was started with', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-supervisor-'));
  const [noted, later] = [unmarked(), unmarked()];
  await writeFile(path.join(folder, 'notes'), `${noted.note}\n${later.note}\n`);
  const args = ['-c', SUPERVISOR_SCRIPT, SUPERVISOR_TAG, path.basename(folder), folder, '0', '1'];
  // No input: as from a pipe whose other end is closed.
  await once(spawn('/bin/sh', args, { detached: true, stdio: 'ignore' }), 'exit');
  expect(noted.program.signalCode).toBe('SIGTERM');
  // What is noted after its start comes by the pipe.
  expect(later.program.signalCode).toBe(null);
  expect(existsSync(folder)).toBe(false);
}, 20_000);
