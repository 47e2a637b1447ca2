import { DeskterityError } from '../../model/effects/errors.ts';
import type { OutputPart, OutputQuery, StreamName } from '../../ports/operations.ts';
import { checkTokens, tokensOf } from './fit-tokens.ts';
import { otherStreamSentences } from './left-out.ts';
import { openExtent, type OutputExtent } from './output-extent.ts';
import { writtenBytes } from './output-segments.ts';
import { readFromCursor } from './read-from-cursor.ts';
import { readLines } from './read-lines.ts';
import { readMatches } from './read-matches.ts';
import { readTail } from './read-tail.ts';
import { summariseOutput } from './summarise-output.ts';

/** Tokens reserved for sentences about another stream. */
const ASIDE_TOKENS = 40;
/** With fewer, only one stream is summarised and the other mentioned. */
const LEAST_FOR_BOTH = 600;
const MOST_ROUNDS = 5;
/** What a query can ask for instead of the summary. */
const WAYS = ['cursor', 'head', 'headBytes', 'tail', 'lines', 'pattern'] as const;

export interface OutputSource {
  /** Folder of the output; see `operation-folder.ts`. */
  readonly folder: string;
  readonly kind: 'merged' | 'separate';
  /** Nothing more will come. */
  readonly isComplete: boolean;
}

/**
 * The requested part of an output, at most `maxTokens` by the conservative estimate, including the sentences about the rest.
 * @throws DeskterityError INVALID_ARGUMENT, TIMEOUT if a pattern takes too long, BUDGET_TOO_SMALL
 */
export async function readOutput(source: OutputSource, query: OutputQuery): Promise<OutputPart> {
  checkQuery(source, query);
  const stream = query.stream ?? (source.kind === 'merged' ? 'merged' : 'stdout');
  const isSummary = WAYS.every((way) => query[way] === undefined);
  const others = source.kind === 'separate' ? otherStreamSentences(stream, writtenBytes(source.folder)) : [];
  if (isSummary && query.stream === undefined && others.length > 0 && query.maxTokens >= LEAST_FOR_BOTH)
    return summariseBoth(source, query.maxTokens);
  const extent = await openExtent(source.folder, stream);
  // A caller that named a stream knows about the other one.
  const aside = query.stream === undefined ? others : [];
  const maxTokens = query.maxTokens - ASIDE_TOKENS * aside.length;
  const part = await readExtent(extent, source, { ...query, maxTokens });
  return { ...part, left_out: [...part.left_out, ...aside] };
}

function readExtent(extent: OutputExtent, source: OutputSource, query: OutputQuery): Promise<OutputPart> {
  const { cursor, tail, lines, pattern, head, headBytes, maxTokens } = query;
  if (pattern !== undefined) {
    const { ignoreCase = false, context = 0 } = query;
    return readMatches(extent, { pattern, ignoreCase, context, cursor: cursor ?? 0, maxTokens });
  }
  if (cursor !== undefined || head !== undefined || headBytes !== undefined) {
    const limits = { mostLines: head, mostBytes: headBytes, maxTokens };
    return readFromCursor(extent, { cursor: cursor ?? 0, ...limits, isComplete: source.isComplete });
  }
  if (tail !== undefined) return readTail(extent, tail, maxTokens);
  if (lines !== undefined) return readLines(extent, lines, maxTokens);
  return summariseOutput(extent, maxTokens);
}

/** Standard error, then standard output; the cursor belongs to standard output. */
async function summariseBoth({ folder }: OutputSource, maxTokens: number): Promise<OutputPart> {
  const extents = { stderr: await openExtent(folder, 'stderr'), stdout: await openExtent(folder, 'stdout') };
  let room = maxTokens - ASIDE_TOKENS;
  for (let round = 1; ; round += 1) {
    const errors = await summariseOutput(extents.stderr, Math.floor(room / 2));
    const output = await summariseOutput(extents.stdout, Math.ceil(room / 2));
    const both: OutputPart = {
      ...output,
      text: `stderr:\n${errors.text}\n\nstdout:\n${output.text}`,
      left_out: [...prefixed('stderr', errors.left_out), ...prefixed('stdout', output.left_out)],
    };
    const excess = tokensOf(both) - maxTokens;
    if (excess <= 0) return both;
    if (round === MOST_ROUNDS) checkTokens(0);
    room -= excess + ASIDE_TOKENS;
  }
}

function prefixed(stream: StreamName, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${stream}: ${sentence}`);
}

function checkQuery(
  { kind }: OutputSource,
  { stream, cursor, head, headBytes, tail, lines, pattern, context, maxTokens }: OutputQuery,
): void {
  const ways = [
    tail,
    lines,
    pattern,
    head ?? headBytes ?? (pattern === undefined ? cursor : undefined),
  ].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw invalid(
      'More than one part of the output is requested.',
      'Pass only one of cursor, tail, lines and pattern; head and head_bytes go with cursor or alone.',
    );
  if (stream !== undefined && (stream === 'merged') !== (kind === 'merged'))
    throw invalid(
      `This output has no stream ${stream}.`,
      kind === 'merged' ? 'Omit stream: both are merged.' : 'Pass stdout or stderr.',
    );
  for (const [name, value] of Object.entries({
    cursor,
    head,
    head_bytes: headBytes,
    tail,
    context,
    first: lines?.first,
    last: lines?.last,
  }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw invalid(`${name} is not a whole number of at least 0.`, 'Pass a whole number.');
  checkTokens(maxTokens);
}

function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion });
}
