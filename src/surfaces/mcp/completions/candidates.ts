import type { OutputNode } from '../../../model/tree/node.ts';
import { parseRef } from '../../../model/refs/ref.ts';
import type { Role } from '../../../model/tree/role.ts';
import { clip } from '../../../model/text/untrusted-text.ts';
import type { RunCommand } from '../resources/run-command.ts';
import { frontTree, windowsOf } from '../resources/app-windows.ts';
import { requireApp, runningApps } from '../resources/running-apps.ts';

/** Roles of window regions that a person would name. */
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
/** Roles that are useful only with a name, because there are many. */
const NAMED_REGIONS: ReadonlySet<Role> = new Set<Role>(['group', 'tab', 'document']);
const DESTINATIONS: ReadonlySet<Role> = new Set<Role>([
  'menuitem',
  'menu',
  'tab',
  'link',
  'treeitem',
  'listitem',
]);

const MAX_NAME_LENGTH = 200;

/** Names of the running applications, as URIs and commands accept them. */
export async function applicationNames(run: RunCommand): Promise<readonly string[]> {
  return (await runningApps(run)).map(({ name }) => name);
}

/** Indexes of the windows of an application, for their URIs. */
export async function windowIndexes(run: RunCommand, app: string): Promise<readonly string[]> {
  const { pid } = await requireApp(run, '', app);
  return (await windowsOf(run, String(pid))).map((_, index) => String(index));
}

/** Names of the regions of an application's window: `toolbar`, with the region's own name if it has one. */
export async function regions(run: RunCommand, app: string): Promise<readonly string[]> {
  return elements(run, app, ({ role, name }) => {
    if (REGIONS.has(role)) return name === undefined ? role : `${name} ${role}`;
    return NAMED_REGIONS.has(role) ? name : undefined;
  });
}

/** Names of menu entries, tabs and other destinations. */
export async function destinations(run: RunCommand, app: string): Promise<readonly string[]> {
  return elements(run, app, ({ role, name }) => (DESTINATIONS.has(role) ? name : undefined));
}

export async function elementNames(run: RunCommand, app: string): Promise<readonly string[]> {
  return elements(run, app, ({ name }) => name);
}

export async function elementRefs(run: RunCommand, app: string): Promise<readonly string[]> {
  return elements(run, app, ({ ref }) =>
    ref !== undefined && parseRef(ref)?.kind === 'e' ? ref : undefined,
  );
}

/** The distinct results of `pick` for the elements of the front window, in document order. */
async function elements(
  run: RunCommand,
  app: string,
  pick: (node: OutputNode) => string | undefined,
): Promise<readonly string[]> {
  const { pid } = await requireApp(run, '', app);
  const found = new Set<string>();
  const { tree } = await frontTree(run, String(pid));
  const queue: OutputNode[] = [tree];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const text = pick(node)?.trim();
    if (text !== undefined && text !== '') found.add(clip(text, MAX_NAME_LENGTH));
    queue.push(...(node.children ?? []).toReversed());
  }
  return [...found];
}
