import { mentionParameter } from '../../model/text/mention.ts';
import type { ChangeSince } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ReadNode } from '../../model/refs/reading.ts';
import { isInteractive } from '../../model/tree/role.ts';
import type { Difference } from './compare-readings.ts';

/** With more changes than this, a new reading of the window is better. */
const MAX_REPORTED = 200;
/** The longest possible ref. */
const WIDEST_REF = '@e999999999';

/** The reported differences, in their order. */
interface Chosen {
  readonly differences: readonly Difference[];
  readonly leftOut: number;
}

/**
 * As many differences as fit, the most important first. `cost` returns the tokens of an answer with these changes and this many left out; refs
 * that are not assigned yet count with the longest form.
 * @throws DeskterityError BUDGET_TOO_SMALL if not even an answer without changes fits
 */
export function chooseChanges(
  all: readonly Difference[],
  maxTokens: number | undefined,
  cost: (changes: readonly ChangeSince[], leftOut: number) => number,
): Chosen {
  const ranked = all.toSorted((a, b) => a.rank - b.rank);
  const first = (count: number): Chosen => {
    const chosen = new Set(ranked.slice(0, count));
    return { differences: all.filter((difference) => chosen.has(difference)), leftOut: all.length - count };
  };
  const most = Math.min(all.length, MAX_REPORTED);
  if (maxTokens === undefined) return first(most);
  const costOf = ({ differences, leftOut }: Chosen): number =>
    cost(
      toChanges(differences, (node) => node.ref ?? (isInteractive(node.role) ? WIDEST_REF : undefined)),
      leftOut,
    );
  let low = 0;
  let high = most;
  if (costOf(first(high)) <= maxTokens) return first(high);
  const least = costOf(first(0));
  if (least > maxTokens)
    throw new DeskterityError(
      'BUDGET_TOO_SMALL',
      `${maxTokens} tokens are not enough: an answer without any change needs ${least}.`,
      {
        suggestion: `Repeat with ${mentionParameter('max_tokens', least + 100)} or more, or with ${mentionParameter('format', 'outline')}.`,
      },
    );
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (costOf(first(middle)) <= maxTokens) low = middle;
    else high = middle;
  }
  return first(low);
}

/** The changes to print. `refOf` returns the ref of an element that still exists. */
export function toChanges(
  differences: readonly Difference[],
  refOf: (node: ReadNode) => string | undefined,
): ChangeSince[] {
  const levels = new Map<Difference, number>();
  return differences.map((difference) => {
    let above = difference.within;
    while (above && !levels.has(above)) above = above.within;
    const level = above === undefined ? 0 : (levels.get(above) ?? 0) + 1;
    levels.set(difference, level);
    const ref = difference.node && refOf(difference.node);
    const { kind, ...rest } = difference.change;
    return { kind, ...(ref === undefined ? {} : { ref }), ...rest, ...(level === 0 ? {} : { level }) };
  });
}
