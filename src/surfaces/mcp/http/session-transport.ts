import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  WebStandardStreamableHTTPServerTransport,
} from '../sdk.ts';
import type { AuthInfo, JSONRPCMessage } from '../sdk.ts';
import { cancelledBy, type RequestId } from '../connections/line-transport.ts';
import { whyNoBatch } from '../connections/batches.ts';
import { inLegacyTerms } from '../protocol-errors.ts';
import { INVALID_REQUEST, refuse } from './answer.ts';

/** A cancelled request is not answered, but the library must know that it has ended. */
const CANCELLED = { code: -32_800, message: 'The request was cancelled.' };

/** The library's transport of one session, with its pending requests. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  requestLimit = Number.POSITIVE_INFINITY;
  private agreedVersion: string | undefined;
  /** By id, whether the request was sent alone rather than in a batch. */
  private readonly pending = new Map<RequestId, boolean>();

  get isBusy(): boolean {
    return this.pending.size > 0;
  }

  /** Called by the protocol library when the version is agreed. */
  setProtocolVersion(version: string): void {
    this.agreedVersion = version;
  }

  /** `body`: the parsed body of a POST. */
  async receive(request: Request, body: unknown, authInfo?: AuthInfo): Promise<Response> {
    if (request.method !== 'POST') return this.handleRequest(request);
    const why = Array.isArray(body) ? whyNoBatch(body, this.agreedVersion) : undefined;
    if (why !== undefined) return refuse({ status: 400, code: INVALID_REQUEST, message: why });
    const messages: unknown[] = Array.isArray(body) ? body : [body];
    const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
    const refusal = this.refusalOf(ids);
    if (refusal !== undefined) return refusal;
    for (const id of ids) this.pending.set(id, messages.length === 1);
    const response = await this.handleRequest(request, {
      parsedBody: body,
      ...(authInfo === undefined ? {} : { authInfo }),
    });
    if (!response.ok) for (const id of ids) this.pending.delete(id);
    for (const message of messages) {
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) await this.forget(cancelled);
    }
    return response;
  }

  override async send(
    message: JSONRPCMessage,
    options?: Parameters<WebStandardStreamableHTTPServerTransport['send']>[1],
  ): Promise<void> {
    await super.send(inLegacyTerms(message), options);
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.pending.delete(message.id);
  }

  /** Cancels all requests, because the client has disconnected. */
  async cancelAll(): Promise<void> {
    for (const requestId of this.pending.keys()) {
      const params = { requestId, reason: 'The client has disconnected.' };
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      await this.forget(requestId);
    }
  }

  private refusalOf(ids: readonly RequestId[]): Response | undefined {
    const duplicate = ids.find((id, index) => this.pending.has(id) || ids.indexOf(id) !== index);
    if (duplicate !== undefined) {
      const message = `A request with the id ${JSON.stringify(duplicate)} is pending. Use a unique id for each request.`;
      return refuse({ status: 400, code: INVALID_REQUEST, message });
    }
    if (this.pending.size + ids.length <= this.requestLimit) return undefined;
    const message = `More than ${this.requestLimit} requests are pending. Wait for answers before sending more.`;
    return refuse({ status: 429, message, id: ids[0] ?? null });
  }

  /** Ends the stream of a cancelled request, which the library would keep open for its answer. */
  private async forget(id: RequestId): Promise<void> {
    const isAlone = this.pending.get(id);
    if (isAlone === undefined) return;
    this.pending.delete(id);
    if (isAlone) this.closeSSEStream(id);
    await super.send({ jsonrpc: '2.0', id, error: CANCELLED }).catch(() => undefined);
  }
}
