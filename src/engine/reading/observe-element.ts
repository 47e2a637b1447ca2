import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { ElementInfo } from '../requests/reading.ts';
import type { EngineParts } from './engine-parts.ts';
import { describeTarget } from './inspect.ts';

/** What one look at a ref shows: its element, or that there is none any more. */
export type ElementObservation =
  | {
      readonly target: ResolvedTarget;
      readonly info: ElementInfo;
      /** What it holds is a secret, and is not in `info`. */
      readonly isSecret: boolean;
      readonly gone?: undefined;
    }
  /** Why it is known to be gone, with what may be meant instead. */
  | { readonly gone: DeskterityError };

/**
 * Looks once at the element of a ref, or at the one that a locator matches.
 * @throws DeskterityError ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET, APP_UNRESPONSIVE, and STALE_REF where nothing is known of the element
 */
export async function observeElement(
  parts: EngineParts,
  ref: string,
  call: CallOptions,
): Promise<ElementObservation> {
  const options = liveDeadline(call, () => parts.clock.now());
  const isLocator = parseRef(ref) === undefined;
  const target = await parts.resolver.resolve(ref, options).catch(async (error: unknown) => {
    if (!(error instanceof DeskterityError)) throw error;
    if (isPlaceGone(error) || (isLocator && NOTHING_MATCHES.has(error.code))) return error;
    if (error.code !== 'STALE_REF' || error.retryable) throw error;
    if (isLocator) return error;
    // A ref of another desktop, or a forgotten one: its element may well be there.
    if ((await parts.session.read()).element(parseRef(ref)?.ref ?? ref) === undefined) throw error;
    return error;
  });
  if (target instanceof DeskterityError) return { gone: target };
  const isSecret =
    target.node.states.includes('protected') ||
    (await parts.readings.withheld()).has(handleKey(target.node.handle));
  const info = await describeTarget(parts.desktop, target, options);
  return { target, info: isSecret ? withoutContent(info) : info, isSecret };
}

/** What it was on has ended, and everything on it is gone as well. */
export function isPlaceGone(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TERMINAL_NOT_FOUND';
}

/** That a locator leads to nothing. */
const NOTHING_MATCHES: ReadonlySet<string> = new Set([
  'ELEMENT_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'APP_NOT_FOUND',
]);

/** Failures of a look that time may heal. */
export function isPassing(error: unknown): error is DeskterityError {
  return (
    error instanceof DeskterityError &&
    (error.code === 'APP_UNRESPONSIVE' ||
      error.code === 'TREE_TIMEOUT' ||
      (error.code === 'STALE_REF' && error.retryable))
  );
}

function withoutContent(info: ElementInfo): ElementInfo {
  const { value, name, name_from, ...rest } = info.node;
  const isNamedSo = name_from === 'content' || name === value || name === info.text;
  return {
    ...info,
    node: {
      ...rest,
      ...(isNamedSo || name === undefined ? {} : { name, name_from }),
    },
    text: undefined,
  };
}

/**
 * The elements of a tree, inner ones before what they are in, whose texts may be told; nothing inside a secret one is among them. Trees may be
 * deeper than the stack.
 */
export function nonSecretNodes(root: TreeNode, withheld: ReadonlySet<string>): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  const open: TreeNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.states.includes('protected') || withheld.has(handleKey(node.handle))) continue;
    nodes.push(node);
    open.push(...node.children);
  }
  // From the last child to the first and outer before inner; backwards, that is document order with inner ones first.
  return nodes.toReversed();
}
