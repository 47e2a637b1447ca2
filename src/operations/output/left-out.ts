import type { StreamName } from '../../ports/operations.ts';
import type { Gap, OutputExtent } from './output-extent.ts';

/** Gaps that are described individually; output that was merely too long has one. */
const MOST_GAPS = 2;

/** One sentence for each gap between bytes `from` and `to`. */
export function gapSentences({ gaps }: Pick<OutputExtent, 'gaps'>, from = 0, to = Infinity): string[] {
  const within = gaps.filter((gap) => gap.end > from && gap.start < to);
  const named = within.slice(0, MOST_GAPS).map(gapSentence);
  const rest = within.slice(MOST_GAPS);
  if (rest.length === 0) return named;
  const bytes = rest.reduce((sum, gap) => sum + gap.end - gap.start, 0);
  return [...named, `${bytes} more bytes were not kept, in ${counted(rest.length, 'place')}.`];
}

export function gapSentence({ start, end, firstLine, lastLine }: Gap): string {
  return `Bytes ${start} to ${end} were not kept, so ${range(firstLine, lastLine)} ${firstLine === lastLine ? 'is' : 'are'} wholly or partly missing.`;
}

/** `line 3`, or `lines 3 to 9`. */
export function range(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Sentences about the streams that are not shown, for output with separate streams. */
export function otherStreamSentences(
  shown: StreamName,
  written: Readonly<Partial<Record<StreamName, number>>>,
): string[] {
  return (['stdout', 'stderr'] as const)
    .filter((name) => name !== shown && (written[name] ?? 0) > 0)
    .map((name) => `${name} has ${counted(written[name] ?? 0, 'byte')}; read it with stream ${name}.`);
}
