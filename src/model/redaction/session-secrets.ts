import { isRecord } from '../is-record.ts';
import type { DeskterityError } from '../effects/errors.ts';
import { isReplaceable, redact } from './secret-texts.ts';

/** The oldest are forgotten first. */
const MOST_SECRETS = 200;
/** Lines of a secret with several, such as a key, may be shown one by one; shorter ones occur in other texts. */
const SHORTEST_LINE = 12;
/** A longer text is a document rather than a secret; its lines are not compared with every answer. */
const LONGEST_SECRET = 16_384;

/** Fields with words of our own or ids: a gap there would reveal which word is the secret, and break the form of the answer. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'code',
  'command',
  'cursor',
  'effect',
  'format',
  'kind',
  'native_role',
  'operation_id',
  'ref',
  'role',
  'session',
  'state',
  'states',
  'status',
  'type',
  'version',
]);

/** The secrets that a session was given. None of its answers repeats them. They are kept in memory only. */
export class SessionSecrets {
  private readonly given = new Set<string>();
  private forms: readonly string[] = [];

  /** Adds values; too short ones, and words such as `true`, are not replaced anywhere. */
  add(values: readonly string[]): void {
    const fresh = values.filter(
      (value) => isReplaceable(value) && value.length <= LONGEST_SECRET && !this.given.has(value),
    );
    if (fresh.length === 0) return;
    for (const value of fresh) this.given.add(value);
    for (const oldest of this.given) {
      if (this.given.size <= MOST_SECRETS) break;
      this.given.delete(oldest);
    }
    this.forms = [...this.given].flatMap((value) => linesOf(value));
  }

  get isEmpty(): boolean {
    return this.given.size === 0;
  }

  maskText(text: string): string {
    return this.isEmpty ? text : redact(text, this.forms);
  }

  /** Replaces the secrets in all texts of an answer, except {@link OWN_WORDS}. */
  mask(answer: Record<string, unknown>): Record<string, unknown> {
    if (this.isEmpty) return answer;
    const masked = this.masked(answer);
    return isRecord(masked) ? masked : answer;
  }

  maskError(error: DeskterityError): DeskterityError {
    if (this.isEmpty) return error;
    const { message, suggestion, platformDetail, candidates, result, report, aside } = error;
    const mask = (text: string | undefined): string | undefined => text && this.maskText(text);
    return error.with({
      message: this.maskText(message),
      suggestion: this.maskText(suggestion),
      platformDetail: mask(platformDetail),
      candidates: candidates.map((one) => ({ ...one, name: mask(one.name), detail: mask(one.detail) })),
      result: result && this.mask(result),
      report: mask(report),
      aside: mask(aside),
      // Its message repeats what this one no longer says.
      cause: undefined,
    });
  }

  private masked(data: unknown): unknown {
    if (typeof data === 'string') return redact(data, this.forms);
    if (Array.isArray(data)) return data.map((item: unknown) => this.masked(item));
    if (!isRecord(data)) return data;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, OWN_WORDS.has(key) ? value : this.masked(value)]),
    );
  }
}

/** A secret as it is, and line by line. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE);
  return [...new Set([secret, ...lines])].filter((line) => isReplaceable(line));
}
