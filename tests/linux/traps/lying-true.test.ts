import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { startHostileProcess } from '../../../fixtures/hostile/hostile-process.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

let desktop: PrivateDesktop;
let desk: Desk;
let fixture: Fixture;
beforeAll(async () => {
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desk = new Desk(desktop);
  fixture = await startFixture('gtk3', { environment: desktop.environment, deadlineMs: 20_000 });
  await untilReadable(desk, fixture.pid);
});
afterAll(async () => {
  await desk.close();
  await fixture.stop();
  await desktop.stop();
});

it('an application that returns "true" but does nothing is not trusted', async () => {
  const address = desktop.accessibilityBusAddress;
  const hostile = await startHostileProcess({ address, scenario: 'plain', deadlineMs: 20_000 });
  const ref = await desk.ref(hostile.pid, 'Button 1', 'button');
  const answer = await desk.call('click', { ref });
  expect(answer).toMatchObject({ ok: true, effect: 'unverified', delivered: true });
  expect(answer['changes']).toBeUndefined();
  await hostile.stop();
});

it('GTK 3 returns "true" for a disabled button, so it is never pressed', async () => {
  const direct = new LinuxDesktop(desktop.environment);
  const [window] = await direct.listWindows({ deadlineMs: 5000, pid: fixture.pid });
  const root = window?.root ?? { app: '', path: '' };
  const request = { root, deadlineMs: 5000, wholeTree: false, maxNodes: 5000, includeActions: false };
  const disabled = find((await direct.readTree(request)).root, 'Disabled');
  expect(await direct.press(disabled.handle, { deadlineMs: 5000 })).toMatchObject({ accepted: true });
  await direct.close();
  const answer = await desk.call('click', { ref: await desk.ref(fixture.pid, 'Disabled', 'button') });
  expect(answer).toMatchObject({ ok: false, error: { code: 'NOT_ACTIONABLE', delivered: false } });
  expect((await fixture.events()).filter((event) => event.widget === 'disabled')).toEqual([]);
});

function find(node: TreeNode, name: string): TreeNode {
  const queue = [node];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (next.name === name) return next;
    queue.push(...next.children);
  }
  throw new Error(`no ${name}`);
}
