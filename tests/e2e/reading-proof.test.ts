import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ApplicationRun } from '../../scripts/proof/reading/application-run.ts';
import { flatten } from '../../scripts/proof/reading/listed.ts';
import { rowOf } from '../../scripts/proof/reading/report.ts';
import { Application } from '../../scripts/proof/twins/applications.ts';
import { TOOLS } from '../../scripts/proof/twins/side/namespaces.ts';
import { seededRandom } from '../../scripts/proof/row.ts';
import { ROOT } from '../program-copy.ts';
import { builtProgram } from './support/build.ts';

const canUnshare =
  spawnSync('bwrap', '--unshare-user --unshare-pid --unshare-net --ro-bind / / true'.split(' ')).status === 0;
const MINUTES = 2;

// The instrument of `npm run proof -- reading`: it reads every page, scrolls it as a mouse does, and nothing is lost on the way.
it.skipIf(!canUnshare)(
  'the proof scrolls the pages of a notebook (needs bubblewrap)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deskterity-reading-'));
    const program = await builtProgram();
    const command = ['/usr/bin/python3', join(TOOLS, 'twins/fixture/long_page.py')];
    const application = Application.parse({ name: 'long-page', toolkit: 'GTK 3', command });
    try {
      const run = new ApplicationRun({
        application,
        program: program.folder,
        folder,
        instrument: join(ROOT, 'scripts/proof/twins'),
        random: seededRandom(1),
        end: performance.now() + MINUTES * 60_000,
        say: () => undefined,
      });
      await run.run();
      const places = run.recorded;
      const scrolledTo = places.flatMap(({ scrolled }) => (scrolled === undefined ? [] : [scrolled.to]));
      const once = ['some pages on', 'its end', 'its start'];
      expect(scrolledTo).toStrictEqual([...once, ...once]);
      const listed = places.map(({ look }) =>
        [...flatten(look?.listing.roots ?? [])].flatMap(({ isHidden, name }) => (isHidden ? [] : [name])),
      );
      expect(listed.filter((names) => names.includes('Apple 80'))).toHaveLength(1);
      expect(listed.filter((names) => names.includes('Pear 80'))).toHaveLength(1);
      expect(rowOf(application, places, 'test', false)).toMatchObject({
        holds: true,
        lost: [],
        ghosts: [],
        counts: { scrolled: 6, failed: 0 },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(program.folder, { recursive: true, force: true });
    }
  },
  (MINUTES + 1) * 60_000,
);
