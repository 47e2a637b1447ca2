import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ledger, programCopy } from './ledger.ts';
import { beside } from './reach-elsewhere.ts';
import { NotPossible, type Attack, type Outcome } from './row.ts';
import { against, placeOf, said, sees, type Way } from './way.ts';
import type { World } from './world.ts';

const ALLOWED_BY_NAME = '[applications]\nallowed = ["mousepad"]\n';
const ALLOWED_BY_PATH = '[applications]\nallowed = ["/usr/bin/mousepad"]\n';
const PYTHON = '/usr/bin/python3';

type Start = (world: World) => Promise<Ledger>;

interface Impostor extends Pick<Way, 'attack' | 'surface' | 'name'> {
  readonly open?: string;
  readonly policy: string;
  /** Default: by its name. */
  readonly by?: 'place';
  readonly start: Start;
}

/** Held if nothing is pressed in it while the policy is in force. */
function impostor({ policy, start, by, ...way }: Impostor): Attack {
  let started: Promise<Ledger> | undefined;
  const once = (world: World): Promise<Ledger> => (started ??= start(world));
  const attack = against(
    {
      ...way,
      ...(by === 'place' ? { prepare: placeOf('Sign the page') } : {}),
      attempt: (world, { app }, place) =>
        by === 'place'
          ? world.desk(['mouse', 'click', ...place.split(',')])
          : world.desk(['click', `app:${app} >> role:button[name="Sign the page"]`]),
    },
    sees('clicked'),
    policy,
    once,
  );
  return {
    ...attack,
    run: async (world) => {
      try {
        return await attack.run(world);
      } finally {
        (await started?.catch(() => undefined))?.end();
      }
    },
  };
}

/** A script that starts python3, with what it is told. */
async function script(world: World, name: string, lines: readonly string[]): Promise<string> {
  const folder = join(world.home, 'scripts', name);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'mousepad');
  writeFileSync(file, `${['#!/bin/bash', ...lines].join('\n')}\n`, { mode: 0o755 });
  return file;
}

async function editor(world: World): Promise<number> {
  const { stdout } = await world.desk(['launch', 'mousepad', '--wait']);
  const pid = Number(/"pid":(\d+)/.exec(stdout)?.[1] ?? 0);
  if (pid === 0) throw new NotPossible(`mousepad was not started: ${stdout.slice(0, 200)}`);
  return pid;
}

const under =
  (options: Readonly<Record<string, unknown>>, file = PYTHON): Start =>
  (world) =>
    Ledger.open(world, { file, options });

