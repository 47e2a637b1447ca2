import type { JournalEntry, JournalKind } from './entry.ts';

/** What an answer left out. */
export interface LeftOut {
  readonly count: number;
  readonly kinds: Readonly<Partial<Record<JournalKind, number>>>;
}

/** What a reader must know first. */
const RANKS: readonly (readonly JournalKind[])[] = [
  ['dialog_appeared', 'notification_appeared', 'app_exited', 'app_started'],
  ['window_opened', 'window_closed', 'dialog_closed'],
  ['value_changed', 'text_changed', 'state_changed', 'selection_changed'],
];

/**
 * As many entries as `fits` accepts, in their order: windows, dialogs, applications and notifications before changes of elements, these before names and
 * the focus, and new ones before old ones. No more than `mostEntries` are tried. `undefined` if not even an answer without entries fits.
 */
export function fitEntries(
  entries: readonly JournalEntry[],
  fits: (shown: readonly JournalEntry[], leftOut: LeftOut | undefined) => boolean,
  mostEntries = entries.length,
): { readonly shown: readonly JournalEntry[]; readonly leftOut: LeftOut | undefined } | undefined {
  const ranked = entries
    .map((entry, index) => ({ entry, index }))
    .toSorted((a, b) => rankOf(a.entry) - rankOf(b.entry) || b.index - a.index);
  const choose = (count: number) => {
    const chosen = new Set(ranked.slice(0, count).map(({ index }) => index));
    return {
      shown: entries.filter((_, index) => chosen.has(index)),
      leftOut: leftOutOf(entries.filter((_, index) => !chosen.has(index))),
    };
  };
  const isFit = (count: number): boolean => {
    const { shown, leftOut } = choose(count);
    return fits(shown, leftOut);
  };
  if (entries.length <= mostEntries && isFit(entries.length)) return choose(entries.length);
  if (!isFit(0)) return undefined;
  let [fitting, tooMany] = [0, Math.min(entries.length, mostEntries + 1)];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (isFit(middle)) fitting = middle;
    else tooMany = middle;
  }
  return choose(fitting);
}

function rankOf({ kind }: JournalEntry): number {
  const rank = RANKS.findIndex((kinds) => kinds.includes(kind));
  return rank < 0 ? RANKS.length : rank;
}

function leftOutOf(entries: readonly JournalEntry[]): LeftOut | undefined {
  if (entries.length === 0) return undefined;
  const kinds: Partial<Record<JournalKind, number>> = {};
  for (const { kind } of entries) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return { count: entries.length, kinds };
}
