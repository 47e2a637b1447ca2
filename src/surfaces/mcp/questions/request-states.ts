import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '../../../model/is-record.ts';
import type { FormSchema, QuestionKind } from './question.ts';
import { ProtocolError, ProtocolErrorCode } from '../sdk.ts';

/** Time for the answer to one round of questions, in both eras. */
export const ANSWER_MS = 5 * 60_000;
/** Used states that are remembered until they would have expired anyway. */
const MOST_USED = 10_000;
const KEY_BYTES = 32;
const LONGEST_STATE = 1024 * 1024;

/** The call that a state belongs to. */
export interface StatedCall {
  readonly method: string;
  /** Name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly input: unknown;
  /** Who called, where the transport authenticates. */
  readonly principal: string | undefined;
}

/** A question that was asked. */
export interface AskedQuestion {
  readonly kind: QuestionKind;
  readonly digest: string;
  /** The fields of a form. */
  readonly schema?: FormSchema | undefined;
}

/** What the next call must know. */
export interface Progress {
  /** How often the client has been asked. */
  readonly round: number;
  /** By name. */
  readonly asked: Readonly<Record<string, AskedQuestion>>;
  /** Answers of earlier rounds, unchecked. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const State = z.object({
  nonce: z.string(),
  expires: z.number(),
  call: z.string(),
  round: z.number(),
  // The signature has been checked, so this is what was issued.
  asked: z.record(z.string(), z.custom<AskedQuestion>()),
  answers: z.record(z.string(), z.unknown()),
});

/** Why a state is refused; `data.reason` of the error. */
export type RefusedState =
  | 'request_state_unknown'
  | 'request_state_expired'
  | 'request_state_of_another_call'
  | 'request_state_used';

const WHY: Readonly<Record<RefusedState, string>> = {
  request_state_unknown: 'The request state was changed, or this connection did not issue it',
  request_state_expired: 'The request state has expired',
  request_state_of_another_call:
    'The request state belongs to another call: the name, the arguments and the client must be those of the call that was answered with it',
  request_state_used: 'The request state has been used; each answers one call',
};

/**
 * The states that one connection issues with its questions (`requestState`). A client keeps them, so they are signed; each is valid once, for
 * a limited time, and for the same call of the same client. The key lives as long as the connection: a state never outlives it.
 */
export class RequestStates {
  private readonly key = randomBytes(KEY_BYTES);
  /** When each used state would have expired, by its nonce; the earliest first. */
  private readonly used = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  issue(call: StatedCall, progress: Progress): string {
    const nonce = randomBytes(16).toString('base64url');
    const state = { nonce, expires: this.now() + ANSWER_MS, call: digestOf(call), ...progress };
    const payload = Buffer.from(JSON.stringify(state)).toString('base64url');
    return `${payload}.${this.sign(payload).toString('base64url')}`;
  }

  /** What was known when the state was issued. The state cannot be used again. @throws ProtocolError -32602 with a {@link RefusedState} */
  redeem(sealed: unknown, call: StatedCall): Progress {
    const state = this.verified(sealed);
    if (state === undefined) throw refused('request_state_unknown');
    const now = this.now();
    if (state.expires <= now) throw refused('request_state_expired');
    if (state.call !== digestOf(call)) throw refused('request_state_of_another_call');
    if (this.used.has(state.nonce)) throw refused('request_state_used');
    this.remember(state, now);
    return state;
  }

  private verified(sealed: unknown): z.output<typeof State> | undefined {
    if (typeof sealed !== 'string' || sealed.length > LONGEST_STATE) return undefined;
    const [payload = '', signature = '', ...more] = sealed.split('.');
    const expected = this.sign(payload);
    const given = Buffer.from(signature, 'base64url');
    // Decoding ignores characters outside the alphabet, so the text is compared as well.
    const isExact = more.length === 0 && given.toString('base64url') === signature;
    if (!isExact || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return State.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  }

  private remember({ nonce, expires }: z.output<typeof State>, now: number): void {
    for (const [each, until] of this.used) {
      if (until > now && this.used.size < MOST_USED) break;
      // Never forgotten while it is valid: it could be used again.
      if (until > now) throw tooManyUsed();
      this.used.delete(each);
    }
    this.used.set(nonce, expires);
  }

  private sign(payload: string): Buffer {
    return createHmac('sha256', this.key).update(payload).digest();
  }
}

/** A digest that is equal for equal values, whatever the order of their keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sortedKeys) ?? '')
    .digest('base64url');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const names = Object.keys(value).toSorted();
  // As a list of pairs, because an object would put names that look like numbers first, and lose `__proto__`.
  return { pairs: names.map((name) => [name, value[name]]) };
}

function refused(reason: RefusedState): ProtocolError {
  const message = `${WHY[reason]}. Repeat the call without requestState and inputResponses to be asked again.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason });
}

function tooManyUsed(): ProtocolError {
  const message = `More than ${MOST_USED} questions were answered in ${ANSWER_MS / 60_000} minutes. Try again later.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason: 'request_state_limit' });
}
