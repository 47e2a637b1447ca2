import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlatform } from '../../src/platform/select.ts';
import { listen, type Listening } from '../../src/processes/daemon/listen.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listen-'));
  await chmod(folder, 0o700);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function dead(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** Listens while the marker of a starting client exists. @returns the names in the folder afterwards */
async function afterwards(starter: number): Promise<string[]> {
  const socket = join(folder, 'daemon.sock');
  const listening: Listening | undefined = await listen(createPlatform().sockets, socket, (connection) =>
    connection.destroy(),
  );
  await writeFile(`${socket}.start`, String(starter));
  await listening?.hide();
  listening?.close();
  return readdir(folder);
}

describe('leaving', () => {
  it('removes the marker of a client that was killed while it started the daemon', async () => {
    expect(await afterwards(await dead())).toEqual([]);
  });

  it('leaves the marker of a client that is starting the next one', async () => {
    expect(await afterwards(process.pid)).toEqual(['daemon.sock.start']);
  });
});
