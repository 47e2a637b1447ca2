import type { AuditEntry } from '../../model/audit/entry.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CommandContext } from '../../registry/define.ts';

type Log = Awaited<ReturnType<NonNullable<CommandContext['audit']>['log']>>;
type Position = NonNullable<Parameters<Log['entries']>[0]>;

/** A place in the log, for a later call: behind this entry. */
export interface LogPlace extends Position {
  readonly sequence: number;
}

const START: LogPlace = { file: '', offset: 0, sequence: 0 };

export function parsePlace(text: string | undefined): LogPlace | undefined {
  if (text === undefined) return undefined;
  if (text === 'start') return START;
  const [, file = '', offset = '', sequence = ''] =
    /^(audit-\d{12}\.jsonl):(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  if (file !== '') return { file, offset: Number(offset), sequence: Number(sequence) };
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${mentionParameter('after')} is ${quoteClipped(text)}, which is no position in the log.`,
    { suggestion: 'Use the position of an earlier answer.' },
  );
}

export function showPlace({ file, offset, sequence }: LogPlace): string {
  return file === '' ? 'start' : `${file}:${offset}:${sequence}`;
}

/** The newest entries that match, from a place on. */
export async function matchingEntries(
  log: Log,
  {
    from = START,
    most,
    matches,
    signal,
  }: {
    readonly from?: LogPlace | undefined;
    readonly most: number;
    readonly matches: (entry: AuditEntry) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<{
  readonly entries: readonly AuditEntry[];
  readonly omitted: number;
  readonly place: LogPlace;
}> {
  let place = from;
  let kept: AuditEntry[] = [];
  let omitted = 0;
  for await (const { entry, end } of log.entries(await reachable(log, from))) {
    signal.throwIfAborted();
    if (entry.sequence <= from.sequence) continue;
    place = { ...end, sequence: entry.sequence };
    if (!matches(entry)) continue;
    kept.push(entry);
    if (kept.length < most * 2) continue;
    omitted += kept.length - most;
    kept = kept.slice(-most);
  }
  const entries = kept.slice(-most);
  return { entries, omitted: omitted + kept.length - entries.length, place };
}

/** A file that was cut is read from its beginning; entries that were read before are left out by their numbers. */
async function reachable(log: Log, { file, offset }: LogPlace): Promise<Position | undefined> {
  if (file === '') return undefined;
  const known = (await log.files()).find(({ name }) => name === file);
  return known !== undefined && known.bytes < offset ? { file, offset: 0 } : { file, offset };
}
