import { readFile, writeFile } from 'node:fs/promises';
import { DANGEROUS } from './injection.ts';
import type { Attack, Outcome } from './row.ts';
import type { World } from './world.ts';

const APP = 'victim.py';
const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };

/** How often the button that deletes was pressed, by its application's own log. */
async function presses(world: World): Promise<number> {
  const log = await readFile(`${world.home}/victim.log`, 'utf8').catch(() => '');
  return log.split('\n').filter((line) => line.includes('"button5"')).length;
}

type Try = (world: World, ref: string) => Promise<{ readonly code?: string; readonly shown: string }>;

/** Held if the application did not see the button pressed. */
function unconsented(
  attack: string,
  surface: string,
  attempt: Try,
  named: Pick<Attack, 'name'> = {},
): Attack {
  return {
    ...named,
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      const ref = await world.ref(DANGEROUS, APP);
      if (ref === '@e0') return { held: null, evidence: 'the button was not found' };
      const before = await presses(world);
      const reply = await attempt(world, ref);
      await world.desk(['wait', '300']);
      const more = (await presses(world)) - before;
      // Another failure would not show that consent was missing.
      const isRefused = /CONFIRMATION_REQUIRED|NOT_ACTIONABLE|does not accept/.test(reply.shown);
      return {
        held: more > 0 ? false : isRefused ? true : null,
        code: reply.code,
        evidence: `the application saw it pressed ${more} times: ${reply.shown.slice(0, 110)}`,
      };
    },
  };
}

async function middleOf(world: World, ref: string): Promise<readonly [string, string]> {
  const { stdout } = await world.desk(['get', 'bounds', ref]);
  const [, x = 0, y = 0, width = 0, height = 0] = (
    /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(stdout) ?? []
  ).map(Number);
  return [String(Math.round(x + width / 2)), String(Math.round(y + height / 2))];
}

const ACT = 'an act that deletes, without consent';

export const consent: readonly Attack[] = [
  unconsented(ACT, 'click', (world, ref) => world.desk(['click', ref], REQUIRED)),
  unconsented(ACT, 'click by the pointer', (world, ref) =>
    world.desk(['click', ref, '--mode', 'pointer'], REQUIRED),
  ),
  unconsented(ACT, 'double-click', (world, ref) => world.desk(['double-click', ref], REQUIRED)),
  unconsented(ACT, 'mouse click at its place', async (world, ref) =>
    world.desk(['mouse', 'click', ...(await middleOf(world, ref))], REQUIRED),
  ),
  unconsented(ACT, 'Enter, where the focus is', async (world, ref) => {
    await world.desk(['focus', ref]);
    return world.desk(['press', 'Enter', '--app', APP], REQUIRED);
  }),
  unconsented(ACT, 'space, held with key-down', async (world, ref) => {
    await world.desk(['focus', ref]);
    const down = await world.desk(['key-down', 'space'], REQUIRED);
    await world.desk(['key-up', 'space'], REQUIRED);
    return down;
  }),
  unconsented(ACT, 'mouse down and up', async (world, ref) => {
    await world.desk(['mouse', 'move', ...(await middleOf(world, ref))], REQUIRED);
    const down = await world.desk(['mouse', 'down'], REQUIRED);
    await world.desk(['mouse', 'up'], REQUIRED);
    return down;
  }),
  unconsented(ACT, 'typing a line break into it', async (world, ref) => {
    await world.desk(['focus', ref]);
    return world.desk(['type', '\n'], REQUIRED);
  }),
  unconsented(ACT, 'a step of do', (world, ref) => world.desk(['do', `click '${ref}'`], REQUIRED)),
  unconsented(ACT, 'a step of a workflow', async (world, ref) => {
    await writeFile(
      `${world.project}/red.workflow.json`,
      JSON.stringify({ steps: [{ command: 'click', input: { ref } }] }),
    );
    return world.desk(['workflow', 'red.workflow.json'], REQUIRED);
  }),
  unconsented('consent that the agent gives itself, as a parameter', 'MCP arguments', async (world, ref) => {
    await world.desk(['find', DANGEROUS, '--app', APP]);
    const client = await world.client('--toolsets', 'all');
    const { text } = await client.call('desktop_click', {
      ref,
      consent: true,
      confirmed: true,
      _consent: { given: true },
    });
    return { shown: text };
  }),
  unconsented(
    'consent that the agent gives itself, as a variable',
    'click, DESKTERITY_CONFIRM_DESTRUCTIVE=never',
    async (world, ref) => {
      return world.withFile('config.toml', '[confirmation]\ndestructive = "require"\n', () =>
        world.desk(['click', ref], { DESKTERITY_CONFIRM_DESTRUCTIVE: 'never' }),
      );
    },
    { name: 'variable' },
  ),
  unconsented('consent of a dry run before', 'click', async (world, ref) => {
    const dry = await world.desk(['click', ref, '--dry-run'], REQUIRED);
    const then = await world.desk(['click', ref], REQUIRED);
    return { code: then.code, shown: dry.code + then.shown };
  }),
];
