import type { OutputNode } from '../../model/tree/node.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { withName } from '../refs/target.ts';
import type { WaitForCountRequest } from '../requests/desktop.ts';
import { waitUntil } from './wait-until.ts';

const MOST_NAMED = 5;

/**
 * Waits until exactly so many elements on screen match a locator. Where its application or window is not open, nothing was counted, so not even none: a
 * misspelt name would prove anything gone.
 * @throws DeskterityError APP_NOT_FOUND and WINDOW_NOT_FOUND if none was waited for and that is still so at the end
 */
export async function waitForCount(
  parts: EngineParts,
  request: WaitForCountRequest,
): Promise<readonly OutputNode[]> {
  const { locator, count } = request;
  if (parseRef(locator) !== undefined)
    throw new DeskterityError('INVALID_ARGUMENT', `${locator} is one element, which cannot be counted.`, {
      suggestion: `Give a locator for ${mentionParameter('count')}, such as role:listitem.`,
    });
  let absent: DeskterityError | undefined;
  const what = {
    is: `${elements(count)} match ${locator}`,
    isNot: `${locator} did not match exactly ${elements(count)}`,
  };
  const counted = waitUntil(parts, request, what, async (options, note) => {
    const first = await parts.resolver.matching(locator, options);
    absent = first.absent;
    if (absent !== undefined) {
      note(absent.message);
      return undefined;
    }
    // What is known of a window does not prove what is in it now.
    const isToBeRead = options.mirrored === true && first.total === count;
    const { deadlineMs, signal } = options;
    const anew = liveDeadline({ deadlineMs, signal }, parts.clock);
    const { total, isComplete, matches } = isToBeRead ? await parts.resolver.matching(locator, anew) : first;
    const names = matches.slice(0, MOST_NAMED).map((node) => withName(node));
    const more = total > names.length ? `, and ${total - names.length} more` : '';
    const which = names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
    note(
      `${elements(total)}${which}${isComplete ? '' : ', but only a part of the window could be read'}`,
      isComplete,
    );
    return isComplete && total === count ? matches : undefined;
  });
  return counted.catch((error: unknown) => {
    const isOver = error instanceof DeskterityError && error.code === 'TIMEOUT';
    if (!isOver || count > 0 || absent === undefined) throw error;
    throw absent.with({
      message: `${absent.message} So nothing was counted.`,
      suggestion: `${absent.suggestion} If it may have been closed, ${mentionCommand('wait', { gone: locator })} is satisfied by that.`,
    });
  });
}

function elements(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`;
}
