import type { StreamName } from '../../ports/operations.ts';
import type { Gap, OutputExtent } from './output-extent.ts';

/** Gaps that are named one by one; there is one where output was only too much. */
const MOST_GAPS = 2;

/** One sentence for each stretch that is not on the disk any more, among bytes `from` to `to`. */
export function gapSentences({ gaps }: Pick<OutputExtent, 'gaps'>, from = 0, to = Infinity): string[] {
  const within = gaps.filter((gap) => gap.end > from && gap.start < to);
  const named = within.slice(0, MOST_GAPS).map(gapSentence);
  const rest = within.slice(MOST_GAPS);
  if (rest.length === 0) return named;
  const bytes = rest.reduce((sum, gap) => sum + gap.end - gap.start, 0);
  return [...named, `${bytes} bytes more were not kept, in ${counted(rest.length, 'place')}.`];
}

export function gapSentence({ start, end, firstLine, lastLine }: Gap): string {
  return `Bytes ${start} to ${end} were not kept, so ${range(firstLine, lastLine)} ${firstLine === lastLine ? 'is' : 'are'} missing in whole or in part.`;
}

/** `line 3`, or `lines 3 to 9`. */
export function range(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What other streams hold, where the output was kept apart and one of them was shown. */
export function otherStreamSentences(
  shown: StreamName,
  written: Readonly<Partial<Record<StreamName, number>>>,
): string[] {
  return (['stdout', 'stderr'] as const)
    .filter((name) => name !== shown && (written[name] ?? 0) > 0)
    .map((name) => `${name} has ${counted(written[name] ?? 0, 'byte')}; ask with stream ${name}.`);
}
