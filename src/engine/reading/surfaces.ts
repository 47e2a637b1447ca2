import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import type { Surface, SurfaceKind } from '../../model/refs/surface.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { DesktopPopup, DesktopWindow } from '../../ports/desktop/windows.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { frontmost } from '../refs/scope.ts';
import { windowKey } from '../refs/window-identity.ts';
import type { SurfacesRequest, SurfacesResult } from '../requests/reading.ts';
import { readWindowTree } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { EngineParts } from './engine-parts.ts';
import {
  fills,
  kindOfPopup,
  nodeInPopup,
  surfacesIn,
  usableInside,
  type SurfaceNode,
} from './surface-nodes.ts';

/** More windows than anyone has open. */
const MOST_WINDOWS = 40;
const DIALOGS = roleSet('dialog', 'alertdialog');
const NOT_DESCRIBED = 'the application does not describe it';

interface Read {
  readonly window: DesktopWindow;
  readonly root: TreeNode | undefined;
  readonly reasons: readonly string[];
}

/**
 * What is open over the windows of an application, or of all: dialogs, what their trees show as open, and the popups that the display shows, whether or
 * not their application describes them.
 */
export async function listSurfaces(parts: EngineParts, request: SurfacesRequest): Promise<SurfacesResult> {
  const { desktop, scope, session } = parts;
  const { app, deadlineMs, signal, mirrored } = request;
  const call = { deadlineMs, signal };
  const pid = app === undefined ? undefined : (await scope.app(app, call)).pid;
  const [windows, popups] = await Promise.all([
    desktop.listWindows({ ...call, pid }),
    desktop.listPopups(call),
  ]);
  const shown = windows.filter(({ minimized }) => !minimized).slice(0, MOST_WINDOWS);
  const read = await Promise.all(
    shown.map(async (window): Promise<Read> => {
      if (window.root === undefined) return { window, root: undefined, reasons: [] };
      try {
        const tree = await readWindowTree(desktop, window, { ...call, wholeTree: false, mirrored });
        return { window, root: tree.root, reasons: tree.incompleteReasons };
      } catch (error) {
        if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
        return { window, root: undefined, reasons: [error.message] };
      }
    }),
  );
  const theirs = popups.filter((popup) => pid === undefined || popup.pid === pid);
  const surfaces = await session.edit((table) => [
    ...read.flatMap((one) => ofWindow(one, read, table)),
    ...ofDisplay(theirs, read, table),
  ]);
  return { surfaces, incompleteReasons: [...new Set(read.flatMap(({ reasons }) => reasons))] };
}

/** The window itself, if it is a dialog, and what is open in it. */
function ofWindow({ window, root }: Read, all: readonly Read[], table: RefTable): Surface[] {
  const owner = all.find(({ window: { id } }) => id === window.transientFor)?.window;
  const isDialog =
    window.modal === true ||
    window.transientFor !== undefined ||
    (root !== undefined && DIALOGS.has(root.role));
  const own: Surface[] = !isDialog
    ? []
    : [
        {
          ref: table.refForWindow(window),
          kind: 'dialog',
          title: clip(window.title, LONGEST_TITLE),
          ...appOf(window),
          ...(owner === undefined ? {} : { window: table.refForWindow(owner) }),
          modal: window.modal === true,
          ...(root === undefined ? {} : { items: usableInside(root) }),
          ...(window.bounds === undefined ? {} : { bounds: window.bounds }),
        },
      ];
  if (root === undefined) return own;
  const index = new TreeIndex(root);
  const refs = new Map<SurfaceNode, string>();
  const inside = surfacesIn(root).map((found): Surface => {
    const ref = table.refForElement(index.describe(found.node, windowKey(window)));
    refs.set(found, ref);
    return described(found.node, {
      ref,
      kind: found.kind,
      title: found.title,
      window,
      table,
      inside: found.inside && refs.get(found.inside),
    });
  });
  return [...own, ...inside];
}

