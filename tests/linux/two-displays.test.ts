import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFixture, type Fixture } from '../../fixtures/driver.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';

const CALL = { deadlineMs: 20_000 } as const;
let first: PrivateDesktop;
let second: PrivateDesktop;
let fixture: Fixture;

beforeAll(async () => {
  [first, second] = await Promise.all([PrivateDesktop.start(CALL), PrivateDesktop.start(CALL)]);
  fixture = await startFixture('gtk3', { environment: first.environment, ...CALL });
});

afterAll(async () => {
  await fixture.stop();
  await Promise.all([first.stop(), second.stop()]);
});

async function titles(environment: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const desktop = new LinuxDesktop(environment);
  try {
    return (await desktop.listWindows(CALL)).map(({ title }) => title);
  } finally {
    await desktop.close();
  }
}

it('a display does not list windows of another display on the same bus', async () => {
  await expect.poll(() => titles(first.environment), { timeout: 10_000 }).toEqual([fixture.title]);
  const { DISPLAY, XAUTHORITY } = second.environment;
  expect(await titles({ ...first.environment, DISPLAY, XAUTHORITY })).toEqual([]);
});
