/**
 * How a client wants to be answered: `json`, one document; `stream`, server-sent events; `either`, as suits the request. `undefined`: in a form
 * that we do not have.
 */
export type AnswerForm = 'json' | 'stream' | 'either';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** More than any client sends. */
const MOST_RANGES = 50;

/** The form for a POST. Without a preference for streams, or the header, an answer is JSON: a person with curl reads no streams. */
export function answerForm(accept: string | undefined): AnswerForm | undefined {
  const ranges = rangesOf(accept);
  if (ranges === undefined) return 'json';
  const json = qualityOf(JSON_TYPE, ranges);
  const stream = qualityOf(STREAM_TYPE, ranges);
  if (json === 0 && stream === 0) return undefined;
  const isStreamNamed = ranges.has(STREAM_TYPE) || ranges.has('text/*');
  if (json > stream || (json > 0 && !isStreamNamed)) return 'json';
  return stream > json ? 'stream' : 'either';
}

/** For a GET, which is always answered by a stream. */
export function acceptsStream(accept: string | undefined): boolean {
  const ranges = rangesOf(accept);
  return ranges === undefined || qualityOf(STREAM_TYPE, ranges) > 0;
}

/** The quality of each range; `undefined` if the header is missing or empty, which accepts everything. */
function rangesOf(accept: string | undefined): ReadonlyMap<string, number> | undefined {
  const parts = (accept ?? '')
    .split(',', MOST_RANGES)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  return new Map(
    parts.map((part) => {
      const [range = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const given = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [range, given === undefined ? 1 : quality(given)];
    }),
  );
}

/** RFC 9110, 12.4.2. What is not a number from 0 to 1 is not a wish for this form. */
function quality(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** The most specific range counts. */
function qualityOf(type: string, ranges: ReadonlyMap<string, number>): number {
  return ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
}
