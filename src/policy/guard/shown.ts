import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { PointContent, TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopApp, DesktopWindow } from '../../ports/desktop/windows.ts';
import { ofProcess, suspectIn, suspectOf, type ApplicationGuard } from './application-guard.ts';

const TITLE = '(denied by the policy)';

/** A denied application is listed with its name and the rule. */
export async function shownApp(guard: ApplicationGuard, app: DesktopApp): Promise<DesktopApp> {
  if (guard.probes.has(app.id)) return app;
  const verdict = await guard.verdict(suspectOf(app));
  return verdict?.decision === 'deny'
    ? { ...app, accessible: false, reason: reasonOf(verdict.rule), isDenied: true }
    : app;
}

/** Of a window of a denied application, nothing is told that the application wrote there. */
export async function shownWindow(guard: ApplicationGuard, window: DesktopWindow): Promise<DesktopWindow> {
  if (guard.isProbe(window)) return window;
  const verdict = await guard.verdict(suspectIn(window));
  return verdict?.decision === 'deny'
    ? { ...window, title: TITLE, reason: reasonOf(verdict.rule), isDenied: true }
    : window;
}

function reasonOf(rule: string): string {
  return `The policy denies this application (${rule}).`;
}

/** Elements of a denied application are not told, even where another application has them in its window. */
export async function shownContent(
  content: PointContent,
  guard: ApplicationGuard,
  options: CallOptions,
): Promise<PointContent> {
  if (content.lineage.length === 0) return content;
  const apps = new Set(content.lineage.map(({ app }) => app));
  const isDenied = [
    ...(await Promise.all([...apps].map((app) => guard.isDeniedApp(app, options)))),
    ...(await Promise.all((content.clientPids ?? []).map((pid) => guard.isDenied(ofProcess(pid))))),
  ];
  return isDenied.includes(true) ? { ...content, lineage: [] } : content;
}

/** A tree without the elements of denied applications. Trees that are read may be kept by the platform, and stay as they are. */
export async function withoutDenied(
  result: TreeResult,
  guard: ApplicationGuard,
  options: CallOptions,
): Promise<TreeResult> {
  const { root } = result;
  const foreign = new Set<string>();
  const open: TreeNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.handle.app !== root.handle.app) foreign.add(node.handle.app);
    for (const child of node.children) open.push(child);
  }
  const denied = new Set<string>();
  for (const app of foreign) if (await guard.isDeniedApp(app, options)) denied.add(app);
  return denied.size === 0 ? result : { ...result, root: pruned(root, ({ app }) => denied.has(app)) };
}

function pruned(node: TreeNode, isDenied: (handle: NodeHandle) => boolean): TreeNode {
  const children = node.children
    .filter(({ handle }) => !isDenied(handle))
    .map((child) => pruned(child, isDenied));
  return { ...node, children };
}
