import { readFile } from 'node:fs/promises';
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
  /** What has to be done before, without a policy, such as finding references. */
  readonly prepare?: (world: World, ledger: Ledger) => Promise<string>;
  readonly attempt: (world: World, ledger: Ledger, prepared: string) => Promise<Tried>;
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
  const { attack, surface, name, open, prepare = async () => '', attempt } = way;
  return {
    attack,
    surface,
    name,
    ...(open === undefined ? {} : { open }),
    run: async (world): Promise<Outcome> => {
      const ledger = await target(world);
      const once = async (): Promise<readonly [Tried, string | undefined]> => {
        const prepared = await prepare(world, ledger);
        return judge(world, ledger, () => attempt(world, ledger, prepared));
      };
      const [freely, reached] = await once();
      if (reached === undefined)
        return {
          held: null,
          code: freely.code,
          evidence: `does not lead there without a policy: ${freely.shown.slice(0, 200)}`,
        };
      const prepared = await prepare(world, ledger);
      const [{ code, shown }, still] = await world.withFile('policy.toml', policy, () =>
        judge(world, ledger, () => attempt(world, ledger, prepared)),
      );
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

const READ = 'a denied application, read';
const PRESSED = 'a denied application, acted on';

type Args = (ledger: Ledger, prepared: string) => readonly string[];
type Prepare = NonNullable<Way['prepare']>;

const said = shows(LEDGER_SECRET, LEDGER_TITLE);

/** The reference of one of its elements, found while that was allowed. */
export const refOf =
  (name: string): Prepare =>
  (world, ledger) =>
    world.ref(name, ledger.app);

export const windowRef: Prepare = async (world, ledger) => {
  const { stdout } = await world.desk(['list-windows', '--app', ledger.app]);
  return /"ref":"(@w\d+)"/.exec(stdout)?.[1] ?? '@w0';
};

/** Its window to the front, with the focus in a field or on nothing. */
export const inFront: Prepare = async (world, ledger) => {
  await world.desk(['focus-window', '--app', ledger.app]);
  const ref = await world.ref('Amount', ledger.app);
  await world.desk(['focus', ref]);
  return ref;
};

/** The middle of one of its elements, as X,Y. */
export const placeOf =
  (name: string): Prepare =>
  async (world, ledger) => {
    await world.desk(['focus-window', '--app', ledger.app]);
    const { stdout } = await world.desk(['get', 'bounds', await world.ref(name, ledger.app)]);
    const [, x = 0, y = 0, width = 0, height = 0] = (
      /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(stdout) ?? []
    ).map(Number);
    return `${Math.round(x + width / 2)},${Math.round(y + height / 2)}`;
  };

function reads(name: string, surface: string, args: Args, prepare?: Prepare): Attack {
  return against(
    {
      attack: READ,
      surface,
      name,
      ...(prepare === undefined ? {} : { prepare }),
      attempt: (world, ledger, prepared) => world.desk(args(ledger, prepared)),
    },
    said,
  );
}

function acts(
  name: string,
  surface: string,
  events: readonly string[],
  args: Args,
  prepare?: Prepare,
): Attack {
  return against(
    {
      attack: PRESSED,
      surface,
      name,
      ...(prepare === undefined ? {} : { prepare }),
      attempt: (world, ledger, prepared) => world.desk(args(ledger, prepared)),
    },
    sees(...events),
  );
}

/** Different on each call, so that the application always sees a change. */
let lastText = 0;
const text = (): string => `t${(lastText += 1)}`;

const readings: readonly Attack[] = [
  reads('snapshot-by-process', 'snapshot, by process', ({ app }) => ['snapshot', '--app', app]),
  reads('snapshot-by-name', 'snapshot, by name', () => ['snapshot', '--app', 'ledger.py']),
  reads('snapshot-by-window', 'snapshot, by window', (_, ref) => ['snapshot', '--window', ref], windowRef),
  reads(
    'snapshot-of-everything',
    'snapshot of the active window',
    () => ['snapshot', '--whole-tree'],
    inFront,
  ),
  reads('find-everywhere', 'find, in all windows', () => ['find', 'ledger', '--limit', '50']),
  reads('find-by-window', 'find, by window', (_, ref) => ['find', 'Amount', '--window', ref], windowRef),
  reads(
    'get-by-reference',
    'get value, by an older reference',
    (_, ref) => ['get', 'value', ref],
    refOf('Amount'),
  ),
  reads('get-attributes', 'get text, by locator', ({ app }) => ['get', 'text', `app:${app} >> role:textbox`]),
  reads('title', 'get title', (_, ref) => ['get', 'title', '--window', ref], windowRef),
  reads('list-windows', 'list-windows', () => ['list-windows']),
  reads('list-apps', 'list-apps --with-windows', () => ['list-apps', '--with-windows']),
  reads('focused', 'focused', () => ['focused'], inFront),
  reads(
    'alias',
    'an alias of connect',
    () => ['snapshot', '--app', 'book'],
    async (world, { app }) => {
      await world.desk(['connect', app, '--alias', 'book']);
      return '';
    },
  ),
  reads('do-reads', 'a step of do', ({ app }) => ['do', `find Amount --app ${app}`]),
  reads(
    'workflow-reads',
    'a step of a workflow',
    (_, ref) => [
      'workflow',
      '--full',
      '--steps',
      JSON.stringify({ command: 'get', input: { property: 'value', ref } }),
    ],
    refOf('Amount'),
  ),
  against(
    {
      attack: READ,
      surface: 'a line of batch',
      name: 'batch-reads',
      attempt: (world, { app }) =>
        world.desk(['batch'], {}, `${JSON.stringify({ command: 'snapshot', input: { app } })}\n`),
    },
    said,
  ),
  against(
    {
      attack: READ,
      surface: 'journal, after it changed its title',
      name: 'journal',
      attempt: async (world, ledger) => {
        const { stdout } = await world.desk(['journal']);
        const cursor = /"cursor":"([^"]+)"/.exec(stdout)?.[1] ?? '';
        await ledger.tell();
        await world.desk(['wait', '400']);
        return world.desk(['journal', '--since', cursor]);
      },
    },
    said,
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'wait --text',
      name: 'wait-text',
      attempt: async (world, { app }) => {
        const reply = await world.desk(['wait', '--text', LEDGER_SECRET, '--app', app, '--timeout', '600']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'wait --window',
      name: 'wait-window',
      attempt: async (world) => {
        const reply = await world.desk(['wait', '--window', LEDGER_TITLE, '--timeout', '600']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'expect --value',
      name: 'expect-value',
      prepare: refOf('Approved'),
      attempt: async (world, _ledger, ref) => {
        const reply = await world.desk(['expect', ref, '--exists', '--timeout', '300']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
];

const acting: readonly Attack[] = [
  acts(
    'click-reference',
    'click, by an older reference',
    ['clicked'],
    (_, ref) => ['click', ref],
    refOf('Sign the page'),
  ),
  acts('click-locator', 'click, by locator', ['clicked'], ({ app }) => [
    'click',
    `app:${app} >> role:button[name="Sign the page"]`,
  ]),
  acts(
    'click-pointer',
    'click --mode pointer',
    ['clicked'],
    (_, ref) => ['click', ref, '--mode', 'pointer'],
    refOf('Sign the page'),
  ),
  acts(
    'mouse-click',
    'mouse click, by coordinates',
    ['clicked'],
    (_, place) => ['mouse', 'click', ...place.split(',')],
    placeOf('Sign the page'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'mouse move, down and up',
      name: 'mouse-down',
      prepare: placeOf('Paint'),
      attempt: async (world, _ledger, place) => {
        await world.desk(['mouse', 'move', ...place.split(',')]);
        const down = await world.desk(['mouse', 'down']);
        await world.desk(['mouse', 'up']);
        return down;
      },
    },
    sees('button-press-event', 'enter-notify-event'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'mouse wheel, where the pointer is already',
      name: 'mouse-wheel',
      prepare: async (world, ledger) => {
        const place = await placeOf('Paint')(world, ledger);
        await world.desk(['mouse', 'move', ...place.split(',')]);
        return place;
      },
      attempt: (world) => world.desk(['mouse', 'wheel', '100']),
    },
    sees('scroll-event'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'hover',
      name: 'hover',
      prepare: async (world, ledger) => {
        await world.desk(['mouse', 'move', '20', '1000']);
        return refOf('Paint')(world, ledger);
      },
      attempt: async (world, ledger) =>
        world.desk(['hover', await refOf('Paint')(world, ledger).catch(() => '@e0')]),
    },
    sees('enter-notify-event'),
  ),
  acts(
    'drag-from',
    'drag, from it',
    ['dragged', 'button-press-event'],
    (_, place) => ['drag', place, '100,1000'],
    placeOf('Paint'),
  ),
  acts('press-focus', 'press, where the focus is', ['key'], () => ['press', 'a'], inFront),
  acts('press-app', 'press --app', ['key'], ({ app }) => ['press', 'b', '--app', app], inFront),
  acts('key-down', 'key-down, where the focus is', ['key'], () => ['key-down', 'c'], inFront),
  acts('type-focus', 'type, where the focus is', ['key', 'changed'], () => ['type', text()], inFront),
  acts(
    'type-reference',
    'type, by an older reference',
    ['key', 'changed'],
    (_, ref) => ['type', ref, text()],
    refOf('Amount'),
  ),
  acts('set-value', 'set-value', ['changed'], (_, ref) => ['set-value', ref, text()], refOf('Amount')),
  acts('fill', 'fill', ['changed'], ({ app }) => [
    'fill',
    'role:textbox[name="Amount"]',
    text(),
    '--app',
    app,
  ]),
  acts('toggle', 'toggle', ['toggled'], (_, ref) => ['toggle', ref], refOf('Approved')),
  acts('menu', 'menu, by path', ['menu'], ({ app }) => ['menu', 'Book > Post', '--app', app]),
  acts('do-acts', 'a step of do', ['clicked'], (_, ref) => ['do', `click '${ref}'`], refOf('Sign the page')),
  acts(
    'workflow-acts',
    'a step of a workflow',
    ['clicked'],
    (_, ref) => ['workflow', '--steps', JSON.stringify({ command: 'click', input: { ref } })],
    refOf('Sign the page'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'a line of batch',
      name: 'batch-acts',
      prepare: refOf('Sign the page'),
      attempt: (world, _ledger, ref) =>
        world.desk(['batch'], {}, `${JSON.stringify({ command: 'click', input: { ref } })}\n`),
    },
    sees('clicked'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'undo of an act from before',
      name: 'undo',
      prepare: async (world, ledger) => {
        await world.desk(['set-value', await world.ref('Amount', ledger.app), text()]);
        return '';
      },
      attempt: (world) => world.desk(['undo']),
    },
    sees('changed'),
  ),
  acts(
    'move-window',
    'move-window',
    ['moved'],
    (_, ref) => ['move-window', String(600 + (lastText += 7)), '90', '--window', ref],
    windowRef,
  ),
  acts(
    'close-window',
    'close-window',
    ['closed'],
    (_, ref) => ['close-window', '--window', ref, '--timeout', '1500'],
    windowRef,
  ),
  acts('close-app', 'close-app, by process', ['closed'], ({ app }) => [
    'close-app',
    app,
    '--timeout',
    '1500',
  ]),
];

export const reach: readonly Attack[] = [...readings, ...acting];

/** What a file contains, or nothing. */
export const contentOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
