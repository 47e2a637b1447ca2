import { WAIT_STATES } from '../../model/terminals/terminal-state.ts';
import {
  asText,
  flag,
  integer,
  list,
  oneOf,
  optional,
  record,
  text,
  wrong,
} from '../../operations/holder/frame-fields.ts';
import { isRecord } from '../../operations/holder/line-frames.ts';
import type { Parsed } from '../../operations/holder/line-frames.ts';
import type { EndedCommand, RunOutcome, TerminalFactsView } from '../../ports/terminals.ts';
import { nameOf, sizeOf } from './terminal-asks.ts';

/** What became of a run, as a holder says it. */
export interface RunAnswer {
  readonly kind: RunOutcome['kind'];
  readonly exitCode: number | undefined;
  /** The end of what it wrote, where the holder has all that was asked for. */
  readonly tail: RunTail | undefined;
  /** Sentences about what is missing. */
  readonly leftOut: readonly string[];
  readonly durationMs: number;
  readonly range: RunOutcome['range'];
  readonly facts: TerminalFactsView;
}

export interface RunTail {
  /** Without control sequences. */
  readonly text: string;
  readonly omittedLines: number;
}

/** What a holder tells unasked. Bytes go as Base64. */
export type TerminalNews =
  /** Something was written to a screen that is watched. */
  | { readonly news: 'shown'; readonly terminal: string }
  /** One that is watched or attached has ended. */
  | { readonly news: 'exited'; readonly terminal: string }
  /** What an attached one shows. */
  | { readonly news: 'bytes'; readonly terminal: string; readonly bytes: Uint8Array }
  /** To everybody. */
  | { readonly news: 'command-ended'; readonly ended: EndedCommand };

const RUN_KINDS = ['completed', 'started', 'waiting', 'timed_out', 'not_begun', 'shell_ended'] as const;

export function newsFrame(news: TerminalNews): Parsed {
  if (news.news !== 'bytes') return { ...news };
  return { ...news, bytes: Buffer.from(news.bytes).toString('base64') };
}

/** @throws FrameError */
export function parseNews(frame: Parsed): TerminalNews {
  const kind = frame['news'];
  switch (kind) {
    case 'shown':
    case 'exited':
      return { news: kind, terminal: text(frame, 'terminal') };
    case 'bytes': {
      const bytes = Buffer.from(text(frame, 'bytes'), 'base64');
      return { news: kind, terminal: text(frame, 'terminal'), bytes };
    }
    case 'command-ended': {
      const ended = record(frame, 'ended');
      return {
        news: kind,
        ended: {
          terminal: parseFacts(record(ended, 'terminal')),
          command: text(ended, 'command'),
          exitCode: optional(ended, 'exitCode', integer),
        },
      };
    }
    default:
      throw wrong('news');
  }
}

/** @throws FrameError */
export function parseFacts(frame: Parsed): TerminalFactsView {
  const startedAt = new Date(text(frame, 'startedAt'));
  if (Number.isNaN(startedAt.getTime())) throw wrong('startedAt');
  return {
    id: text(frame, 'id'),
    name: nameOf(frame, 'name'),
    pid: integer(frame, 'pid'),
    ttyPath: text(frame, 'ttyPath'),
    shell: text(frame, 'shell'),
    startedAt,
    isConfined: flag(frame, 'isConfined'),
    size: sizeOf(frame, 'size'),
    title: text(frame, 'title'),
    cwd: optional(frame, 'cwd', text),
    state: oneOf(frame, 'state', WAIT_STATES),
    restsOn: list(frame, 'restsOn', asText),
    prompt: optional(frame, 'prompt', text),
    running: optional(frame, 'running', text),
    exitCode: optional(frame, 'exitCode', integer),
    attached: integer(frame, 'attached'),
  };
}

/** @throws FrameError */
export function parseList(frame: Parsed): TerminalFactsView[] {
  return list(frame, 'terminals', (value) => {
    if (!isRecord(value)) throw wrong('terminals');
    return parseFacts(value);
  });
}

/** @throws FrameError */
export function parseRun(frame: Parsed): RunAnswer {
  return {
    kind: oneOf(frame, 'kind', RUN_KINDS),
    exitCode: optional(frame, 'exitCode', integer),
    tail: optional(frame, 'tail', (of, key) => {
      const value = record(of, key);
      return { text: text(value, 'text'), omittedLines: integer(value, 'omittedLines') };
    }),
    leftOut: list(frame, 'leftOut', asText),
    durationMs: integer(frame, 'durationMs'),
    range: optional(frame, 'range', (of, key) => {
      const value = record(of, key);
      return { from: integer(value, 'from'), to: optional(value, 'to', integer) };
    }),
    facts: parseFacts(record(frame, 'facts')),
  };
}

/** @throws FrameError */
export function parseLines(frame: Parsed): { readonly text: string; readonly leftOut: readonly string[] } {
  return { text: text(frame, 'text'), leftOut: list(frame, 'leftOut', asText) };
}
