import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import type { Member } from '../../../tests/e2e/support/kill-world.ts';

const LIMITS = { deadlineMs: 5000 };
const Rules = z.tuple([z.map(z.string(), z.array(z.string()))]);
const Names = z.tuple([z.array(z.string())]);

/** What clients hold on the session bus and accessibility bus of each desktop; the connection that asks is not counted. */
export async function busFacts(
  members: readonly Member[],
): Promise<{ readonly matchRules: number; readonly busConnections: number }> {
  let [matchRules, busConnections] = [0, 0];
  for (const address of addresses(members)) {
    const bus = await BusConnection.connect(address, LIMITS);
    try {
      const [rules] = Rules.parse(await ask(bus, 'org.freedesktop.DBus.Debug.Stats', 'GetAllMatchRules'));
      const [names] = Names.parse(await ask(bus, 'org.freedesktop.DBus', 'ListNames'));
      matchRules += [...rules.values()].reduce((sum, each) => sum + each.length, 0);
      busConnections += names.filter((name) => name.startsWith(':')).length - 1;
    } finally {
      bus.close();
    }
  }
  return { matchRules, busConnections };
}

function ask(bus: BusConnection, name: string, member: string): Promise<unknown> {
  const path = '/org/freedesktop/DBus';
  return bus.call({ destination: 'org.freedesktop.DBus', path, interface: name, member }, LIMITS);
}

/** From the command lines of the buses, as both have their addresses there or in a file beside them. */
function addresses(members: readonly Member[]): readonly string[] {
  return members
    .filter(({ command }) => /(?:^|\/)dbus-daemon /.test(command))
    .flatMap(({ command }) => {
      const given = /--address=(\S+)/.exec(command)?.[1];
      const file = /--config-file=(\S+session-bus\.conf)/.exec(command)?.[1];
      const listened = file && /<listen>([^<]+)<\/listen>/.exec(readFileSync(file, 'utf8'))?.[1];
      return [given ?? listened ?? ''].filter((address) => address !== '');
    });
}
