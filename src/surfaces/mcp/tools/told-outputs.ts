import { isRecord } from '../../../model/is-record.ts';
import { mentionCommand } from '../../../model/text/mention.ts';

/** Operations whose output is remembered as told. */
const MOST_REMEMBERED = 200;
/** This much of the end of what was told must come again, for the rest to count as its continuation. */
const LONGEST_END = 400;
const SHORTEST_END = 40;

/** The output of operations that one client has already received, so that later answers do not repeat it. */
export class ToldOutputs {
  private readonly told = new Map<string, string>();

  /** The answer without output that this session was told before. The output itself can be read again, from any place. */
  once(session: string, command: string, answer: Record<string, unknown>): Record<string, unknown> {
    if (command === 'operation output') return answer;
    const { operations } = answer;
    if (Array.isArray(operations))
      return { ...answer, operations: operations.map((one: unknown) => this.shortened(session, one)) };
    const shortened = this.shortened(session, answer);
    return isRecord(shortened) ? shortened : answer;
  }

  private shortened(session: string, answer: unknown): unknown {
    if (!isRecord(answer)) return answer;
    const { operation_id: id, output, ...others } = answer;
    if (typeof id !== 'string' || typeof output !== 'string') return answer;
    const key = JSON.stringify([session, id]);
    const before = this.told.get(key);
    this.remember(key, output);
    const rest = before === undefined ? output : continuation(before, output);
    if (rest === output) return answer;
    const leftOut: readonly unknown[] = Array.isArray(others['left_out']) ? others['left_out'] : [];
    const again = mentionCommand('operation output', { operation_id: id });
    const note =
      rest === ''
        ? `output: unchanged since an earlier answer; ${again} reads it again`
        : `output: what an earlier answer had; ${again} reads it again`;
    return {
      operation_id: id,
      ...others,
      ...(rest === '' ? {} : { output: rest }),
      left_out: [...leftOut, note],
    };
  }

  private remember(key: string, output: string): void {
    this.told.delete(key);
    this.told.set(key, output);
    const [oldest] = this.told.keys();
    if (this.told.size > MOST_REMEMBERED && oldest !== undefined) this.told.delete(oldest);
  }
}

/** What follows in `now` after the end of `before`; all of it if that end does not come again. */
function continuation(before: string, now: string): string {
  if (now === before) return '';
  const end = before.slice(-LONGEST_END);
  if (end.length < SHORTEST_END) return now.startsWith(before) ? now.slice(before.length) : now;
  const at = now.lastIndexOf(end);
  return at === -1 ? now : now.slice(at + end.length).replace(/^\n/, '');
}
