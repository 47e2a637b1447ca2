import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DaemonConnection } from '../../../src/surfaces/cli/daemon/connect.ts';

let folder = '';
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dying-'));
  await chmod(folder, 0o700);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const DYING_MS = 200;

it('a read is repeated with a new daemon, not with a dying one that still listens', async () => {
  const socket = join(folder, 'socket');
  // What a killed process can look like for a moment: its connections are gone, its socket takes new ones.
  const dying = join(folder, 'dying.mjs');
  await writeFile(
    dying,
    `import { createServer } from 'node:net';
    const server = createServer((socket) => {
      socket.destroy();
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${DYING_MS});
    });
    server.listen(${JSON.stringify(socket)}, () => process.stdout.write('ready'));`,
  );
  const fresh = join(folder, 'fresh.mjs');
  await writeFile(
    fresh,
    `import { rmSync } from 'node:fs';
    import { createServer } from 'node:net';
    const answer = JSON.stringify({ type: 'answer', id: 1, exitCode: 0, stdout: 'right', stderr: '' });
    rmSync(${JSON.stringify(socket)});
    const server = createServer((socket) => {
      socket.once('data', () => socket.write(answer + '\\n'));
      socket.on('error', () => process.exit()).on('close', () => process.exit());
    });
    server.listen(${JSON.stringify(socket)}, () => process.stderr.write('{"ready":true}\\n'));`,
  );
  const child = spawn(process.execPath, [dying], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  await writeFile(`${socket}.pid`, `${child.pid}\n`);
  const daemon = new DaemonConnection({
    socket,
    program: fresh,
    script: fresh,
    version: '1.0.0+test',
    environment: { PATH: process.env['PATH'] },
    cwd: '/',
    pid: process.pid,
    colour: false,
    isRepeatable: () => true,
  });
  try {
    await expect(daemon.execute('default', 'snapshot', {})).resolves.toMatchObject({ stdout: 'right' });
  } finally {
    await daemon.close();
  }
});