/** Popups of the display that no tree names as open. */
function ofDisplay(popups: readonly DesktopPopup[], all: readonly Read[], table: RefTable): Surface[] {
  const known = all.flatMap(({ root }) => (root === undefined ? [] : surfacesIn(root)));
  return popups.flatMap((popup): Surface[] => {
    const isKnown = known.some(({ node, kind }) => kind !== 'sheet' && isDrawnIn(node, popup));
    if (isKnown) return [];
    const own = all.filter(({ window }) => popup.pid === undefined || window.pid === popup.pid);
    const holder = own.find(
      ({ root }) => root !== undefined && nodeInPopup([root], popup.bounds) !== undefined,
    );
    const front = frontmost(own.map(({ window }) => window));
    const owner =
      holder?.window ?? own.find(({ window }) => window.id === popup.transientFor)?.window ?? front;
    // Nothing that is listed owns it, such as a panel.
    if (owner === undefined) return [];
    const node = holder?.root && nodeInPopup([holder.root], popup.bounds);
    const kind = kindOfPopup(node, popup);
    if (node === undefined || holder?.root === undefined)
      return [
        {
          kind,
          title: '',
          ...appOf(owner),
          window: table.refForWindow(owner),
          modal: false,
          bounds: popup.bounds,
          reason: NOT_DESCRIBED,
        },
      ];
    const ref = table.refForElement(new TreeIndex(holder.root).describe(node, windowKey(owner)));
    return [described(node, { ref, kind, title: node.name, window: owner, table, inside: undefined })];
  });
}

/** A menu of a menu bar has the place of its entry; its items are in the popup. */
function isDrawnIn(node: TreeNode, { bounds }: DesktopPopup): boolean {
  if (node.bounds !== undefined && fills(node.bounds, bounds)) return true;
  // GTK 4 reports a tooltip in another place than where it shows.
  if (node.bounds !== undefined && node.role === 'tooltip')
    return fills({ ...node.bounds, x: bounds.x, y: bounds.y }, bounds);
  const places = node.children.flatMap((child) => child.bounds ?? []);
  return places.some(({ x, y, width, height }) => {
    const middle = { x: x + width / 2, y: y + height / 2 };
    const isBeside = middle.x < bounds.x || middle.x > bounds.x + bounds.width;
    return !isBeside && middle.y >= bounds.y && middle.y <= bounds.y + bounds.height;
  });
}

function described(
  node: TreeNode,
  facts: {
    readonly ref: string;
    readonly kind: SurfaceKind;
    readonly title: string;
    readonly window: DesktopWindow;
    readonly table: RefTable;
    readonly inside: string | undefined;
  },
): Surface {
  const { ref, kind, title, window, table, inside } = facts;
  return {
    ref,
    kind,
    title: clip(title, LONGEST_TITLE),
    ...appOf(window),
    window: table.refForWindow(window),
    modal: node.states.includes('modal'),
    ...(inside === undefined ? {} : { inside }),
    ...(kind === 'tooltip' ? {} : { items: usableInside(node) }),
    ...(node.bounds === undefined ? {} : { bounds: node.bounds }),
  };
}

function appOf({ appName, pid }: DesktopWindow): Pick<Surface, 'app' | 'pid'> {
  return { app: clip(appName, LONGEST_TITLE), pid };
}

/**
 * The one surface of a kind that is open; of several, the one that contains the others.
 * @throws DeskterityError ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET with the surfaces of this kind
 */
export async function requireSurface(
  parts: EngineParts,
  kind: SurfaceKind,
  request: SurfacesRequest,
): Promise<string> {
  const { surfaces } = await listSurfaces(parts, request);
  const candidates = surfaces.flatMap(({ ref, kind: role, title, pid }) =>
    ref === undefined ? [] : [{ ref, role, name: title, pid }],
  );
  const ofKind = surfaces.filter((surface) => surface.kind === kind && surface.ref !== undefined);
  const outer = ofKind.filter(({ inside }) => !ofKind.some(({ ref }) => ref === inside));
  const [only] = outer;
  if (only?.ref !== undefined && outer.length === 1) return only.ref;
  if (only !== undefined)
    throw new DeskterityError(
      'AMBIGUOUS_TARGET',
      `${outer.length} surfaces of the kind "${kind}" are open.`,
      {
        suggestion: `Give the reference of the one you mean, or ${mentionParameter('app')}.`,
        candidates: candidates.filter(({ ref }) => outer.some((surface) => surface.ref === ref)).slice(0, 10),
      },
    );
  const hidden = surfaces.some((surface) => surface.kind === kind);
  throw new DeskterityError(
    'ELEMENT_NOT_FOUND',
    hidden ? `A ${kind} is open, but its application does not describe it.` : `No ${kind} is open.`,
    {
      suggestion: hidden
        ? `Look at it with ${mentionCommand('screenshot')}.`
        : `See what is open with ${mentionCommand('list-surfaces')}.`,
      candidates: candidates.slice(0, 10),
      retryable: true,
    },
  );
}