export const lookalike: readonly Attack[] = [
  impostor({
    name: 'own-program-of-that-name',
    attack: "the user's own program under the name of an allowed one",
    surface: 'applications.allowed, by name',
    policy: ALLOWED_BY_NAME,
    start: async (world) => Ledger.open(world, { file: await programCopy(world, 'mousepad', 'impostors') }),
  }),
  impostor({
    name: 'own-program-below-that-path',
    attack: 'a program whose path ends as that of an allowed one',
    surface: 'applications.allowed, by path',
    policy: ALLOWED_BY_PATH,
    start: async (world) =>
      Ledger.open(world, { file: await programCopy(world, 'mousepad', 'fake/usr/bin') }),
  }),
  impostor({
    name: 'script-of-that-name',
    attack: 'a script that is called as an allowed program, and calls its process so',
    surface: 'applications.allowed, by name',
    policy: ALLOWED_BY_NAME,
    start: async (world) => {
      const file = await script(world, 'named', ['exec -a mousepad /usr/bin/python3 "$@"']);
      return Ledger.open(world, { starter: [file], options: { program: 'mousepad', wmClass: 'mousepad' } });
    },
  }),
  impostor({
    name: 'window-class',
    attack: 'a window with the title and class of an allowed program, by its place',
    surface: 'WM_CLASS',
    policy: ALLOWED_BY_NAME,
    by: 'place',
    start: under({ wmClass: 'mousepad', title: 'Untitled 1 - Mousepad' }),
  }),
  impostor({
    name: 'accessible-name',
    attack: 'an application that calls itself as an allowed one',
    surface: 'name on the accessibility bus',
    policy: ALLOWED_BY_NAME,
    start: under({ program: 'mousepad' }),
  }),
  impostor({
    name: 'window-process',
    attack: 'a window that says it belongs to the process of an allowed program',
    surface: '_NET_WM_PID',
    policy: ALLOWED_BY_NAME,
    by: 'place',
    start: async (world) =>
      Ledger.open(world, { file: PYTHON, options: { wmPid: await editor(world), program: 'mousepad' } }),
  }),
  impostor({
    name: 'mounted-over-it',
    attack: 'a program mounted over an allowed one, in a namespace of its own',
    surface: '/proc/PID/exe',
    policy: ALLOWED_BY_PATH,
    start: async (world) => {
      const copy = await programCopy(world, 'mousepad', 'mounted');
      const inside = `mount --bind ${copy} /usr/bin/mousepad && exec /usr/bin/mousepad "$@"`;
      const possible = await world.run('/usr/bin/unshare', ['-rm', 'sh', '-c', inside, 'sh', '-c', '1']);
      if (possible.exitCode !== 0)
        throw new NotPossible(`no namespaces here: ${possible.shown.slice(0, 120)}`);
      return Ledger.open(world, { starter: ['/usr/bin/unshare', '-rm', 'sh', '-c', inside, 'sh'] });
    },
  }),
  impostor({
    name: 'denied-and-replaced',
    attack: 'a denied program whose file was deleted while it runs',
    surface: '/proc/PID/exe',
    policy: '[applications]\ndenied = ["*/deleted/ledger"]\n',
    start: async (world) => {
      const file = await programCopy(world, 'ledger', 'deleted');
      const ledger = await Ledger.open(world, { file });
      await rm(file);
      return ledger;
    },
  }),
  impostor({
    name: 'denied-and-renamed',
    attack: 'a denied program whose file was renamed while it runs',
    surface: '/proc/PID/exe',
    policy: '[applications]\ndenied = ["ledger-renamed"]\n',
    start: async (world) => {
      const file = await programCopy(world, 'ledger-renamed', 'renamed');
      const ledger = await Ledger.open(world, { file });
      await rename(file, `${file}-away`);
      return ledger;
    },
  }),
  impostor({
    name: 'denied-window-process',
    attack: 'a denied application whose window says it belongs to another process',
    surface: '_NET_WM_PID',
    policy: '[applications]\ndenied = ["ledger-pid"]\n',
    by: 'place',
    start: async (world) =>
      Ledger.open(world, {
        file: 'ledger-pid',
        options: { wmPid: Number((await beside(world)).app), program: 'notes' },
      }),
  }),
  impostor({
    name: 'denied-without-process',
    attack: 'a denied application whose window names no process',
    surface: '_NET_WM_PID',
    policy: '[applications]\ndenied = ["ledger-mute"]\n',
    by: 'place',
    start: under({ wmPid: 0, program: 'notes' }, 'ledger-mute'),
  }),
  impostor({
    name: 'denied-other-spelling',
    attack: 'a denied name in other letters: case, width, invisible characters',
    surface: 'name on the accessibility bus',
    policy: '[applications]\ndenied = ["ledger book"]\n',
    start: under({ program: 'ＬＥ\u200bDGER bo\u2060ok' }),
  }),
  impostor({
    name: 'denied-alike-letters',
    attack: 'a denied name with a letter of another alphabet',
    surface: 'name on the accessibility bus',
    policy: '[applications]\ndenied = ["ledger book"]\n',
    open: 'a name that an application gives itself denies only those that do not hide; a path or program does',
    start: under({ program: 'l\u0435dger book' }),
  }),
  {
    name: 'denied-long-name',
    attack: 'an application with a name too long to be compared',
    surface: 'name on the accessibility bus',
    run: async (world): Promise<Outcome> => {
      const program = `ledger book ${'x'.repeat(6000)}`;
      const ledger = await Ledger.open(world, { file: PYTHON, options: { program }, isShown: false });
      try {
        const signing = `app:${ledger.app} >> role:button[name="Sign the page"]`;
        const reply = await world.desk(['click', signing, '--timeout', '2000']);
        const pressed = (await ledger.events()).some(({ event }) => event === 'clicked');
        // Such an application is always denied: there is no call that reaches it.
        return {
          held: reply.code === 'POLICY_DENIED' && !pressed,
          code: reply.code,
          evidence: reply.shown.slice(0, 160),
        };
      } finally {
        ledger.end();
      }
    },
  },
  impostor({
    name: 'denied-copy',
    attack: 'a copy of a denied program under another name',
    surface: 'applications.denied',
    policy: '[applications]\ndenied = ["*/apps/original"]\n',
    open: 'a copy is another program; a list of allowed applications does not have this hole',
    start: under({}, 'innocent'),
  }),
  against(
    {
      attack: 'a denied program, started through a link with another name',
      surface: 'applications.denied',
      name: 'denied-link',
      attempt: (world, { app }) => world.desk(['snapshot', '--app', app]),
    },
    said,
    '[applications]\ndenied = ["ledger-linked"]\n',
    async (world) => {
      const file = await programCopy(world, 'ledger-linked', 'linked');
      const link = join(world.home, 'linked/other');
      await world.run('/bin/ln', ['-s', file, link]);
      return Ledger.open(world, { file: link });
    },
  ),
];
