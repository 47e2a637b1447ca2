import { isRecord } from '../../../model/is-record.ts';
import type { AnswerForm } from './accept.ts';
import { idOf, refuse, type Answer } from './answer.ts';

export interface ShapeParts {
  readonly form: AnswerForm;
  /** The parsed request. */
  readonly body: unknown;
  /** Longest answer that is kept in memory. */
  readonly limitBytes: number;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

const CANCELLED = -32_800;
const DATA = /^data: ?(.*)$/gm;

/** An answer in the form that the client accepts. Errors are always JSON. */
export async function shapeAnswer(answer: Answer, parts: ShapeParts): Promise<Answer> {
  const { response } = answer;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream && parts.form === 'json') return { ...answer, response: await toJson(response, parts) };
  if (!isStream && parts.form === 'stream' && response.status === 200 && response.body !== null)
    return { ...answer, response: toStream(await response.text(), response) };
  return answer;
}

/** What is reported before the answer is left out: a JSON document has no room for it. */
async function toJson(response: Response, { body, limitBytes, signal }: ShapeParts): Promise<Response> {
  const answers = await answersIn(response, limitBytes, signal);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  headers.delete('x-accel-buffering');
  const [only] = answers;
  if (Array.isArray(body)) return new Response(JSON.stringify(answers), { status: 200, headers });
  if (only !== undefined) return new Response(JSON.stringify(only), { status: 200, headers });
  return refuse({
    status: 200,
    code: CANCELLED,
    message: 'The request was cancelled before it was answered.',
    id: idOf(body),
  });
}

/** @throws Error if one is too long */
async function answersIn(response: Response, limitBytes: number, signal: AbortSignal): Promise<unknown[]> {
  const reader = response.body?.getReader();
  const abandon = (): void => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();
  const answers: unknown[] = [];
  const decoder = new TextDecoder();
  let kept = 0;
  let rest = '';
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      const events = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
      rest = events.pop() ?? '';
      for (const message of events.flatMap(messagesIn).filter(isAnswer)) {
        answers.push(message);
        kept += JSON.stringify(message).length;
      }
      if (kept + rest.length > limitBytes) throw new Error('The answer is too long.');
    }
  } finally {
    signal.removeEventListener('abort', abandon);
    abandon();
  }
  return answers;
}

function isAnswer(message: unknown): boolean {
  return isRecord(message) && ('result' in message || 'error' in message);
}

/** The JSON documents in the text of some events. */
export function messagesIn(events: string): unknown[] {
  return [...events.matchAll(DATA)].flatMap(([, text = '']) => {
    if (text === '') return [];
    const message: unknown = JSON.parse(text);
    return [message];
  });
}

function toStream(text: string, { headers: given }: Response): Response {
  const headers = new Headers(given);
  headers.set('content-type', 'text/event-stream');
  headers.set('cache-control', 'no-cache, no-transform');
  return new Response(`event: message\ndata: ${text}\n\n`, { status: 200, headers });
}
