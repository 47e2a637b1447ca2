import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { SharedMemory } from '../../../src/platform/linux/display/x11/capture/shared-memory.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { createClient } from '../../../src/platform/linux/display/x11/x11-library.ts';
import { TestServer } from './x-server.ts';

const DEADLINE = { deadlineMs: 10_000 };
const servers: TestServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

async function start(): Promise<TestServer> {
  const server = await TestServer.start({ manager: false });
  servers.push(server);
  return server;
}

/** Interns an atom, so that later atoms have other numbers than on a fresh server. */
function takeAnAtom(display: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { display, auth: { name: '', data: '' }, shm: new SharedMemory() };
    const client = createClient(options, (failure) => {
      if (failure) {
        reject(new Error(failure.message));
        return;
      }
      client.InternAtom(false, 'TAKEN_BY_SOMEBODY', (_error, atom) => {
        resolve(atom);
        return true;
      });
    });
    client.on('error', (error) => reject(new Error(error.message)));
  });
}

describe('two X servers in one process', () => {
  it('use the atom numbers of each server', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    await takeAnAtom(second.display);
    for (const { display } of [first, second]) {
      const wire = await X11Wire.connect(display, DEADLINE);
      // Checked with another program, because the package resolves names from the table under test.
      const listed = execFileSync('xlsatoms', ['-display', display, '-name', '_NET_WM_PID'], {
        encoding: 'utf8',
      });
      expect(listed.trim().split('\t')).toEqual([String(wire.atom('_NET_WM_PID')), '_NET_WM_PID']);
      wire.close();
    }
  });
});
