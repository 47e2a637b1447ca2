import {
  requestChannel,
  type McpConnection,
  type PlainChannel,
  type RequestChannel,
} from '../connections/connection.ts';
import type { Era } from '../era.ts';
import { claimsIn } from '../questions/abilities.ts';
import { answering } from '../questions/asking.ts';
import { pageDoneNotice } from '../questions/page-done-notice.ts';
import type { RequestStates } from '../questions/request-states.ts';
import type { InputRequiredResult, Server, ServerContext } from '../sdk.ts';
import { asClient } from './request-client.ts';

/** One protocol server, and what it answers from. */
export interface Served {
  readonly server: Server;
  readonly connection: McpConnection;
  readonly era: Era;
  /** Of questions that a later request answers: all of the modern era, and those of tasks. */
  readonly states: RequestStates;
  /** Callers may do only what their access tokens permit. */
  readonly isScoped: boolean;
}

export function channelOf(context: ServerContext, { isScoped }: Pick<Served, 'isScoped'>): PlainChannel {
  return requestChannel(context, isScoped);
}

export interface AskingRequest {
  readonly channel: PlainChannel;
  /** Name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly input: unknown;
}

/** Answers a request that may ask its client. */
export function withQuestions<R>(
  { server, era, states }: Pick<Served, 'server' | 'era' | 'states'>,
  { channel, name, input }: AskingRequest,
  run: (channel: RequestChannel) => Promise<R>,
): Promise<R | InputRequiredResult> {
  const { context, task } = channel;
  const isAnsweredLater = era !== 'legacy' || task?.isTask() === true;
  const capabilities = era === 'legacy' ? server.getClientCapabilities() : claimsIn(context);
  const revision = era === 'legacy' ? server.getNegotiatedProtocolVersion() : undefined;
  const asked = {
    context,
    name,
    input,
    capabilities,
    revision,
    onPageDone: pageDoneNotice(server),
    states: isAnsweredLater ? states : undefined,
  };
  return asClient({ server, isLegacy: era === 'legacy', channel }, () =>
    answering(asked, (client) => run({ ...channel, client })),
  );
}
