import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger, LEDGER_SECRET, LEDGER_TITLE, programCopy, theLedger } from './ledger.ts';
import { McpClient } from './mcp-client.ts';
import { NotPossible, type Attack, type Outcome } from './row.ts';
import { against, another, DENIED, inFront, placeOf, said, sees, type Tried } from './way.ts';
import { repositoryFile, type World } from './world.ts';

const PRESSED = 'a denied application, acted on';
const STARTED_MS = 4000;

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

const others: readonly Attack[] = [
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

async function untilWritten(file: string): Promise<boolean> {
  const end = performance.now() + STARTED_MS;
  while (performance.now() < end) {
    if ((await readFile(file, 'utf8').catch(() => '')) !== '') return true;
    await sleep(30);
  }
  return false;
}

/** Held if a program that is started without a policy is not started with it. */
function started(
  name: string,
  surface: string,
  what: (world: World, program: string) => Promise<string>,
): Attack {
  return {
    attack: 'a denied application, started',
    surface,
    name,
    run: async (world): Promise<Outcome> => {
      const given = await what(world, await programCopy(world, 'ledger', `start-${name}`));
      const start = async (): Promise<readonly [Tried, string]> => {
        const log = join(world.home, `started-${another()}.log`);
        const options = JSON.stringify({ log, title: `${LEDGER_TITLE} started`, secret: LEDGER_SECRET });
        const reply = await world.desk([
          'launch',
          given,
          '--',
          repositoryFile('fixtures/redteam/ledger.py'),
          options,
        ]);
        return [reply, log];
      };
      const [free, log] = await start();
      const pid = Number(/"pid":(\d+)/.exec(free.shown)?.[1] ?? 0);
      const isStarted = await untilWritten(log);
      if (pid > 0) process.kill(pid, 'SIGKILL');
      if (!isStarted)
        return {
          held: null,
          code: free.code,
          evidence: `not started without a policy: ${free.shown.slice(0, 200)}`,
        };
      const [reply, second] = await world.withFile('policy.toml', DENIED, start);
      // Refused before there was a process, so that there is nothing to wait for.
      const isRunning = reply.code !== 'POLICY_DENIED' && (await untilWritten(second));
      return {
        held: !isRunning,
        code: reply.code,
        evidence: isRunning ? 'its window was shown' : `no window: ${reply.shown.slice(0, 120)}`,
      };
    },
  };
}

/** Held if a terminal is not shown by an application that is denied, which shows it without a policy. */
const terminalApplication: Attack = {
  attack: 'a denied application, started',
  surface: 'terminal open, with DESKTERITY_TERMINAL_APP',
  name: 'terminal-app',
  run: async (world): Promise<Outcome> => {
    const show = async (): Promise<readonly [Tried, boolean]> => {
      await world.desk(['terminal', 'execute', 'true', '--tag', 'shown']);
      const reply = await world.desk(['terminal', 'open', '--tag', 'shown'], {
        DESKTERITY_TERMINAL_APP: 'xterm',
      });
      const { shown } = await world.desk(['terminal', 'list']);
      await world.desk(['terminal', 'close', '--tag', 'shown']);
      return [reply, /"attached":[1-9]/.test(shown)];
    };
    const [free, isShown] = await show();
    if (!isShown)
      return {
        held: null,
        code: free.code,
        evidence: `not shown without a policy: ${free.shown.slice(0, 200)}`,
      };
    const [{ code, shown }, isStill] = await world.withFile(
      'policy.toml',
      '[applications]\ndenied = ["xterm"]\n',
      show,
    );
    return {
      held: !isStill,
      code,
      evidence: `${isStill ? 'xterm shows it' : 'not shown'}: ${shown.slice(0, 120)}`,
    };
  },
};

/** Held if a server whose tools are all denied is not started, which each of these starts without a policy. */
function serverStarted(name: string, surface: string, attempt: (world: World) => Promise<Tried>): Attack {
  return {
    attack: 'a server of which all tools are denied, started',
    surface,
    name,
    run: async (world): Promise<Outcome> => {
      const file = '.deskterity/mcp.json';
      const begin = async (): Promise<readonly [Tried, boolean]> => {
        // Another entry is another server, which does not run yet.
        const log = join(world.home, `server-${another()}.log`);
        const args = [repositoryFile('fixtures/mcp-server/server.mjs'), '--log', log];
        const entry = { command: process.execPath, args };
        await writeFile(join(world.project, file), JSON.stringify({ servers: { wiki: entry } }));
        await world.desk(['tools', 'trust', file]);
        const tried = await attempt(world);
        return [tried, await untilWritten(log)];
      };
      const [free, isStarted] = await begin();
      if (!isStarted)
        return {
          held: null,
          code: free.code,
          evidence: `not started without a policy: ${free.shown.slice(0, 200)}`,
        };
      const [{ code, shown }, isStill] = await world.withFile(
        'policy.toml',
        '[tools]\ndenied = ["wiki__*"]\n',
        begin,
      );
      await rm(join(world.project, file), { force: true });
      return {
        held: !isStill,
        code,
        evidence: `${isStill ? 'started' : 'not started'}: ${shown.slice(0, 120)}`,
      };
    },
  };
}

async function listedOverMcp(world: World): Promise<Tried> {
  const client = await McpClient.start(process.execPath, [world.entry, 'mcp', '--toolsets', 'all'], {
    environment: world.environment,
    cwd: world.project,
  });
  try {
    return { shown: JSON.stringify(await client.request('tools/list', {})).slice(0, 200) };
  } finally {
    client.stop();
  }
}

const starting: readonly Attack[] = [
  serverStarted('server-call', 'tools call', (world) =>
    world.desk(['tools', 'call', 'wiki__echo', '{"text":"a"}']),
  ),
  serverStarted('server-list', 'tools list', (world) => world.desk(['tools', 'list'])),
  serverStarted('server-mcp', 'MCP tools/list', listedOverMcp),
  terminalApplication,
  started('launch-path', 'launch, by path', async (_world, program) => program),
  started('launch-link', 'launch, through a link with another name', async (world, program) => {
    const link = join(world.home, `calculator-${another()}`);
    await symlink(program, link);
    return link;
  }),
];

export const elsewhere: readonly Attack[] = [...others, ...starting];
