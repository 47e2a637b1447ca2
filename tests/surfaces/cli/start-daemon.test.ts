import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallFailure } from '../../../src/surfaces/cli/daemon/call-failure.ts';
import { startDaemon } from '../../../src/surfaces/cli/daemon/start-daemon.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A daemon that is killed in the middle of its first starts; the next one serves a single connection. */
async function start(kills: number, isForMcp?: boolean): Promise<string> {
  const program = join(folder, 'daemon.mjs');
  await writeFile(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs';
    import { createServer } from 'node:net';
    appendFileSync(${JSON.stringify(join(folder, 'starts'))}, 'x');
    if (readFileSync(${JSON.stringify(join(folder, 'starts'))}).length <= ${kills}) process.kill(process.pid, 'SIGKILL');
    const server = createServer((socket) => socket.end(['here', ...process.argv.slice(2)].join(' '), () => process.exit()));
    server.listen(${JSON.stringify(join(folder, 'socket'))}, () => process.stderr.write('{"ready":true}\\n'));`,
  );
  const connection = await startDaemon({
    socket: join(folder, 'socket'),
    program,
    environment: { PATH: process.env['PATH'] },
    isForMcp,
  });
  const said = await connection.setEncoding('utf8').toArray();
  return said.join('');
}

async function starts(): Promise<number> {
  return (await readFile(join(folder, 'starts'))).length;
}

describe('a daemon killed while it starts', () => {
  it('is silently started again, without what the build compiled', async () => {
    await expect(start(1)).resolves.toBe('here compile-anew');
    expect(await starts()).toBe(2);
  });

  it('twice is reported', async () => {
    const failure: unknown = await start(2).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure).toMatchObject({ code: 'DAEMON_UNAVAILABLE', detail: 'it was killed by SIGKILL' });
    expect(await starts()).toBe(2);
  });
});

describe('a daemon that is started', () => {
  it('for an MCP client knows it, so that it can load the server while that connects', async () => {
    await expect(start(0, true)).resolves.toBe('here mcp');
  });

  it('for another call loads nothing that this does not need', async () => {
    await expect(start(0)).resolves.toBe('here');
  });
});
