import { z } from 'zod';
import { nearestNames } from '../../../model/text/nearest.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { invalidParams } from '../protocol-errors.ts';
import { ResourceNotFoundError } from '../sdk.ts';
import { isAddressable } from './address.ts';
import type { RunCommand } from './run-command.ts';

const Listed = z.object({
  apps: z.array(z.looseObject({ name: z.string(), pid: z.int(), accessible: z.boolean() })),
});

/** An application as named in resource URIs. */
export interface RunningApp {
  /** Its name, or its process id if the name is unsuitable. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly pid: number;
  readonly isAccessible: boolean;
}

const MAX_TITLE_LENGTH = 60;

export async function runningApps(run: RunCommand): Promise<readonly RunningApp[]> {
  const { output } = await run('list-apps', {});
  // A process may be listed more than once.
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
 * The application that a URI names, by exact name ignoring case, or by process id.
 * @throws ResourceNotFoundError if there is none, ProtocolError if there are several
 */
export async function requireApp(run: RunCommand, uri: string, requested: string): Promise<RunningApp> {
  const { output } = await run('list-apps', {});
  const { apps } = Listed.parse(output);
  const byPid = /^\d+$/.test(requested) ? apps.filter(({ pid }) => pid === Number(requested)) : [];
  const matches = byPid.length > 0 ? byPid : apps.filter(({ name }) => keyOf(name) === keyOf(requested));
  const [first] = matches;
  const pids = [...new Set(matches.map(({ pid }) => pid))];
  if (first !== undefined && pids.length === 1)
    return { name: requested, title: first.name, pid: first.pid, isAccessible: first.accessible };
  const shown = JSON.stringify(clip(reveal(requested), MAX_TITLE_LENGTH));
  if (first !== undefined) {
    const suggestion = `Use a process id: ${pids.slice(0, 10).join(', ')}.`;
    throw invalidParams(`${pids.length} applications are called ${shown}. ${suggestion}`, {
      code: 'AMBIGUOUS_APP',
      suggestion,
    });
  }
  const near = nearestNames(
    requested,
    apps.map(({ name }) => name),
  ).map((name) => JSON.stringify(clip(reveal(name), MAX_TITLE_LENGTH)));
  const hint =
    near.length === 0 ? 'Read deskterity://apps to see what is running.' : `Similar: ${near.join(', ')}.`;
  throw new ResourceNotFoundError(uri, `No running application is called ${shown}. ${hint}`);
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
