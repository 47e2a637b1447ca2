import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectCode } from '../../tests/e2e/support/kill-round.ts';
import { World } from '../../tests/e2e/support/kill-world.ts';

const CLEAN_LIMIT_MS = 15_000;

/** A user without a desktop: every session that it uses is private. */
export function privateWorld(program: string): World {
  const bare = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', SHELL: '/bin/bash' };
  const world = new World(program, bare);
  mkdirSync(projectOf(world));
  return world;
}

/** A folder for confined commands: the world's own holds files of the program, which no sandbox may include. */
export function projectOf(world: World): string {
  return join(world.folder, 'p');
}

/** Ends everything as a user would. @returns what is left behind then */
export async function endWorld(world: World): Promise<string[]> {
  expectCode(await world.desk('daemon', 'stop'), 0);
  // Holders outlive the daemon on purpose, until they have been idle for a while.
  for (const { pid, command } of world.members())
    if (command.includes('/holder.js ')) process.kill(pid, 'SIGTERM');
  const left = (await world.untilClean('nothing', CLEAN_LIMIT_MS)).filter(
    (each) => each !== 'runtime shells',
  );
  return [...left, ...shellsOf(world).map((name) => `the files of the shell ${name}`)];
}

/** Each terminal has a folder while it runs; theirs stays, empty. */
function shellsOf(world: World): readonly string[] {
  const folder = join(world.folder, 'r/deskterity/shells');
  return existsSync(folder) ? readdirSync(folder) : [];
}
