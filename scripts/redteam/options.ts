import type { Attack } from './row.ts';
import { against, sees, type Args, type Prepare } from './way.ts';

/** A rule about an option, whatever role the toolkit gives it. */
const POLICY = '[[rule]]\ndecision = "deny"\nelement = "bank"\n';
const LIST = 'role:combobox[name="Account"]';

const listOf: Prepare = async (world, ledger) => {
  await world.prepare(['select', `app:${ledger.app} >> ${LIST}`, 'cash', '--mode', 'background']);
  return world.ref('Account', ledger.app);
};

function chooses(name: string, surface: string, args: Args): Attack {
  return against(
    {
      attack: 'an option that a rule denies',
      surface,
      name: `option-${name}`,
      prepare: listOf,
      // The first attempt has chosen it.
      again: true,
      attempt: (world, ledger, ref) => world.desk(args(ledger, ref)),
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
];
