import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { isRequestId, type RequestId } from '../connections/line-transport.ts';

/** The answer to one HTTP request. */
export interface Answer {
  readonly response: Response;
  /** Text of a stream before the first message. */
  readonly prologue?: string;
  /** Called once, when nothing more is sent; `isDelivered`: everything was sent. */
  readonly ended?: (isDelivered: boolean) => void;
}

export interface Refusal {
  readonly status: number;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** JSON-RPC error code. Default: -32000 (server error). */
  readonly code?: number;
  readonly id?: RequestId | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

/** Always a JSON-RPC error, which clients show, even if the request was not JSON-RPC. */
export function refuse({ status, message, code, id, data, headers }: Refusal): Response {
  const error = { code: code ?? SERVER_ERROR, message, ...(data === undefined ? {} : { data }) };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status, headers: { ...headers } });
}

/** For a failed {@link HttpParts.open}. Uses status 200 if the request id is known, because clients show only the number of other statuses. */
export function refuseUnopened(error: unknown, body: unknown): Response {
  const id = idOf(body);
  const status = id === null ? 503 : 200;
  if (!(error instanceof DeskterityError)) {
    const message = 'The connection could not be opened. See the log of the server.';
    return refuse({ status, code: INTERNAL_ERROR, message, id });
  }
  const message = `${error.message} ${error.suggestion}`;
  return refuse({ status, code: INTERNAL_ERROR, message, id, data: { ...error.toBody() } });
}

/** The id of the request, if the body is exactly one request. */
export function idOf(body: unknown): RequestId | null {
  if (!isRecord(body) || !('method' in body)) return null;
  return isRequestId(body['id']) ? body['id'] : null;
}
