import { LEDGER_SECRET, LEDGER_TITLE, theLedger, type Ledger } from './ledger.ts';
import type { Attack, Outcome } from './row.ts';
import type { World } from './world.ts';

/** Denied by what its program is, not by what it says of itself. */
export const DENIED = '[applications]\ndenied = ["ledger"]\n';

export interface Tried {
  readonly code?: string | undefined;
  readonly shown: string;
}

/** One way to an application. Called first without a policy, which must lead there, then with one. */
export interface Way {
  readonly attack: string;
  readonly surface: string;
  readonly name: string;
  readonly open?: string;
  /** What has to be done before, without a policy, such as finding references. For both attempts, unless it says `again`. */
  readonly prepare?: (world: World, ledger: Ledger) => Promise<string>;
  readonly again?: boolean;
  readonly attempt: (world: World, ledger: Ledger, prepared: string) => Promise<Tried>;
  /** Done at the end, without a policy. */
  readonly cleanUp?: (world: World, ledger: Ledger) => Promise<unknown>;
}

/** How far an attempt got: `undefined` if nothing was reached, else what was. */
type Judge = (
  world: World,
  ledger: Ledger,
  attempt: () => Promise<Tried>,
) => Promise<readonly [Tried, string | undefined]>;

/** Held if what leads to the application without a policy leads nowhere with it. */
export function against(
  way: Way,
  judge: Judge,
  policy = DENIED,
  target: (world: World) => Promise<Ledger> = theLedger,
): Attack {
  const { attack, surface, name, open, prepare = async () => '', again = false, attempt, cleanUp } = way;
  return {
    attack,
    surface,
    name,
    ...(open === undefined ? {} : { open }),
    run: async (world): Promise<Outcome> => {
      const ledger = await target(world);
      let prepared = await prepare(world, ledger);
      const judged = () => judge(world, ledger, () => attempt(world, ledger, prepared));
      const [freely, reached] = await judged();
      if (reached === undefined)
        return {
          held: null,
          code: freely.code,
          evidence: `does not lead there without a policy: ${freely.shown.slice(0, 200)}`,
        };
      if (again) prepared = await prepare(world, ledger);
      const [{ code, shown }, still] = await world.withFile('policy.toml', policy, judged);
      await cleanUp?.(world, ledger);
      return still === undefined
        ? { held: true, code, evidence: `without the policy: ${reached}; with it: nothing` }
        : { held: false, code, evidence: `${still}: ${shown.slice(0, 160)}` };
    },
  };
}

/** By what an answer shows of the application. */
export const shows =
  (...texts: readonly string[]): Judge =>
  async (_world, _ledger, attempt) => {
    const tried = await attempt();
    const told = texts.find((text) => tried.shown.includes(text));
    return [tried, told === undefined ? undefined : `shows ${JSON.stringify(told)}`];
  };

/** By what the application noted meanwhile. */
export const sees =
  (...events: readonly string[]): Judge =>
  async (_world, ledger, attempt) => {
    const before = (await ledger.events()).length;
    const tried = await attempt();
    const seen = (await ledger.events()).slice(before).filter(({ event }) => events.includes(event));
    const [first] = seen;
    return [
      tried,
      first === undefined
        ? undefined
        : `the application noted ${seen.length} times "${first.event}" ${JSON.stringify(first.value ?? '').slice(0, 40)}`,
    ];
  };

export type Args = (ledger: Ledger, prepared: string) => readonly string[];
export type Prepare = NonNullable<Way['prepare']>;

/** By its title, or what is in it. */
export const said = shows(LEDGER_SECRET, LEDGER_TITLE);

/** The reference of one of its elements, found while that was allowed. */
export const refOf =
  (name: string): Prepare =>
  (world, ledger) =>
    world.ref(name, ledger.app);

export const windowRef: Prepare = async (world, ledger) => {
  const windows = await world.prepare(['list-windows', '--app', ledger.app]);
  return /"ref":"(@w\d+)"/.exec(windows)?.[1] ?? '@w0';
};

/** Its window to the front, with the focus in a field or on nothing. */
export const inFront: Prepare = async (world, ledger) => {
  await world.prepare(['focus-window', '--app', ledger.app]);
  const ref = await world.ref('Amount', ledger.app);
  await world.prepare(['focus', ref]);
  return ref;
};

/** The middle of one of its elements, as X,Y. */
export const placeOf =
  (name: string): Prepare =>
  async (world, ledger) => {
    await world.prepare(['focus-window', '--app', ledger.app]);
    const bounds = await world.prepare(['get', 'bounds', await world.ref(name, ledger.app)]);
    const [, x = 0, y = 0, width = 0, height = 0] = (
      /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(bounds) ?? []
    ).map(Number);
    return `${Math.round(x + width / 2)},${Math.round(y + height / 2)}`;
  };

/** Different on each call, so that the application always sees a change. */
let last = 0;
export const another = (): number => (last += 1);
export const text = (): string => `sum ${another()}`;
