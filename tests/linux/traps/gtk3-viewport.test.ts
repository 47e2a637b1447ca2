import { expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

const Found = z.looseObject({ matches: z.array(z.looseObject({ ref: z.string() })) });

/** GTK 3 reports a viewport that is scrolled by more than its own height as hidden, and no place of it. */
it('what is in a viewport is read however far it is scrolled', async () => {
  const desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  const desk = new Desk(desktop);
  const fixture = await startFixture('gtk3', { environment: desktop.environment, deadlineMs: 20_000 });
  try {
    await untilReadable(desk, fixture.pid);
    const app = String(fixture.pid);
    await fixture.control('set', { widget: 'tabs', property: 'selected', value: 'Many rows' });
    const lists = async (): Promise<number> =>
      (await desk.parse('find', { app, role: 'listbox' }, Found)).matches.length;
    const rowsOf = async (mirror: boolean): Promise<string> => {
      const read = await desk.parse('snapshot', { app, mirror }, z.looseObject({ tree: z.unknown() }));
      return JSON.stringify(read.tree);
    };
    const ref = await desk.ref(fixture.pid, 'Rows', 'listbox');
    for (let scrolled = 0; scrolled < 4; scrolled++)
      expect(await desk.call('scroll', { direction: 'down', ref, amount: 400 })).toMatchObject({ ok: true });
    expect(await lists()).toBe(1);
    for (const mirror of [false, true]) {
      const text = await rowsOf(mirror);
      expect(text).toMatch(/"Row [4-9]\d"/);
      expect(text).not.toContain('"Row 1"');
    }
  } finally {
    await desk.close();
    await fixture.stop();
    await desktop.stop();
  }
});
