import type { Attack } from './row.ts';
import { against, sees, type Args, type Prepare, type Way } from './way.ts';

/** A rule about an option, whatever role the toolkit gives it. */
const POLICY = '[[rule]]\ndecision = "deny"\nelement = "bank"\n';
const LIST = 'role:combobox[name="Account"]';

const listOf: Prepare = async (world, ledger) => {
  await world.prepare(['select', `app:${ledger.app} >> ${LIST}`, 'cash', '--mode', 'background']);
  return world.ref('Account', ledger.app);
};

/** With the keyboard focus on it. */
const focused: Prepare = async (world, ledger) => {
  await world.prepare(['click', await listOf(world, ledger), '--mode', 'pointer']);
  await world.prepare(['press', 'Escape', '--app', ledger.app]);
  return '';
};

/** Opens it, and finds the place of the option. */
const placeOfOption: Prepare = async (world, ledger) => {
  const list = await listOf(world, ledger);
  await world.prepare(['click', list, '--mode', 'pointer']);
  const option = await world.ref('bank', ledger.app);
  const bounds = await world.prepare(['get', 'bounds', option]);
  const [, x = 0, y = 0, width = 0, height = 0] = (
    /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(bounds) ?? []
  ).map(Number);
  return `${Math.round(x + width / 2)},${Math.round(y + height / 2)}`;
};

function chooses(name: string, surface: string, args: Args, more: Partial<Way> = {}): Attack {
  return against(
    {
      attack: 'an option that a rule denies',
      surface,
      name: `option-${name}`,
      prepare: listOf,
      // The first attempt has chosen it.
      again: true,
      attempt: (world, ledger, prepared) => world.desk(args(ledger, prepared)),
      ...more,
    },
    sees('chosen'),
    POLICY,
  );
}

/** Options of a list, which are only part of what an act is done to. */
export const options: readonly Attack[] = [
  chooses('select', 'select', (_, ref) => ['select', ref, 'bank', '--mode', 'background']),
  chooses('pointer', 'select --mode pointer', (_, ref) => ['select', ref, 'bank', '--mode', 'pointer']),
  chooses('index', 'select --by-index --mode pointer', (_, ref) => [
    'select',
    ref,
    '--by-index',
    '1',
    '--mode',
    'pointer',
  ]),
  chooses('mouse', 'mouse click, in the open list', (_, place) => ['mouse', 'click', ...place.split(',')], {
    prepare: placeOfOption,
    cleanUp: (world) => world.prepare(['press', 'Escape']),
  }),
  chooses('keys', 'press Down, on the list', ({ app }) => ['press', 'Down', '--app', app], {
    prepare: focused,
  }),
  chooses('wheel', 'scroll, on the list', (_, ref) => ['scroll', 'down', '--ref', ref, '--amount', '60']),
];
