import { DeskterityError } from '../../model/effects/errors.ts';
import { explain, type Explanation } from '../../model/patterns/explanation.ts';
import { BUSY_AFTER_MS } from '../../model/patterns/pattern.ts';
import { prune } from '../../model/tree/distill/distill.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';

/** What is explained: everything on screen, whatever the answer shows of it. */
const SHAPE = {
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  includeBounds: true,
  includeActions: false,
} as const;

/** Longer than any reference that is given out: an answer is measured before its references are known. */
const ANY_REF = '@e9999999';

/** An explanation twice: to measure the answer, and with references, which are given out only when it is asked for. */
export interface Explained {
  readonly measured: Explanation;
  withRefs(refFor: (node: TreeNode) => string): Explanation;
}

export function explainTree(root: TreeNode, title: string, isBusy: boolean): Explained {
  const { root: shown, sources } = prune(root, SHAPE);
  const explained = (refFor: (node: OutputNode) => string | undefined): Explanation =>
    explain({ root: shown, title, isBusy }, refFor);
  return {
    measured: explained(() => ANY_REF),
    withRefs: (refFor) =>
      explained((node) => {
        const source = sources.get(node);
        return source === undefined ? undefined : refFor(source);
      }),
  };
}

/** Whether the application of a window leaves a question without an answer for half a second. */
export async function isBusy(
  desktop: DesktopPort,
  window: DesktopWindow | undefined,
  options: CallOptions,
): Promise<boolean> {
  if (window?.root === undefined) return false;
  try {
    await desktop.describe(window.root, {
      ...options,
      deadlineMs: Math.min(options.deadlineMs, BUSY_AFTER_MS),
    });
    return false;
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    return error instanceof DeskterityError && UNANSWERED.has(error.code);
  }
}

const UNANSWERED: ReadonlySet<string> = new Set(['APP_UNRESPONSIVE', 'TIMEOUT']);
