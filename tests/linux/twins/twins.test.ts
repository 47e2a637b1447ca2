import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { actsOn, type Act } from '../../../scripts/proof/twins/act/act.ts';
import type { Actor } from '../../../scripts/proof/twins/act/actor.ts';
import { believer, idler } from '../../../scripts/proof/twins/act/believers.ts';
import { deskActor } from '../../../scripts/proof/twins/act/desk.ts';
import { clickOn, mouse } from '../../../scripts/proof/twins/act/mouse.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import { APPLICATIONS } from '../../../scripts/proof/twins/applications.ts';
import { NOTHING_RESTLESS } from '../../../scripts/proof/twins/look/compare.ts';
import { walk } from '../../../scripts/proof/twins/look/look.ts';
import { Pair, startApplication } from '../../../scripts/proof/twins/run/pair.ts';
import { lookAtBoth } from '../../../scripts/proof/twins/run/before.ts';
import { tryAct, type Trial } from '../../../scripts/proof/twins/run/trial.ts';
import { createHome } from '../../../scripts/proof/twins/side/home.ts';
import { TOOLS } from '../../../scripts/proof/twins/side/namespaces.ts';
import { builtProgram } from '../../e2e/support/build.ts';
import { ROOT } from '../../program-copy.ts';

const canUnshare =
  spawnSync('bwrap', '--unshare-user --unshare-pid --unshare-net --ro-bind / / true'.split(' ')).status === 0;

// The instrument of `npm run proof -- twins`, end to end: the proof itself plants eleven lies and must find all of them.
describe.skipIf(!canUnshare)('twins (need bubblewrap and user namespaces)', () => {
  let home = '';

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'deskterity-twin-home-'));
    createHome(home);
  });

  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
  });

  async function attempt(actor: Actor, kind: Act['kind'], name: string): Promise<Trial> {
    const application = APPLICATIONS.find((one) => one.name === 'planted-lies');
    if (application === undefined) throw new Error('the fixture is not in the list of applications');
    const instrument = join(ROOT, 'scripts/proof/twins');
    const pair = await Pair.open({ application, actor, home, instrument });
    try {
      const before = await lookAtBoth(pair);
      const widget = usableWidgets(before.twin.seen).find(({ key }) => key.name === name);
      const act = widget === undefined ? undefined : actsOn(widget).find((one) => one.kind === kind);
      if (act === undefined) throw new Error(`there is no ${kind} on "${name}"`);
      return await tryAct(pair, before, act, actor, NOTHING_RESTLESS);
    } finally {
      await pair.end();
    }
  }

  it('the mouse is aimed at the items of a GTK 4 popover', async () => {
    const [fixture] = APPLICATIONS.filter(({ name }) => name === 'planted-lies');
    if (fixture === undefined) throw new Error('the fixture is not in the list of applications');
    const command = ['/usr/bin/python3', join(TOOLS, 'acts/gtk.py'), '4', '/tmp/acts.log'];
    const actor = { ...mouse, tools: { acts: join(ROOT, 'fixtures/acts') } };
    const instrument = join(ROOT, 'scripts/proof/twins');
    const options = { application: { ...fixture, command }, actor, home, instrument };
    const side = await startApplication(options);
    try {
      const log = join(side.folders.temporary, 'acts.log');
      // Its first click may come before the popover is in its place.
      const isToggled = async (): Promise<boolean> => {
        const seen = await walk(side);
        const found = (name: string) => usableWidgets(seen).find(({ key }) => key.name.includes(name));
        const widget = found('Wide') ?? found('Options');
        if (widget !== undefined) await clickOn(side, seen, widget.key);
        await side.untilStill(400, 4000);
        return (await readFile(log, 'utf8')).includes('"toggled"');
      };
      expect(await vi.waitUntil(isToggled, { timeout: 15_000 })).toBe(true);
    } finally {
      await side.end();
    }
  });

  it.each([
    ['click', 'lie neighbour', 'wrong_target'],
    ['click', 'lie file', 'false_success'],
    ['click', 'lie colour', 'false_success'],
    ['click', 'lie mark', 'false_success'],
    ['set-value', 'lie field', 'false_success'],
  ] as const)('%s on "%s" is found out: %s', async (kind, name, verdict) => {
    expect(await attempt(believer, kind, name)).toMatchObject({ verdict });
  });

  it.each([
    ['click', 'honest late'],
    ['click', 'honest mark'],
    ['click', 'honest dialog'],
    ['toggle', 'honest check'],
  ] as const)('%s on "%s" is not accused', async (kind, name) => {
    expect(await attempt(believer, kind, name)).toMatchObject({ verdict: 'agree' });
  });

  it('the mark of the focus, which only the mouse moves, is not accused', async () => {
    expect(await attempt(believer, 'click', 'honest field')).toMatchObject({
      verdict: 'agree',
      harmless: 'focus',
    });
  });

  it('a side that does nothing and claims success is found out', async () => {
    expect(await attempt(idler, 'click', 'honest nothing')).toMatchObject({ verdict: 'false_success' });
  });

  describe('our own program', () => {
    let program = '';

    beforeAll(async () => {
      ({ folder: program } = await builtProgram());
    });

    afterAll(async () => {
      await rm(program, { recursive: true, force: true });
    });

    // Toggle buttons and rows lie to accessibility actions only: that they agree shows that none stands in for the mouse there.
    it.each([
      ['click', 'honest neighbour'],
      ['toggle', 'honest check'],
      ['set-value', 'honest field'],
      ['toggle', 'lie toggle'],
      ['click', 'lie row'],
    ] as const)('%s on "%s" is done as by hand', async (kind, name) => {
      expect(await attempt(deskActor(program), kind, name)).toMatchObject({ verdict: 'agree' });
    });
  });

  it('the mouse on both sides agrees with itself', async () => {
    expect(await attempt(mouse, 'click', 'lie dialog')).toMatchObject({ verdict: 'agree' });
  });
});
