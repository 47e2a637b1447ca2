import type { ElementFacts } from '../../../model/policy/verdict.ts';
import { clip, quoteClipped } from '../../../model/text/untrusted-text.ts';
import { handleKey } from '../../../model/tree/node.ts';
import { roleSet, type Role } from '../../../model/tree/role.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { hasWindowKey } from '../../refs/window-identity.ts';
import type { ResolvedTarget } from '../../refs/target.ts';
import type { GuardedAct } from '../../requests/acting.ts';
import type { Act, PressedNode } from '../attempt.ts';
import { targetInReceipt } from '../receipt.ts';
import { contentOf, NAMED_BY_CONTENT } from '../../tree/content-name.ts';
import { applicationOf } from '../../windows/application-of.ts';
import { pictureOfElement } from './element-picture.ts';
import { pressedByClick } from './pressed-by-click.ts';

const LONGEST_NAME = 120;
const ALSO_NAMED = roleSet('menuitem', 'togglebutton');
/** Containers around an element that are looked at. */
const MOST_AROUND = 40;

/** An act as its guard sees it. */
export async function guardedAct(
  desktop: DesktopPort,
  { kind, presses, reaches }: Pick<Act, 'kind' | 'presses' | 'reaches'>,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<GuardedAct> {
  const { record } = target;
  const aimed = await presses?.(target, options());
  const clicked =
    aimed?.isDropped === true
      ? undefined
      : await pressedByClick(desktop, { kind, node: aimed ?? target.node }, options);
  const pressed = clicked ?? aimed;
  const node = await withShownName(desktop, pressed ?? target.node, options);
  const window = async (): Promise<DesktopWindow | undefined> =>
    (await desktop.listWindows(options())).find((one) => hasWindowKey(one, record.window));
  return {
    act: pressed === undefined ? kind : actOn(pressed),
    target:
      pressed === undefined
        ? { ...targetInReceipt(target), ...(node.name === '' ? {} : { name: node.name }) }
        : { role: node.role, name: node.name },
    role: node.role,
    name: node.name,
    description: node.description,
    pressedBy: pressed?.presses,
    container: await containerOf(desktop, node, options),
    identity: JSON.stringify([node.handle, record.window, node.role, node.name]),
    place: async () => {
      const found = await window();
      if (found === undefined) return { words: 'an unknown window' };
      const title = quoteClipped(clip(found.title, LONGEST_NAME));
      const application = applicationOf(found);
      const name = quoteClipped(clip(application.name, LONGEST_NAME));
      return { words: `the window ${title} of ${name} (process ${application.pid})`, application };
    },
    elements: async () => {
      const title = (await window())?.title;
      const reached = (await reaches?.(target, options())) ?? [];
      return withContainers(desktop, [node, target.node, ...reached], { title, options });
    },
    picture: () => pictureOfElement(desktop, { window: record.window, bounds: node.bounds }),
  };
}

/** What has no name shows what is written inside it, and so do snapshots: rules and words are about what people read. */
async function withShownName(
  desktop: DesktopPort,
  node: PressedNode,
  options: () => CallOptions,
): Promise<PressedNode> {
  if (node.name !== '' || !(NAMED_BY_CONTENT.has(node.role) || ALSO_NAMED.has(node.role))) return node;
  return { ...node, name: await contentOf(desktop, node.handle, { ...options(), wholeTree: true }) };
}

async function containerOf(
  desktop: DesktopPort,
  { role, parent }: PressedNode,
  options: () => CallOptions,
): Promise<Role | undefined> {
  if (role !== 'menuitem' || parent === undefined) return undefined;
  return desktop.describe(parent, options()).then(
    (container) => container.role,
    () => undefined,
  );
}

function actOn({ isDropped, presses }: PressedNode): string {
  if (isDropped === true) return 'drop';
  return presses === 'held' ? 'hold down a key that presses' : 'click';
}

async function withContainers(
  desktop: DesktopPort,
  nodes: readonly PressedNode[],
  { title, options }: { readonly title: string | undefined; readonly options: () => CallOptions },
): Promise<readonly ElementFacts[]> {
  const found = new Map<string, ElementFacts>();
  for (const node of nodes) {
    let around: PressedNode | undefined = node;
    for (let left = MOST_AROUND; around !== undefined && left > 0; left -= 1) {
      const key = handleKey(around.handle);
      if (found.has(key)) break;
      const { role, name, description, parent }: PressedNode = await withShownName(desktop, around, options);
      found.set(key, { role, name, description, ...(title === undefined ? {} : { window: title }) });
      // Above it is only the application.
      if (role === 'window' || parent === undefined || found.has(handleKey(parent))) break;
      around = await desktop.describe(parent, options());
    }
  }
  return [...found.values()];
}
