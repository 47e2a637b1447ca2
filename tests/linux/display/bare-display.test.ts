import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { openClientCalls, type ClientCalls } from '../../../src/surfaces/mcp/tools/client-calls.ts';
import { fakeApp } from '../../app/fake-app.ts';
import { BARE } from './bare-display.ts';
import { until } from '../../until.ts';

const CALL = { deadlineMs: 20_000 } as const;
const Found = z.object({ matches: z.array(z.object({ ref: z.string() })) });

let place: PrivateDesktop;
let fixture: Fixture;
let desktop: LinuxDesktop;
let calls: ClientCalls;

beforeAll(async () => {
  place = await PrivateDesktop.start(CALL);
  fixture = await startFixture('gtk3', { environment: place.environment, ...CALL });
  desktop = new LinuxDesktop({ ...place.environment, DISPLAY: undefined }, undefined, { kind: BARE });
  const clock = createClock();
  const app = fakeApp(
    async () => desktop,
    () => Promise.reject(new Error('see createEngine')),
    { clock, createEngine: (parts) => createEngine({ ...parts, clock }), outlivesCalls: true },
  );
  calls = openClientCalls({
    app,
    caller: { environment: { DISPLAY: 'bare' }, cwd: '/' },
    session: undefined,
  });
  await until(async () => JSON.stringify(await answer('list-windows')).includes(fixture.title), 'the window');
});

afterAll(async () => {
  await desktop.close();
  await fixture.stop();
  await place.stop();
});

async function answer(command: string, input: Record<string, unknown> = {}): Promise<unknown> {
  return (await calls.answer(command, input)).output;
}

async function refOf(name: string): Promise<string> {
  const { matches } = Found.parse(await answer('find', { query: name, role: 'button' }));
  return matches[0]?.ref ?? '';
}

describe('a display server without capabilities', () => {
  it('reports that', async () => {
    expect(await answer('status')).toMatchObject({
      desktop: {
        session_type: 'bare',
        capabilities: {
          tree: true,
          events: true,
          windows: false,
          capture: false,
          clipboard: false,
          input: false,
        },
      },
      permissions_granted: true,
    });
  });

  it('lists what is on the accessibility bus: applications, windows, elements', async () => {
    expect(await answer('list-apps')).toMatchObject({ apps: [{ pid: fixture.pid, accessible: true }] });
    expect(await answer('snapshot', { window: fixture.title })).toMatchObject({
      window: { title: fixture.title, accessible: true },
      tree: { children: expect.anything() },
    });
    expect(await refOf('Press me')).toMatch(/^@e\d+$/);
  });

  it('lets accessibility act', async () => {
    expect(await answer('click', { ref: await refOf('Press me') })).toMatchObject({
      via: expect.stringContaining('at-spi'),
    });
    await fixture.waitForEvent(({ widget }) => widget === 'press', 5000);
  });

  it.each([
    ['minimize', {}, 'windows'],
    ['move-window', { x: 0, y: 0 }, 'windows'],
    ['screenshot', { screen: true }, 'screenshots'],
    ['clipboard get', {}, 'clipboard'],
    ['press', { keys: 'a' }, 'keys'],
    ['mouse move', { x: 1, y: 1 }, 'pointer'],
  ])('refuses %s by name', async (command, input, word) => {
    await expect(answer(command, input)).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      message: expect.stringContaining(word),
      delivered: false,
    });
  });

  it('has no probe window', async () => {
    await expect(desktop.openProbe(CALL)).rejects.toMatchObject({ code: 'ACTION_NOT_SUPPORTED' });
  });
});
