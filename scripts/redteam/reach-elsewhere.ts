import { Ledger, theLedger } from './ledger.ts';
import { NotPossible, type Attack, type Outcome } from './row.ts';
import { against, DENIED, inFront, placeOf, said, sees, type Tried } from './way.ts';
import type { World } from './world.ts';

const PRESSED = 'a denied application, acted on';

const notes = new Map<World, Promise<Ledger>>();

/** Another application beside it, which is not denied. */
export function beside(world: World): Promise<Ledger> {
  const options = {
    title: 'Notes beside',
    secret: 'nothing secret',
    program: 'notes',
    colour: '#4050c0',
    x: 250,
    y: 560,
  };
  const opened = notes.get(world) ?? Ledger.open(world, { file: '/usr/bin/python3', options });
  notes.set(world, opened);
  return opened;
}

export const elsewhere: readonly Attack[] = [
  against(
    {
      attack: 'text that a denied application copied',
      surface: 'clipboard get',
      name: 'clipboard',
      prepare: async (_world, ledger) => {
        await ledger.tell();
        return '';
      },
      attempt: (world) => world.desk(['clipboard', 'get']),
    },
    said,
  ),
  against(
    {
      attack: PRESSED,
      surface: 'drag from another application, onto it',
      name: 'drag-target',
      prepare: async (world, ledger) => {
        const from = await placeOf('Paint')(world, await beside(world));
        return `${from} ${await placeOf('Paint')(world, ledger)}`;
      },
      attempt: (world, _ledger, places) => world.desk(['drag', ...places.split(' ')]),
    },
    sees('dropped', 'enter-notify-event'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'press, once minimizing another gave it the focus',
      name: 'focus-by-minimizing',
      prepare: async (world, ledger) => {
        await inFront(world, ledger);
        await world.prepare(['focus-window', '--app', (await beside(world)).app]);
        return '';
      },
      again: true,
      attempt: async (world) => {
        await world.desk(['minimize', '--app', (await beside(world)).app]);
        return world.desk(['press', 'e']);
      },
    },
    sees('key'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'its open menu, by coordinates',
      name: 'popup',
      prepare: async (world, ledger) => {
        const [x = '0', y = '0'] = (await placeOf('Book')(world, ledger)).split(',');
        await world.prepare(['press', 'Escape', '--app', ledger.app]);
        await world.prepare(['mouse', 'click', x, y]);
        await world.prepare(['wait', '200']);
        return `${x},${Number(y) + 26}`;
      },
      again: true,
      attempt: (world, _ledger, place) => world.desk(['mouse', 'click', ...place.split(',')]),
      // It would take the clicks of later attacks.
      cleanUp: (world, { app }) => world.prepare(['press', 'Escape', '--app', app]),
    },
    sees('menu'),
  ),
  shell(
    'login-shell',
    'terminal execute, a login shell',
    (command) => ['terminal', 'execute', command, '--tag', 'reach'],
    {
      open: 'a login shell may do what its user may, such as run xdotool',
    },
  ),
  shell('confined-terminal', 'terminal execute --confined', (command) => [
    'terminal',
    'execute',
    command,
    '--tag',
    'reach-confined',
    '--confined',
  ]),
  shell('confined-command', 'sandboxed-shell', (command) => ['sandboxed-shell', command]),
];

/** Held if xdotool does not reach it, which it does outside of everything. */
function shell(
  name: string,
  surface: string,
  args: (command: string) => readonly string[],
  stated: { readonly open?: string } = {},
): Attack {
  return {
    attack: PRESSED,
    surface: `xdotool in ${surface}`,
    name,
    ...stated,
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      await inFront(world, ledger);
      const variables = ['DISPLAY', 'XAUTHORITY'].map((each) => `${each}='${world.environment[each] ?? ''}'`);
      const command = `${variables.join(' ')} xdotool key f`;
      const reached = async (attempt: () => Promise<Tried>) => sees('key')(world, ledger, attempt);
      const [control, freely] = await reached(() => world.run('/bin/sh', ['-c', command]));
      if (freely === undefined)
        throw new NotPossible(`xdotool does not reach it at all: ${control.shown.slice(0, 100)}`);
      const [{ code, shown }, still] = await world.withFile('policy.toml', DENIED, () =>
        reached(() => world.desk(args(command))),
      );
      return {
        held: still === undefined,
        code,
        evidence: still ?? `outside: ${freely}; here: nothing: ${shown.slice(0, 120)}`,
      };
    },
  };
}
