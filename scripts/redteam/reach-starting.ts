import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEDGER_SECRET, LEDGER_TITLE, programCopy } from './ledger.ts';
import { McpClient } from './mcp-client.ts';
import type { Attack, Outcome } from './row.ts';
import { another, DENIED, type Tried } from './way.ts';
import { repositoryFile, type World } from './world.ts';

const STARTED_MS = 4000;

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

export const starting: readonly Attack[] = [
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
