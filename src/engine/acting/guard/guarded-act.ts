import { clip, quoteClipped } from '../../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import { hasWindowKey } from '../../refs/window-identity.ts';
import type { ResolvedTarget } from '../../refs/target.ts';
import type { GuardedAct } from '../../requests/acting.ts';
import type { Act, PressedNode } from '../attempt.ts';
import { targetInReceipt } from '../receipt.ts';
import { pictureOfElement } from './element-picture.ts';

const LONGEST_NAME = 120;

/** An act as its guard sees it. */
export async function guardedAct(
  desktop: DesktopPort,
  { kind, presses }: Act,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<GuardedAct> {
  const { record } = target;
  const pressed = await presses?.(target, options());
  const node = pressed ?? target.node;
  return {
    act: pressed === undefined ? kind : actOn(pressed),
    target: pressed === undefined ? targetInReceipt(target) : { role: node.role, name: node.name },
    role: node.role,
    name: node.name,
    description: node.description,
    pressedBy: pressed?.presses,
    identity: JSON.stringify([node.handle, record.window, node.role, node.name]),
    place: async () => {
      const windows = await desktop.listWindows(options());
      const window = windows.find((one) => hasWindowKey(one, record.window));
      if (window === undefined) return { words: 'an unknown window' };
      const title = quoteClipped(clip(window.title, LONGEST_NAME));
      const { appName: name, pid } = window;
      const words = `the window ${title} of ${quoteClipped(clip(name, LONGEST_NAME))} (process ${pid})`;
      return { words, application: { name, pid } };
    },
    picture: () => pictureOfElement(desktop, { window: record.window, bounds: node.bounds }),
  };
}

function actOn({ isDropped, presses }: PressedNode): string {
  if (isDropped === true) return 'drop';
  return presses === 'held' ? 'hold down a key that presses' : 'click';
}
