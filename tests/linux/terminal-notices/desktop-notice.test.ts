import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { showDesktopNotice } from '../../../src/platform/linux/machine/desktop-notice.ts';
import { PATIENT, PrivateBus } from '../dbus/support/private-bus.ts';

let bus: PrivateBus;
beforeAll(async () => {
  bus = await PrivateBus.start();
});
afterAll(() => bus.stop());

/** What a service of another making was asked to show. */
async function shown(abilities: string, body: string): Promise<unknown> {
  const service = spawn('/usr/bin/python3', [join(import.meta.dirname, 'notice-service.py'), abilities], {
    env: { PATH: '/usr/bin:/bin', DBUS_SESSION_BUS_ADDRESS: bus.address },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]();
  try {
    expect((await lines.next()).value).toBe('"ready"');
    await showDesktopNotice(bus.address, { summary: 'It <has> ended', body }, PATIENT);
    return JSON.parse((await lines.next()).value ?? 'null');
  } finally {
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    await ended;
  }
}

it.each([
  ['body,body-markup', 'terminal build: a &amp;&amp; b &lt;c&gt;, exit code 0'],
  ['body', 'terminal build: a && b <c>, exit code 0'],
])('a service with %s shows the exact text', async (abilities, expected) => {
  const asked = await shown(abilities, 'terminal build: a && b <c>, exit code 0');
  expect(asked).toEqual(['Deskterity', 0, '', 'It <has> ended', expected, [], { urgency: 1 }, -1]);
});

it.each([
  ['no bus', undefined],
  ['a bus that is not there', 'unix:path=/nonexistent/bus'],
])('with %s it reports that none could be shown', async (_, address) => {
  await expect(showDesktopNotice(address, { summary: 's', body: 'b' }, PATIENT)).rejects.toMatchObject({
    code: 'BUS_UNAVAILABLE',
    suggestion: expect.stringContaining('terminal.notify'),
  });
});

it('reports a missing notification service', async () => {
  await expect(showDesktopNotice(bus.address, { summary: 's', body: 'b' }, PATIENT)).rejects.toMatchObject({
    code: 'BUS_UNAVAILABLE',
  });
});
