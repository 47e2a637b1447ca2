import { DeskterityError } from '../../../model/effects/errors.ts';

/** What one HTTP request is answered with. */
export interface Answer {
  readonly response: Response;
  /** Text of a stream that goes before the first message. */
  readonly prologue?: string;
  /** Called once, when nothing more goes to the client; `isDelivered`: it was all handed over. */
  readonly ended?: (isDelivered: boolean) => void;
}

export interface Refusal {
  readonly status: number;
  /** One sentence on what is wrong, one on what to do. */
  readonly message: string;
  /** Of JSON-RPC; -32000 (the server's own) where absent. */
  readonly code?: number;
  readonly id?: string | number | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

/** Also what is refused before it is known to be JSON-RPC is answered as a JSON-RPC error: clients show that. */
export function refuse({ status, message, code, id, data, headers }: Refusal): Response {
  const error = { code: code ?? SERVER_ERROR, message, ...(data === undefined ? {} : { data }) };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status, headers: { ...headers } });
}

/** For a client whose {@link HttpParts.open} failed. Where the request is known its answer is an ordinary one: of other statuses clients show only the number. */
export function refuseUnopened(error: unknown, body: unknown): Response {
  const id = idOf(body);
  const status = id === null ? 503 : 200;
  if (!(error instanceof DeskterityError)) {
    const message = 'What this client can do could not be opened. The log of the server says why.';
    return refuse({ status, code: INTERNAL_ERROR, message, id });
  }
  const message = `${error.message} ${error.suggestion}`;
  return refuse({ status, code: INTERNAL_ERROR, message, id, data: { ...error.toBody() } });
}

/** Of the request in a body, where there is exactly one. */
export function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || !('id' in body) || !('method' in body)) return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}
