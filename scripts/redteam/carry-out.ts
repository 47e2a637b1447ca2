import { NotPossible, type Attack, type Row } from './row.ts';
import type { World } from './world.ts';

export type Groups = Readonly<Record<string, readonly Attack[]>>;

interface Identified {
  readonly id: string;
  readonly attack: Attack;
}

/** The attacks of some groups, each with an id of its own. @throws Error if two have the same */
export function identified(groups: Groups, wanted: readonly string[] = Object.keys(groups)): Identified[] {
  const all = wanted.flatMap((group) =>
    (groups[group] ?? []).map((attack) => ({ id: `${group}/${nameOf(attack)}`, attack })),
  );
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`Two attacks are called ${twice}.`);
  return all;
}

function nameOf({ name, attack, surface }: Attack): string {
  return name ?? [attack, surface].map(slug).join('--');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Carries out one attack. One that fails in any way was not carried out: it is never counted as held. */
export async function carryOut({ id, attack }: Identified, world: World): Promise<Row> {
  const { attack: what, surface, run, open } = attack;
  const outcome = await Promise.resolve()
    .then(() => run(world))
    .catch((error: unknown) => ({
      held: null,
      code: undefined,
      evidence: `${error instanceof NotPossible ? '' : 'failed: '}${error instanceof Error ? error.message : String(error)}`,
    }));
  const evidence =
    outcome.held === false && open !== undefined ? `${open} (${outcome.evidence})` : outcome.evidence;
  return { id, attack: what, surface, held: outcome.held, code: outcome.code ?? null, evidence };
}

/** The open rows that nobody has stated, and the stated ones that are held by now. */
export function surprises(rows: readonly Row[], attacks: readonly Identified[]): string[] {
  const stated = new Set(attacks.filter(({ attack }) => attack.open !== undefined).map(({ id }) => id));
  return rows.flatMap(({ id, held }) => {
    if (held === false && !stated.has(id)) return [`${id} is open, and nowhere stated`];
    if (held === true && stated.has(id)) return [`${id} is stated as open, but was held off`];
    return [];
  });
}
