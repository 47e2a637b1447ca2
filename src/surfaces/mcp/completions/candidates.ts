import { z } from 'zod';
import { OutputNode } from '../../../model/tree/node.ts';
import { parseRef } from '../../../model/refs/ref.ts';
import type { Role } from '../../../model/tree/role.ts';
import { clip } from '../../../model/text/untrusted-text.ts';
import type { Ask } from '../resources/ask.ts';
import { windowsOf } from '../resources/app-windows.ts';
import { requireApp, runningApps } from '../resources/running-apps.ts';

const Snapshot = z.object({ tree: OutputNode });

/** Parts of a window that a person would name. */
const REGIONS: ReadonlySet<Role> = new Set<Role>([
  'alert',
  'alertdialog',
  'dialog',
  'form',
  'grid',
  'landmark',
  'list',
  'listbox',
  'menu',
  'menubar',
  'radiogroup',
  'status',
  'table',
  'tablist',
  'tabpanel',
  'toolbar',
  'tree',
  'treegrid',
]);
/** Panels and groups are many, and only those with names are of use. */
const NAMED_REGIONS: ReadonlySet<Role> = new Set<Role>(['group', 'tab', 'document']);
const PLACES: ReadonlySet<Role> = new Set<Role>(['menuitem', 'menu', 'tab', 'link', 'treeitem', 'listitem']);

const MAX_NAME_LENGTH = 200;

/** Names of the running applications, as addresses and commands take them. */
export async function applicationNames(ask: Ask): Promise<readonly string[]> {
  return (await runningApps(ask)).map(({ name }) => name);
}

/** Numbers of the windows of an application, for the address of one. */
export async function windowIndexes(ask: Ask, app: string): Promise<readonly string[]> {
  const { pid } = await requireApp(ask, '', app);
  return (await windowsOf(ask, String(pid))).map((_, index) => String(index));
}

/** Names of the parts of an application's window: `toolbar`, or its own name where it has one. */
export async function regions(ask: Ask, app: string): Promise<readonly string[]> {
  return elements(ask, app, ({ role, name }) => {
    if (REGIONS.has(role)) return name === undefined ? role : `${name} ${role}`;
    return NAMED_REGIONS.has(role) ? name : undefined;
  });
}

/** Names of menu entries, tabs and the like. */
export async function places(ask: Ask, app: string): Promise<readonly string[]> {
  return elements(ask, app, ({ role, name }) => (PLACES.has(role) ? name : undefined));
}

export async function elementNames(ask: Ask, app: string): Promise<readonly string[]> {
  return elements(ask, app, ({ name }) => name);
}

export async function elementRefs(ask: Ask, app: string): Promise<readonly string[]> {
  return elements(ask, app, ({ ref }) =>
    ref !== undefined && parseRef(ref)?.kind === 'e' ? ref : undefined,
  );
}

/** What `pick` gives for each element of the front window, in document order, each once. */
async function elements(
  ask: Ask,
  app: string,
  pick: (node: OutputNode) => string | undefined,
): Promise<readonly string[]> {
  const { pid } = await requireApp(ask, '', app);
  const { output } = await ask('snapshot', { app: String(pid) });
  const found = new Set<string>();
  const queue: OutputNode[] = [Snapshot.parse(output).tree];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const text = pick(node)?.trim();
    if (text !== undefined && text !== '') found.add(clip(text, MAX_NAME_LENGTH));
    queue.push(...(node.children ?? []).toReversed());
  }
  return [...found];
}
