import { lstatSync, readlinkSync } from 'node:fs';
import { isMissing } from '../../../../model/error-code.ts';

/** The thread that resolves a path: `/proc/self` depends on it. */
export interface Walker {
  readonly process: number;
  readonly thread: number;
}

export interface Place {
  /** Absolute, with all links resolved as the kernel would. */
  readonly path: string;
  readonly parent: string;
  readonly exists: boolean;
  readonly parentExists: boolean;
}

/** The kernel's limit. */
const MOST_LINKS = 40;

/**
 * Resolves a path as the kernel does for another process.
 * @param follow whether to follow a link at the end
 * @returns `undefined` if it cannot be resolved from here, or is not a file but a pipe or socket
 */
export function walk(path: string, from: string, walker: Walker, follow: boolean): Place | undefined {
  const parts = (path.startsWith('/') ? path : `${from}/${path}`)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const mustBeFolder = path.endsWith('/');
  let done: string[] = [];
  let links = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (part === '..') {
      done.pop();
      continue;
    }
    const here = `/${[...done, part].join('/')}`;
    const isLast = parts.length === 0;
    const kind = kindOf(here);
    if (kind === 'hidden') return undefined;
    if (kind === 'missing')
      return {
        path: [here, ...parts].join('/'),
        parent: folderOf(here),
        exists: false,
        parentExists: isLast,
      };
    if (kind !== 'link' || (isLast && !follow && !mustBeFolder)) {
      done.push(part);
      continue;
    }
    links += 1;
    const target = targetOf(here, walker);
    if (links > MOST_LINKS || target === undefined) return undefined;
    if (target.startsWith('/')) done = [];
    parts.unshift(...target.split('/').filter((piece) => piece !== '' && piece !== '.'));
  }
  const found = `/${done.join('/')}`;
  return { path: found, parent: folderOf(found), exists: true, parentExists: true };
}

function kindOf(path: string): 'link' | 'other' | 'missing' | 'hidden' {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'other';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'hidden';
  }
}

function targetOf(link: string, walker: Walker): string | undefined {
  if (link === '/proc/self') return `/proc/${walker.process}`;
  if (link === '/proc/thread-self') return `/proc/${walker.process}/task/${walker.thread}`;
  try {
    const target = readlinkSync(link);
    // Links in /proc to objects without a path: "pipe:[123]", "anon_inode:…", "/memfd:name (deleted)".
    return /^\w+:\[|^anon_inode:|\(deleted\)$/.test(target) ? undefined : target;
  } catch {
    return undefined;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
