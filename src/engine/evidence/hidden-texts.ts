import type { Change } from '../../model/effects/effect.ts';
import { WITHHELD } from '../../model/text/withheld.ts';
import type { Judgement } from './evidence.ts';
import type { ObservedChange } from './window-diff.ts';

/** Keys of the elements whose text must not appear in a receipt. */
export interface HiddenTexts {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** Whether the target of the act is among them. */
  readonly isTarget: boolean;
}

const QUOTED = /"(?:[^"\\]|\\.)+"/gs;

/** The verdict without the texts of hidden elements, in changes and evidence. */
export function hideTexts<
  V extends { readonly judgement: Judgement; readonly changes: readonly ObservedChange[] },
>(verdict: V, hidden: HiddenTexts): V {
  if (hidden.before.size === 0 && hidden.after.size === 0) return verdict;
  let evidence = verdict.judgement.evidence;
  if (hidden.isTarget) evidence = evidence.map(coverQuoted);
  const changes = verdict.changes.map((observed) => {
    const change = covered(observed, hidden);
    for (const side of ['before', 'after', 'name'] as const) {
      const [from, to] = [observed.change[side], change[side]];
      if (from === undefined || to === undefined || from === to) continue;
      evidence = evidence.map((line) => line.replaceAll(from, () => to));
    }
    return { ...observed, change };
  });
  return { ...verdict, judgement: { ...verdict.judgement, evidence }, changes };
}

function covered({ change, key, lineage }: ObservedChange, hidden: HiddenTexts): Change {
  const isInside = (keys: ReadonlySet<string>): boolean => lineage.some((above) => keys.has(above));
  const cover = (text: string | undefined, keys: ReadonlySet<string>): string | undefined => {
    const hides = isInside(keys) || keys.has(key);
    return hides && text !== undefined ? coverQuoted(text) : text;
  };
  const { before, after, name } = change;
  const isNameHidden = isInside(hidden.before) || isInside(hidden.after);
  return {
    ...change,
    ...(name === undefined ? {} : { name: isNameHidden ? WITHHELD : name }),
    ...(before === undefined ? {} : { before: cover(before, hidden.before) }),
    ...(after === undefined ? {} : { after: cover(after, hidden.after) }),
  };
}

function coverQuoted(text: string): string {
  return text.replaceAll(QUOTED, JSON.stringify(WITHHELD));
}
