import { setTimeout as sleep } from 'node:timers/promises';
import { theLedger } from './ledger.ts';
import { McpClient } from './mcp-client.ts';
import type { Attack, Outcome } from './row.ts';
import { DENIED } from './way.ts';
import type { World } from './world.ts';

const OWN_SETTINGS_MS = 1100;

/** Calls until one is refused. */
function limited(
  attack: string,
  surface: string,
  settings: string,
  call: (world: World, at: number) => Promise<{ code: string }>,
): Attack {
  return {
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      await theLedger(world);
      return world.withFile('config.toml', `[rate_limit]\n${settings}\n`, async () => {
        // The daemon reads its own settings again after a second.
        if (settings.startsWith('all_')) await sleep(OWN_SETTINGS_MS);
        for (let at = 0; at < 12; at += 1) {
          const { code } = await call(world, at);
          if (code === 'RATE_LIMITED') return { held: true, code, evidence: `refused at call ${at + 1}` };
        }
        return { held: false, evidence: 'twelve calls, although four a minute are allowed' };
      });
    },
  };
}

const set = ['clipboard', 'set', 'x'] as const;

export const limits: readonly Attack[] = [
  limited('more calls than are allowed', 'one session', 'rpm = 4', (world) =>
    world.desk([...set, '--session', 'limit-one']),
  ),
  limited('a limit evaded by a variable', 'one session', 'rpm = 4', (world) =>
    world.desk([...set, '--session', 'limit-two'], { DESKTERITY_RATE_LIMIT_RPM: '0' }),
  ),
  limited('a limit evaded by steps of one call', 'batch of do', 'rpm = 4', async (world) => {
    const steps = Array.from({ length: 12 }, () => 'clipboard set x');
    const reply = await world.desk(['do', ...steps, '--session', 'limit-three']);
    return { code: reply.shown.includes('RATE_LIMITED') ? 'RATE_LIMITED' : reply.code };
  }),
  limited('a limit evaded by many sessions', 'many sessions', 'all_rpm = 4', (world, at) =>
    world.desk([...set, '--session', `limit-many-${at}`]),
  ),
  limited('a limit evaded by steps of a workflow', 'workflow', 'rpm = 4', async (world) => {
    const step = { command: 'clipboard set', input: { text: 'x' } };
    const steps = JSON.stringify(Array.from({ length: 12 }, () => step));
    const reply = await world.desk(['workflow', '--steps', steps, '--session', 'limit-workflow']);
    return { code: reply.shown.includes('RATE_LIMITED') ? 'RATE_LIMITED' : reply.code };
  }),
  limited('a limit evaded by lines of one connection', 'batch', 'rpm = 4', async (world) => {
    const line = JSON.stringify({ args: [...set], session: 'limit-batch' });
    const reply = await world.desk(['batch'], {}, `${line}\n`.repeat(12));
    return { code: reply.shown.includes('RATE_LIMITED') ? 'RATE_LIMITED' : reply.code };
  }),
  limited('a limit evaded by two ways at once', 'command line and MCP', 'all_rpm = 4', async (world, at) => {
    if (at % 2 === 0) return world.desk([...set, '--session', 'limit-two-ways']);
    const client = await world.client('--toolsets', 'all');
    const { text } = await client.call('desktop_clipboard_set', { text: 'x' });
    return { code: text.includes('RATE_LIMITED') ? 'RATE_LIMITED' : 'ok' };
  }),
  limited('a limit evaded by many MCP clients', 'MCP', 'all_rpm = 4', async (world) => {
    const place = { environment: world.environment, cwd: world.project };
    const client = await McpClient.start(process.execPath, [world.entry, 'mcp', '--toolsets', 'all'], place);
    try {
      const { text } = await client.call('desktop_clipboard_set', { text: 'x' });
      return { code: text.includes('RATE_LIMITED') ? 'RATE_LIMITED' : 'ok' };
    } finally {
      client.stop();
    }
  }),
  limited('attempts on a denied application that do not count', 'one session', 'rpm = 4', async (world) => {
    const ledger = await theLedger(world);
    const click = ['click', `app:${ledger.app} >> role:button`, '--session', 'limit-denied'];
    return world.withFile('policy.toml', DENIED, () => world.desk(click));
  }),
  {
    ...limited('a limit evaded by processes without the daemon', '--no-daemon', 'all_rpm = 4', (world, at) =>
      world.desk([...set, '--no-daemon', '--session', `limit-alone-${at}`]),
    ),
    name: 'no-daemon',
    open: 'each process counts for itself; what they do is recorded',
  },
];
