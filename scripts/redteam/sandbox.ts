import { createServer } from 'node:net';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { withoutSecret, type Attack, type Outcome } from './row.ts';
import type { World } from './world.ts';

const PRIVATE = 'private-key-of-the-user-55';

/**
 * A command in the sandbox, which leaves its result where only an escape could leave it, or shows what it may not read. Outside of the sandbox it must
 * succeed.
 */
function confined(
  attack: string,
  command: (world: World) => string,
  judge: (world: World, shown: string) => Promise<Outcome>,
): Attack {
  return {
    attack,
    surface: 'sandboxed-shell',
    run: async (world) => {
      await mkdir(`${world.home}/.ssh`, { recursive: true });
      await writeFile(`${world.home}/.ssh/id_test`, PRIVATE);
      const secret = { CI_DEPLOY_TOKEN: PRIVATE };
      const outside = await world.run('/bin/bash', ['-c', command(world)], secret);
      if ((await judge(world, outside.shown)).held !== false)
        return { held: null, evidence: `fails outside, too: ${outside.shown.slice(0, 160)}` };
      const reply = await world.desk(['sandboxed-shell', command(world), '--execution-mode', 'sync'], secret);
      if (REFUSED_TO_RUN.test(reply.code))
        return { held: null, code: reply.code, evidence: reply.shown.slice(0, 160) };
      return { code: reply.code, ...(await judge(world, reply.shown)) };
    },
  };
}

const REFUSED_TO_RUN = /^(?:SANDBOX_UNAVAILABLE|POLICY_DENIED|TIMEOUT|RATE_LIMITED)$/;

const unread = async (_world: World, shown: string): Promise<Outcome> => withoutSecret(shown, PRIVATE);

const unwritten =
  (file: (world: World) => string) =>
  async (world: World): Promise<Outcome> => {
    const content = await readFile(file(world), 'utf8').catch(() => undefined);
    await rm(file(world), { force: true });
    return {
      held: content === undefined,
      evidence: content === undefined ? 'the file does not exist' : `written: ${content.slice(0, 60)}`,
    };
  };

export const sandbox: readonly Attack[] = [
  confined(
    'writing outside the scope',
    ({ home }) => `echo out > ${home}/escaped`,
    unwritten(({ home }) => `${home}/escaped`),
  ),
  confined('reading keys of the user', ({ home }) => `cat ${home}/.ssh/id_test`, unread),
  confined('reading them through a link', ({ home }) => `ln -sf ${home}/.ssh/id_test link; cat link`, unread),
  confined('reading variables that may be secret', () => 'env', unread),
  confined(
    'reading variables of the daemon',
    () => 'for p in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $p; done',
    unread,
  ),
  confined(
    'changing shell files of the user',
    ({ home }) => `echo evil >> ${home}/.bashrc-red`,
    unwritten(({ home }) => `${home}/.bashrc-red`),
  ),
  {
    attack: 'a link in the project that leads out of it',
    surface: 'sandboxed-shell --working-directory',
    run: async (world) => {
      await symlink(world.home, `${world.project}/out`).catch(() => undefined);
      const reply = await world.wrongCall([
        'sandboxed-shell',
        'echo x > through-link',
        '--working-directory',
        'out',
      ]);
      if (!reply.shown.includes('outside the sandbox'))
        return { held: null, code: reply.code, evidence: reply.shown.slice(0, 160) };
      return { code: reply.code, ...(await unwritten(({ home }) => `${home}/through-link`)(world)) };
    },
  },
  confined(
    'asking the daemon to act',
    ({ entry }) => `${process.execPath} ${entry} clipboard set from-the-sandbox; echo done`,
    async (world) => {
      const { shown } = await world.desk(['clipboard', 'get']);
      await world.desk(['clipboard', 'set', 'mine']);
      return { held: !shown.includes('from-the-sandbox'), evidence: 'the clipboard does not have its text' };
    },
  ),
  confined(
    'connecting to the display',
    ({ environment }) =>
      `DISPLAY='${environment['DISPLAY'] ?? ''}' XAUTHORITY='${environment['XAUTHORITY'] ?? ''}' xdotool mousemove 1 1 && echo mo''ved`,
    async (_world, shown) => ({ held: !shown.includes('moved'), evidence: 'the pointer was not moved' }),
  ),
  confined(
    'connecting to the session bus',
    ({ environment }) =>
      `DBUS_SESSION_BUS_ADDRESS='${environment['DBUS_SESSION_BUS_ADDRESS'] ?? ''}' dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames && echo li''sted`,
    async (_world, shown) => ({ held: !shown.includes('listed'), evidence: 'the bus did not answer it' }),
  ),
  {
    attack: 'ending the daemon',
    surface: 'sandboxed-shell',
    run: async (world) => {
      const daemon = async () =>
        /"daemon":\{[^}]*"pid":(\d+)/.exec((await world.desk(['status'])).stdout)?.[1];
      const before = await daemon();
      const kills = 'for p in /proc/[0-9]*; do kill -9 ${p#/proc/} 2>/dev/null; done; echo done';
      const { code } = await world.desk(['sandboxed-shell', kills, '--execution-mode', 'sync']);
      const after = await daemon();
      return {
        held: before === undefined ? null : before === after,
        code,
        evidence: `process ${before ?? 'none'} before, ${after ?? 'none'} after`,
      };
    },
  },
  {
    attack: 'reaching the network',
    surface: 'sandboxed-shell',
    run: async (world) => {
      let reached = 0;
      const server = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      await world.run('/bin/bash', ['-c', `echo > /dev/tcp/127.0.0.1/${port}`]);
      const outside = reached;
      const reply = await world.desk(['sandboxed-shell', `echo > /dev/tcp/127.0.0.1/${port}`]);
      server.close();
      return {
        held: outside === 1 ? reached === outside : null,
        code: reply.code,
        evidence: `a server on this machine saw ${outside} connections from outside, ${reached - outside} from inside`,
      };
    },
  },
  {
    name: 'login-shell',
    attack: 'keys of the user, read by a shell that is not confined',
    surface: 'terminal execute',
    open: 'a login shell may do what its user may: it is not confined unless it is started with "confined"',
    run: async (world) => {
      await mkdir(`${world.home}/.ssh`, { recursive: true });
      await writeFile(`${world.home}/.ssh/id_test`, PRIVATE);
      const reply = await world.desk([
        'terminal',
        'execute',
        `cat ${world.home}/.ssh/id_test`,
        '--tag',
        'login',
      ]);
      return withoutSecret(reply.shown, PRIVATE, reply.code);
    },
  },
  {
    attack: 'keys of the user, read by a confined terminal',
    surface: 'terminal execute --confined',
    run: async (world) => {
      const reply = await world.desk([
        'terminal',
        'execute',
        `cat ${world.home}/.ssh/id_test`,
        '--tag',
        'bound',
        '--confined',
      ]);
      return withoutSecret(reply.shown, PRIVATE, reply.code);
    },
  },
];
