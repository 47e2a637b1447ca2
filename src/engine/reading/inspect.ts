import { shownName } from '../../model/tree/shown-name.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import { isInteractive, shownRole } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { windowKey } from '../refs/window-identity.ts';
import type { AppRequest, ElementInfo, RefRequest, ScopedRequest, TreeStats } from '../requests/reading.ts';
import { isInView } from '../tree/element-states.ts';
import { contentOf, NAMED_BY_CONTENT } from '../tree/content-name.ts';
import { focusIn } from '../tree/focus.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { EngineParts } from './engine-parts.ts';
import { readWindow } from './observe.ts';

/** Everything about one element, for `get` and `is`. */
export async function describeElement(
  { desktop, resolver }: EngineParts,
  request: RefRequest,
): Promise<ElementInfo> {
  return describeTarget(desktop, await resolver.resolve(request.ref, request), request);
}

/** Like {@link describeElement}, for a resolved element. */
export async function describeTarget(
  desktop: DesktopPort,
  resolved: ResolvedTarget,
  options: CallOptions,
): Promise<ElementInfo> {
  const info = elementInfo(resolved);
  if (info.text !== '' || !NAMED_BY_CONTENT.has(info.node.role)) return info;
  const content = await contentOf(desktop, resolved.node.handle, options);
  if (content === '') return info;
  return { ...info, node: { ...info.node, name: content, name_from: 'content' }, text: content };
}

function elementInfo({ ref, record, node }: Pick<ResolvedTarget, 'ref' | 'record' | 'node'>): ElementInfo {
  const name = node.name === '' ? record.name : node.name;
  const isProtected = node.states.includes('protected');
  return {
    node: toOutput(ref, {
      ...node,
      name,
      role: shownRole({ role: node.role, name }, record.trail.at(-1)?.role),
    }),
    text: isProtected
      ? undefined
      : (node.text ?? (node.value !== undefined && node.value !== '' ? node.value : name)),
    attributes: attributesOf(node),
    allStates: node.states,
    onScreen: isInView(node),
  };
}

function toOutput(ref: string, node: NodeDetails): OutputNode {
  const name = shownName(node);
  return {
    ref,
    ...(node.source === undefined ? {} : { source: node.source }),
    role: node.role,
    ...(name === '' ? {} : { name }),
    ...(node.value === undefined || node.value === '' ? {} : { value: node.value }),
    ...(node.description ? { description: node.description } : {}),
    ...(node.identifier ? { identifier: node.identifier } : {}),
    ...(node.states.length === 0 ? {} : { states: [...node.states] }),
    ...(node.bounds ? { bounds: node.bounds } : {}),
    ...(node.actions && node.actions.length > 0 ? { actions: [...node.actions] } : {}),
  };
}

function attributesOf(node: NodeDetails): Record<string, unknown> {
  return {
    native_role: node.nativeRole,
    interfaces: [...node.interfaces],
    ...(node.range ? { range: { ...node.range } } : {}),
    ...(node.childCount === undefined ? {} : { child_count: node.childCount }),
    ...(node.indexInParent === undefined ? {} : { index_in_parent: node.indexInParent }),
    ...(node.relations.length === 0
      ? {}
      : {
          relations: node.relations.map((relation) => ({
            type: relation.type,
            targets: relation.targets.length,
          })),
        }),
    ...node.attributes,
  };
}

/** The element with keyboard focus; the deepest one where containers claim it too. */
export async function focusedElement(
  parts: EngineParts,
  request: AppRequest,
): Promise<ElementInfo | undefined> {
  const { deadlineMs, signal, app } = request;
  const { window, read } = await readWindow(parts, { app, wholeTree: false, deadlineMs, signal });
  const node = focusIn(read.root);
  if (!node && !read.complete)
    throw new DeskterityError(
      'TREE_TIMEOUT',
      `The window could only be read in part (${read.incompleteReasons.join('; ')}), and nothing in that part has the focus.`,
      {
        suggestion: `Raise ${mentionParameter('timeout_ms')}, or name the application with ${mentionParameter('app')}.`,
        retryable: true,
      },
    );
  if (!node) return undefined;
  const index = new TreeIndex(read.root);
  const ref = await parts.session.edit((table) =>
    table.refForElement(index.describe(node, windowKey(window))),
  );
  const resolved = await parts.resolver.resolve(ref, request);
  return elementInfo({ ...resolved, node: { ...resolved.node, name: resolved.node.name || node.name } });
}

/** Size and composition of a window's whole tree. */
export async function treeStats(parts: EngineParts, request: ScopedRequest): Promise<TreeStats> {
  const started = performance.now();
  const { window, read } = await readWindow(parts, { ...request, wholeTree: true });
  const byRole: Record<string, number> = {};
  let interactive = 0;
  let named = 0;
  let maxDepth = 0;
  const visit = (node: TreeNode, depth: number): void => {
    byRole[node.role] = (byRole[node.role] ?? 0) + 1;
    if (isInteractive(node.role)) interactive++;
    if (node.name !== '') named++;
    maxDepth = Math.max(maxDepth, depth);
    for (const child of node.children) visit(child, depth + 1);
  };
  visit(read.root, 0);
  return {
    app: window.appName,
    window: window.title,
    nodes: read.nodeCount,
    interactive,
    named,
    max_depth: maxDepth,
    by_role: Object.fromEntries(Object.entries(byRole).sort((a, b) => b[1] - a[1])),
    complete: read.complete,
    calls: read.callCount,
    duration_ms: Math.round(performance.now() - started),
  };
}
