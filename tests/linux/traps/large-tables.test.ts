import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

const APPLICATION = fileURLToPath(new URL('support/large_table.py', import.meta.url));
const Snapshot = z.looseObject({ tree: z.unknown() });

let desktop: PrivateDesktop;
let desk: Desk;
beforeAll(async () => {
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desk = new Desk(desktop);
});
afterAll(async () => {
  await desk.close();
  await desktop.stop();
});

/** Its children are too many to be requested. */
describe.each(['gtk3', 'qt5', 'qt6'])('a table of 1,500 rows in %s', (kind) => {
  it('has the cells that are on screen, with their names, wherever it is scrolled', async () => {
    const environment = { ...desktop.environment, QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1' };
    const application = spawn('/usr/bin/python3', [APPLICATION, kind], {
      env: environment,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    try {
      const pid = application.pid ?? 0;
      await untilReadable(desk, pid);
      const rows = async (): Promise<{ readonly files: number[]; readonly sizes: number[] }> => {
        const { tree } = await desk.parse('snapshot', { app: String(pid), max_tokens: 5000 }, Snapshot);
        const text = JSON.stringify(tree);
        const of = (name: string): number[] => [
          ...new Set([...text.matchAll(new RegExp(`"${name} (\\d+)"`, 'g'))].map(([, row]) => Number(row))),
        ];
        expect(text).not.toContain('"key ');
        return { files: of('file'), sizes: of('size') };
      };
      for (const top of [0, 700, 1490]) {
        application.stdin.write(`top ${top}\n`);
        await expect.poll(async () => (await rows()).files, { timeout: 10_000 }).toContain(top);
        const { files, sizes } = await rows();
        expect(files.length).toBeGreaterThan(5);
        expect(files.length).toBeLessThan(40);
        expect(files).toEqual(Array.from(files, (_, index) => (files[0] ?? 0) + index));
        expect(sizes).toEqual(files);
      }
      const wanted = { app: String(pid), query: 'file 5', by: 'exact', whole_tree: true };
      expect(await desk.call('find', wanted)).toMatchObject({
        complete: false,
        incomplete_reasons: [expect.stringMatching(/of \d+ cells, only those on screen were read/)],
      });
    } finally {
      application.kill();
    }
  });
});
