import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Something at a path that is not a regular file. */
export interface NotFile {
  readonly path: string;
  /** What messages call it. */
  readonly kind: string;
}

/**
 * Makes everything below `folder` that must never be replaced, and links to each. Devices are left out: a fault would destroy those of the
 * machine.
 * @returns them, and a function that ends what holds them open
 */
export async function makeNotFiles(
  folder: string,
): Promise<{ readonly notFiles: readonly NotFile[]; readonly close: () => void }> {
  const at = (name: string) => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(at('socket'), resolve));
  const things = [
    { path: at('pipe'), kind: 'a named pipe' },
    { path: at('folder'), kind: 'a folder' },
    { path: at('socket'), kind: 'a socket' },
  ];
  const links = things.map(({ path, kind }) => {
    symlinkSync(path, `${path}-link`);
    return { path: `${path}-link`, kind: `a link to ${kind}` };
  });
  symlinkSync(at('nothing'), at('lost-link'));
  const lost = { path: at('lost-link'), kind: 'a link to a file that does not exist' };
  return { notFiles: [...things, ...links, lost], close: () => void server.close() };
}

/** Changes if the path is replaced. */
export function fingerprint(path: string): string {
  const { dev, ino, mode, ctimeMs } = lstatSync(path);
  const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : '';
  return [dev, ino, mode, ctimeMs, target].join(' ');
}
