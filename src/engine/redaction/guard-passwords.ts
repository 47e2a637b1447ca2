import { isPassword, SeenPasswords } from '../../model/redaction/seen-passwords.ts';
import { withoutPasswords, withProtected } from '../../model/redaction/without-passwords.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails, TreeResult } from '../../ports/desktop/elements.ts';

const guards = new WeakMap<DesktopPort, DesktopPort>();

/**
 * The desktop without what password fields contain, for all who read it: the same one for each desktop, so that all sessions know the fields that
 * any of them has seen.
 */
export function guardPasswords(desktop: DesktopPort): DesktopPort {
  const known = guards.get(desktop);
  if (known !== undefined) return known;
  const guard = guarded(desktop, new SeenPasswords());
  guards.set(desktop, guard);
  guards.set(guard, guard);
  return guard;
}

function guarded(desktop: DesktopPort, seen: SeenPasswords): DesktopPort {
  const ownSeat = desktop.ownSeat && guarded(desktop.ownSeat, seen);
  /** Platforms return the same tree again as long as nothing in it changes, and so does this. */
  const clean = new WeakMap<TreeNode, { readonly version: number; readonly root: TreeNode }>();
  const cleaned = (root: TreeNode): TreeNode => {
    const known = clean.get(root);
    if (known?.version === seen.version) return known.root;
    const made = withoutPasswords(root, seen);
    clean.set(root, { version: seen.version, root: made });
    return made;
  };
  const own: Pick<DesktopPort, 'readTree' | 'describe'> = {
    readTree: async (request): Promise<TreeResult> => {
      const read = await desktop.readTree(request);
      const root = cleaned(read.root);
      return root === read.root ? read : { ...read, root };
    },
    describe: async (node, options) => cleanDetails(await desktop.describe(node, options), seen),
  };
  return new Proxy(desktop, {
    get: (target, key): unknown => {
      if (key === 'readTree') return own.readTree;
      if (key === 'describe') return own.describe;
      if (key === 'ownSeat') return ownSeat;
      const value: unknown = Reflect.get(target, key, target);
      return value;
    },
  });
}

function cleanDetails(node: NodeDetails, seen: SeenPasswords): NodeDetails {
  const isKnown = seen.has(handleKey(node.handle));
  if (!isKnown && !isPassword(node)) return node;
  if (!isKnown)
    seen.note(node, node.parent === undefined ? '' : handleKey(node.parent), node.indexInParent ?? -1);
  const { value, text, range: _range, ...rest } = node;
  // One that shows its text now is judged by as much as one that does not.
  const maskedLength = node.maskedLength ?? (node.states.includes('protected') ? undefined : text?.length);
  const contents = new Set([value, text].filter((content) => content !== undefined && content !== ''));
  const { description } = rest;
  return {
    ...rest,
    name: contents.has(rest.name) ? '' : rest.name,
    ...(description === undefined || !contents.has(description) ? {} : { description: '' }),
    attributes: Object.fromEntries(
      Object.entries(node.attributes).filter(([, attribute]) => !contents.has(attribute)),
    ),
    states: withProtected(node.states),
    ...(maskedLength === undefined ? {} : { maskedLength }),
  };
}
