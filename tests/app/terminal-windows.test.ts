import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { guarding } from '../../src/app/guarding.ts';
import type { Policy } from '../../src/model/policy/verdict.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { LINUX_TERMINAL_APPLICATIONS } from '../../src/platform/linux/terminal-applications/linux-terminal-applications.ts';
import { underPolicy } from '../../src/policy/current-policy.ts';
import type { LaunchRequest } from '../../src/ports/desktop/windows.ts';
import type { Attachments } from '../../src/terminal/sessions/attachments.ts';
import { ApplicationWindows } from '../../src/terminal/windows/application-windows.ts';
import { app, stage, windowWith } from '../engine/support/stage.ts';
import { policy } from '../policy/policy-of.ts';
import { factsOf } from '../terminal/support/fake-terminals.ts';
import { FakeTerminals } from '../terminal/support/fake-terminals.ts';

const TERMINAL = factsOf({ projectPath: '/project', tag: 'server' });
const SIGNAL = new AbortController().signal;
const VAULT_PID = 200;
const VAULT_WINDOW = 0x77;

const folder = mkdtempSync(join(tmpdir(), 'terminal-windows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const denied = (...names: readonly string[]): Policy => policy({ applications: { denied: names } });

/** A desktop with a vault, and a caller whose variables and settings choose what shows its terminals. */
async function world({
  app: chosen,
  variables = {},
  attachedWith,
}: {
  readonly app: 'kitty' | 'xterm' | 'tmux' | 'auto';
  readonly variables?: Record<string, string>;
  readonly attachedWith?: Record<string, string>;
}) {
  const { desktop } = await stage([
    app({ id: 'vault', name: 'Vault', pid: VAULT_PID, windows: [windowWith([], { id: 'x11:0x77' })] }),
  ]);
  const ran: string[] = [];
  const raised: string[] = [];
  desktop.launch = async (request: LaunchRequest) => {
    ran.push(request.app);
    return Promise.reject(new Error('stopped where it was launched'));
  };
  desktop.resolveLaunch = async ({ app: program, args }) => ({ command: [program, ...args] });
  desktop.controlWindow = async (id) => {
    raised.push(id);
    return Promise.reject(new Error('stopped where it was raised'));
  };
  const { forTerminals, requireLaunchable } = guarding({
    caller: { environment: {}, cwd: '/' },
    platform: {
      programFacts: async () => ({
        ofProcess: async (pid) => ({
          executable: pid === VAULT_PID ? '/usr/bin/vault' : undefined,
          otherNames: [],
        }),
        ofCommand: async ([program = '']) => ({ executable: program, otherNames: [] }),
        ofApplication: async () => ({ otherNames: [] }),
        lineageOf: async () => [],
        keyOf: async () => undefined,
      }),
    },
  });
  const environment = { PATH: '/bin', DISPLAY: ':7', HOME: folder, ...variables };
  const attachment = {
    terminalId: TERMINAL.id,
    pid: 300,
    environment: attachedWith ?? {},
    window: undefined,
  };
  const attachments: Pick<Attachments, 'of' | 'arrival'> = {
    of: () => (attachedWith === undefined ? [] : [attachment]),
    arrival: async () => undefined,
  };
  const windows = new ApplicationWindows({
    environment: async () => environment,
    settings: { app: chosen, windowGrouping: 'project' },
    terminals: async () => new FakeTerminals(),
    attachments,
    desktopOf: async () => forTerminals(desktop),
    requireLaunchable,
    machine: {
      applications: LINUX_TERMINAL_APPLICATIONS,
      socketFolder: () => folder,
      processes: { residentBytes: async () => undefined, startingVariable: async () => undefined },
      programs: {
        find: (name) => `/bin/${name}`,
        isExecutable: () => true,
        run: async (command) => {
          ran.push(command.join(' '));
          return { exitCode: 1, stdout: '', stderr: '' };
        },
      },
    },
    clock: createClock(),
    isDaemon: true,
    program: ['/bin/node', '/desk.cjs'],
  });
  return { windows, ran, raised };
}

describe('the application that shows a terminal is judged like one that is launched', () => {
  it.each([
    ['chosen by a setting', { app: 'kitty' }, 'kitty'],
    ['chosen by a variable', { app: 'auto', variables: { TMUX: '/tmp/tmux/default,1,0' } }, 'tmux'],
    ['chosen because it is there', { app: 'xterm' }, '/bin/xterm'],
  ] as const)('%s', async (_, chosen, name) => {
    const { windows, ran } = await world(chosen);
    const refused = { code: 'POLICY_DENIED', delivered: false };
    const under = denied(name);
    await expect(underPolicy(under, () => windows.attach(TERMINAL, SIGNAL))).rejects.toMatchObject(refused);
    await expect(underPolicy(under, () => windows.focus(TERMINAL, SIGNAL))).rejects.toMatchObject(refused);
    await expect(underPolicy(under, () => windows.requireShowing(TERMINAL))).rejects.toMatchObject(refused);
    expect(ran).toEqual([]);
  });

  it('what a list of allowed applications does not name is not started, whatever it is called', async () => {
    const { windows, ran } = await world({ app: 'xterm' });
    const only = policy({ applications: { allowed: ['/usr/bin/xterm'] } });
    await expect(underPolicy(only, () => windows.attach(TERMINAL, SIGNAL))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(ran).toEqual([]);
  });

  it('the file that was judged is the one that is started', async () => {
    const { windows, ran } = await world({ app: 'kitty' });
    await expect(underPolicy(denied('vault'), () => windows.attach(TERMINAL, SIGNAL))).rejects.toThrow(
      'where it was launched',
    );
    expect(ran.map((command) => command.split(' ')[0])).toEqual(['/bin/kitty', '/bin/kitty']);
  });
});

it('the terminal of a client over HTTP is denied, once it has connected', async () => {
  const { desktop } = await stage([app({ id: 'term', name: 'Term', pid: 400, windows: [windowWith([])] })]);
  const asked: unknown[] = [];
  const { guarded, notePeer } = guarding({
    caller: { environment: {}, cwd: '/' },
    platform: {
      programFacts: async () => ({
        ofProcess: async () => ({ otherNames: [] }),
        ofCommand: async () => ({ otherNames: [] }),
        ofApplication: async () => ({ otherNames: [] }),
        lineageOf: async (pid) => [
          [
            { pid, key: '1', isInTerminal: true },
            { pid: 400, key: '1' },
          ],
        ],
        keyOf: async () => '1',
      }),
      tcpPeers: async (connection) => {
        asked.push(connection);
        return [300];
      },
    },
  });
  const shown = () => underPolicy(policy({}), () => guarded(desktop).listApps({ deadlineMs: 5000 }));
  expect(await shown()).toMatchObject([{ name: 'Term' }]);
  expect((await shown())[0]?.isDenied).toBeUndefined();
  const connection = { localAddress: '::1', localPort: 1, remoteAddress: '::1', remotePort: 2 };
  await notePeer(connection);
  expect(asked).toEqual([connection]);
  expect(await shown()).toMatchObject([{ isDenied: true, reason: expect.stringContaining('own terminal') }]);
});

describe('a window that an attachment names', () => {
  const attachedWith = { DISPLAY: ':7', WINDOWID: String(VAULT_WINDOW) };

  it('is not raised if it is that of a denied application', async () => {
    const { windows, raised } = await world({ app: 'xterm', attachedWith });
    await expect(
      underPolicy(denied('/usr/bin/vault'), () => windows.focus(TERMINAL, SIGNAL)),
    ).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(raised).toEqual([]);
  });

  it('is raised otherwise', async () => {
    const { windows, raised } = await world({ app: 'xterm', attachedWith });
    await expect(
      underPolicy(denied('/usr/bin/other'), () => windows.focus(TERMINAL, SIGNAL)),
    ).rejects.toThrow('where it was raised');
    expect(raised).toEqual(['x11:0x77']);
  });

  it('is not asked for through a program that is denied', async () => {
    const { windows, ran } = await world({
      app: 'xterm',
      attachedWith: { TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: '%1' },
    });
    await expect(underPolicy(denied('tmux'), () => windows.focus(TERMINAL, SIGNAL))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(ran).toEqual([]);
  });
});
