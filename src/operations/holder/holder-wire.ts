import type { Confinement } from '../../model/tools/confinement.ts';
import type { OperationRequest } from '../../ports/operations.ts';
import {
  asText,
  confinement,
  environment,
  flag,
  integer,
  list,
  oneOf,
  optional,
  record,
  text,
  wrong,
} from './frame-fields.ts';
import { FrameError, isRecord } from './line-frames.ts';
import type { Parsed } from './line-frames.ts';

/** Of the frames below. What another one says is not understood. */
export const HOLDER_PROTOCOL = 2;

export type ToHolder =
  /** First of all: whoever does not know the token is nobody. */
  | { readonly type: 'hello'; readonly protocol: number; readonly token: string }
  /** Make ready what runs of this confinement need. Answered by `done`. */
  | { readonly type: 'prepare'; readonly id: number; readonly confinement: Confinement }
  /** Answered by `started`. */
  | { readonly type: 'start'; readonly id: number; readonly request: OperationRequest }
  /** Answered by `done` when it is over. */
  | { readonly type: 'cancel'; readonly id: number; readonly operation: string }
  /** End what is left of an operation whose holder is gone. Answered by `done`. */
  | {
      readonly type: 'end';
      readonly id: number;
      readonly operation: string;
      readonly leader?: Leader | undefined;
    }
  /** What is asked about terminals: see `terminal/terminal-wire.ts`. Answered by `answer`. */
  | { readonly type: 'ask'; readonly id: number; readonly ask: Parsed }
  /** Nobody waits for the answer to a question any more. It is answered all the same. */
  | { readonly type: 'leave'; readonly id: number };

/** See `ProcessPort.endAll`. */
export interface Leader {
  readonly pid: number;
  readonly startTime: string;
}

export type FromHolder =
  | { readonly type: 'welcome'; readonly pid: number }
  /** The record is as on the disk; whoever gets it checks it. */
  | { readonly type: 'started'; readonly id: number; readonly record: unknown }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Parsed }
  | Refused
  /** Unasked: of terminals, to whom they concern; see `terminal/terminal-wire.ts`. */
  | { readonly type: 'news'; readonly news: Parsed }
  /** To everybody, unasked: the record of an operation is another one now. */
  | { readonly type: 'changed'; readonly operation: string; readonly isOver: boolean };

export interface Refused {
  readonly type: 'refused';
  /** Of one call; the connection is closed where absent. */
  readonly id?: number | undefined;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
  readonly detail?: string | undefined;
  readonly isRetryable: boolean;
  /** Some of it was done before it failed. */
  readonly isDelivered?: boolean | undefined;
}

/** What a client sent, checked. @throws FrameError */
export function parseToHolder(frame: Parsed): ToHolder {
  switch (frame['type']) {
    case 'hello':
      return { type: 'hello', protocol: integer(frame, 'protocol'), token: text(frame, 'token') };
    case 'prepare':
      return {
        type: 'prepare',
        id: integer(frame, 'id'),
        confinement: confinement(record(frame, 'confinement')),
      };
    case 'start':
      return { type: 'start', id: integer(frame, 'id'), request: request(record(frame, 'request')) };
    case 'cancel':
      return { type: 'cancel', id: integer(frame, 'id'), operation: text(frame, 'operation') };
    case 'end':
      return {
        type: 'end',
        id: integer(frame, 'id'),
        operation: text(frame, 'operation'),
        leader: optional(frame, 'leader', leader),
      };
    case 'ask':
      return { type: 'ask', id: integer(frame, 'id'), ask: record(frame, 'ask') };
    case 'leave':
      return { type: 'leave', id: integer(frame, 'id') };
    default:
      throw new FrameError('a frame is of no known type');
  }
}

/** What a holder sent, checked. @throws FrameError */
export function parseFromHolder(frame: Parsed): FromHolder {
  switch (frame['type']) {
    case 'welcome':
      return { type: 'welcome', pid: integer(frame, 'pid') };
    case 'started':
      return { type: 'started', id: integer(frame, 'id'), record: record(frame, 'record') };
    case 'done':
      return { type: 'done', id: integer(frame, 'id') };
    case 'answer':
      return { type: 'answer', id: integer(frame, 'id'), answer: record(frame, 'answer') };
    case 'news':
      return { type: 'news', news: record(frame, 'news') };
    case 'changed':
      return { type: 'changed', operation: text(frame, 'operation'), isOver: frame['isOver'] === true };
    case 'refused':
      return {
        type: 'refused',
        id: optional(frame, 'id', integer),
        code: text(frame, 'code'),
        message: text(frame, 'message'),
        suggestion: text(frame, 'suggestion'),
        detail: optional(frame, 'detail', text),
        isRetryable: frame['isRetryable'] === true,
        isDelivered: optional(frame, 'isDelivered', flag),
      };
    default:
      throw new FrameError('a frame is of no known type');
  }
}

function leader(frame: Parsed, key: string): Leader {
  const value = record(frame, key);
  return { pid: integer(value, 'pid'), startTime: text(value, 'startTime') };
}

const MOST_STEPS = 100;

function request(frame: Parsed): OperationRequest {
  const steps = list(frame, 'steps', step);
  if (steps.length === 0 || steps.length > MOST_STEPS) throw wrong('steps');
  return {
    tool: text(frame, 'tool'),
    steps,
    scope: text(frame, 'scope'),
    session: text(frame, 'session'),
    timeoutMs: optional(frame, 'timeoutMs', integer),
    output: oneOf(frame, 'output', ['merged', 'separate']),
    budgetBytes: integer(frame, 'budgetBytes'),
  };
}

function step(value: unknown): OperationRequest['steps'][number] {
  if (!isRecord(value)) throw wrong('steps');
  const [program, ...rest] = list(value, 'command', asText);
  if (program === undefined || program === '') throw wrong('command');
  return {
    command: [program, ...rest],
    cwd: text(value, 'cwd'),
    delayMs: optional(value, 'delayMs', integer),
    environment: environment(record(value, 'environment')),
    confinement: confinement(record(value, 'confinement')),
  };
}
