import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { LookBasis } from '../refs/locate.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { ElementInfo } from '../requests/reading.ts';
import type { EngineParts } from './engine-parts.ts';
import { describeTarget } from './inspect.ts';

/** Limits of one look, and whether locators may be searched in what is known. */
export type LookOptions = CallOptions & LookBasis;

/** One observation of a ref: its element, or that it no longer exists. */
export type ElementObservation =
  | {
      readonly target: ResolvedTarget;
      readonly info: ElementInfo;
      /** Its content is secret and not in `info`. */
      readonly isSecret: boolean;
      readonly missing?: undefined;
    }
  /** Why it is known not to exist, with candidates. */
  | { readonly missing: DeskterityError };

/**
 * Looks once at the element of a ref, or at the one that a locator matches. The element is always read anew; the search for it may use the mirror
 * of its application.
 * @throws DeskterityError ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET, APP_UNRESPONSIVE, and STALE_REF if the element is unknown
 */
export async function observeElement(
  parts: EngineParts,
  ref: string,
  call: LookOptions,
): Promise<ElementObservation> {
  const options = liveDeadline(call, parts.clock);
  const isLocator = parseRef(ref) === undefined;
  const target = await parts.resolver.resolve(ref, options).catch(async (error: unknown) => {
    if (!(error instanceof DeskterityError)) throw error;
    if (hasTerminalEnded(error) || (isLocator && NOTHING_MATCHES.has(error.code))) return error;
    if (error.code !== 'STALE_REF' || error.retryable) throw error;
    if (isLocator) return error;
    // A ref of another desktop, or one no longer stored: its element may still exist.
    if ((await parts.session.read()).element(parseRef(ref)?.ref ?? ref) === undefined) throw error;
    return error;
  });
  if (target instanceof DeskterityError) return { missing: target };
  const isSecret =
    target.node.states.includes('protected') ||
    (await parts.readings.withheld()).has(handleKey(target.node.handle));
  const info = await describeTarget(parts.desktop, target, options);
  return { target, info: isSecret ? withoutContent(info) : info, isSecret };
}

/** Whether the terminal of the element has ended, and everything on it. */
export function hasTerminalEnded(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND';
}

/** Errors of a locator that matches nothing. */
const NOTHING_MATCHES: ReadonlySet<string> = new Set([
  'ELEMENT_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'APP_NOT_FOUND',
]);

/** Whether another reading may succeed later. */
export function isTransient(error: unknown): error is DeskterityError {
  return (
    error instanceof DeskterityError &&
    (error.code === 'APP_UNRESPONSIVE' ||
      error.code === 'TREE_TIMEOUT' ||
      (error.code === 'STALE_REF' && error.retryable))
  );
}

function withoutContent(info: ElementInfo): ElementInfo {
  const { value, name, name_from, ...rest } = info.node;
  const isNameContent = name_from === 'content' || name === value || name === info.text;
  return {
    ...info,
    node: {
      ...rest,
      ...(isNameContent || name === undefined ? {} : { name, name_from }),
    },
    text: undefined,
  };
}

/**
 * The elements of a tree whose texts may be shown, children before their parents, without anything inside a secret element. Iterative because
 * trees may be deeper than the stack.
 */
export function nonSecretNodes(root: TreeNode, withheld: ReadonlySet<string>): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  const open: TreeNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.states.includes('protected') || withheld.has(handleKey(node.handle))) continue;
    nodes.push(node);
    open.push(...node.children);
  }
  // The loop visits parents first and children from the last to the first; reversed, that is document order with children first.
  return nodes.toReversed();
}
