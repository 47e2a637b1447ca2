import { z } from 'zod';
import { nearestNames } from '../../../model/text/nearest.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '../sdk.ts';
import { isAddressable } from './address.ts';
import type { Ask } from './ask.ts';

const Listed = z.object({
  apps: z.array(z.looseObject({ name: z.string(), pid: z.int(), accessible: z.boolean() })),
});

/** An application as addresses of resources name it. */
export interface RunningApp {
  /** Its name, or its process id where the name would not do. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly pid: number;
  readonly isAccessible: boolean;
}

const MAX_TITLE_LENGTH = 60;

export async function runningApps(ask: Ask): Promise<readonly RunningApp[]> {
  const { output } = await ask('list-apps', {});
  // One process may stand in the registry more than once.
  const byPid = new Map(Listed.parse(output).apps.map((app) => [app.pid, app]));
  const count = new Map<string, number>();
  for (const { name } of byPid.values()) count.set(keyOf(name), (count.get(keyOf(name)) ?? 0) + 1);
  return [...byPid.values()].map(({ name, pid, accessible }) => {
    const isUnique = count.get(keyOf(name)) === 1 && isAddressable(name);
    const shown = name.trim() === '' ? String(pid) : clip(reveal(name), MAX_TITLE_LENGTH);
    return {
      name: isUnique ? name : String(pid),
      title: isUnique || shown === String(pid) ? shown : `${shown} (${pid})`,
      pid,
      isAccessible: accessible,
    };
  });
}

/**
 * The one application that an address names: whole name in any case, or process id.
 * @throws ResourceNotFoundError for none, ProtocolError for several
 */
export async function requireApp(ask: Ask, uri: string, wanted: string): Promise<RunningApp> {
  const { output } = await ask('list-apps', {});
  const { apps } = Listed.parse(output);
  const byPid = /^\d+$/.test(wanted) ? apps.filter(({ pid }) => pid === Number(wanted)) : [];
  const matches = byPid.length > 0 ? byPid : apps.filter(({ name }) => keyOf(name) === keyOf(wanted));
  const [first] = matches;
  const pids = [...new Set(matches.map(({ pid }) => pid))];
  if (first !== undefined && pids.length === 1)
    return { name: wanted, title: first.name, pid: first.pid, isAccessible: first.accessible };
  const shown = JSON.stringify(clip(reveal(wanted), MAX_TITLE_LENGTH));
  if (first !== undefined) {
    const suggestion = `Name the one you mean by its process id: ${pids.slice(0, 10).join(', ')}.`;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${pids.length} applications are called ${shown}. ${suggestion}`,
      { code: 'AMBIGUOUS_APP', suggestion },
    );
  }
  const near = nearestNames(
    wanted,
    apps.map(({ name }) => name),
  ).map((name) => JSON.stringify(clip(reveal(name), MAX_TITLE_LENGTH)));
  const hint =
    near.length === 0 ? 'Read deskterity://apps to see what is running.' : `Near: ${near.join(', ')}.`;
  throw new ResourceNotFoundError(uri, `No running application is called ${shown}. ${hint}`);
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
