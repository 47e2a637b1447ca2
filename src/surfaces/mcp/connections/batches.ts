import { isRecord } from '../../../model/is-record.ts';
import { parseJSONRPCMessage, type JSONRPCMessage } from '../sdk.ts';

/** The only protocol revision in which several messages may come as one list. */
const BATCH_VERSION = '2025-03-26';
/** As many as the protocol library takes over HTTP. */
const MOST_MESSAGES = 100;

/** Why a list of messages is not served, as a sentence or two; `undefined` if it is. */
export function whyNoBatch(
  messages: readonly unknown[],
  agreedVersion: string | undefined,
): string | undefined {
  if (messages.some((message) => isRecord(message) && message['method'] === 'initialize'))
    return 'initialize must not be in a list of messages. Send it alone.';
  if (agreedVersion !== BATCH_VERSION)
    return `Several messages in one list are served only where protocol version ${BATCH_VERSION} was agreed. Send them one by one.`;
  if (messages.length === 0) return 'The list has no messages.';
  if (messages.length <= MOST_MESSAGES) return undefined;
  return `The list has ${messages.length} messages. Send at most ${MOST_MESSAGES}.`;
}

/** A list of messages whose answers are sent as one list, when all are there. */
export class Batch {
  private readonly send: (answers: readonly object[]) => void;
  private readonly answers: object[] = [];
  private awaited = 0;
  /** While its messages are being delivered. */
  private isOpen = true;

  constructor(send: (answers: readonly object[]) => void) {
    this.send = send;
  }

  /** A request of it was delivered, and will be answered or cancelled. */
  expect(): void {
    this.awaited += 1;
  }

  /** The answer to one of its requests; `undefined` if it was cancelled, which is not answered. */
  settle(answer: object | undefined): void {
    this.awaited -= 1;
    if (answer !== undefined) this.answers.push(answer);
    this.sendIfWhole();
  }

  /** An answer to what was not delivered. */
  refuse(answer: object): void {
    this.answers.push(answer);
  }

  /** Everything was delivered. */
  close(): void {
    this.isOpen = false;
    this.sendIfWhole();
  }

  private sendIfWhole(): void {
    if (this.isOpen || this.awaited > 0 || this.answers.length === 0) return;
    this.send(this.answers.splice(0));
  }
}

/** `undefined` for what is no message. */
export function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
