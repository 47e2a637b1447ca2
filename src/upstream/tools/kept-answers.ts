import { randomBytes } from 'node:crypto';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ServerAnswer } from '../../model/tools/server-answer.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';

const MOST_KEPT = 20;
const MOST_CHARACTERS = 32 * 1024 * 1024;

interface Kept {
  readonly owner: string;
  readonly server: string;
  readonly tool: string;
  readonly text: string;
}

/** Long answers, so that their rest can be read. Only the newest ones are kept, in memory. */
export class KeptAnswers {
  private readonly kept = new Map<string, Kept>();

  /** The first part of a text, and how to get the rest. `owner` is the only one who can. */
  first(kept: Kept, most: number): Pick<ServerAnswer, 'output' | 'left_out' | 'result_id' | 'next_cursor'> {
    if (kept.text === '') return {};
    if (kept.text.length <= most) return { output: kept.text };
    const id = `res-${randomBytes(8).toString('hex')}`;
    this.kept.set(id, kept);
    this.forget();
    return this.part(id, kept, 0, most);
  }

  /** @throws DeskterityError INVALID_ARGUMENT */
  more(owner: string, id: string, cursor: number, most: number): ServerAnswer {
    const kept = this.kept.get(id);
    if (kept?.owner !== owner)
      throw new DeskterityError('INVALID_ARGUMENT', `No answer ${quoteClipped(id)} is kept.`, {
        suggestion: 'Only the newest long answers are kept: call the tool again.',
      });
    const { server, tool, text } = kept;
    const { next_cursor: next, ...part } = this.part(id, kept, Math.min(cursor, text.length), most);
    return { server, tool, ...part, ...(next === undefined ? {} : { next_cursor: next }) };
  }

  private part(
    id: string,
    { text }: Kept,
    start: number,
    most: number,
  ): Pick<ServerAnswer, 'output' | 'left_out' | 'result_id' | 'next_cursor'> {
    const wanted = Math.min(text.length, start + most);
    const last = text.charCodeAt(wanted - 1);
    // Never half of a character.
    const end =
      wanted < text.length && last >= 0xd800 && last <= 0xdbff && wanted - 1 > start ? wanted - 1 : wanted;
    const output = text.slice(start, end);
    if (end >= text.length) return { output };
    const leftOut = [`${text.length - end} of ${text.length} characters, from ${end} on`];
    return { output, left_out: leftOut, result_id: id, next_cursor: end };
  }

  private forget(): void {
    let size = 0;
    for (const [id, { text }] of [...this.kept].toReversed()) {
      size += text.length;
      const position = [...this.kept.keys()].indexOf(id);
      if (size > MOST_CHARACTERS || this.kept.size - position > MOST_KEPT) this.kept.delete(id);
    }
  }
}
