import { z } from 'zod';
import { ErrorBody } from '../../../src/model/effects/error-body.ts';
import { ERROR_EXIT_CODES, type ErrorCode } from '../../../src/model/effects/errors.ts';
import { Receipt } from '../../../src/model/effects/effect.ts';

const Failure = z.looseObject({ version: z.literal('1.0'), ok: z.literal(false), error: ErrorBody });
const Success = z.looseObject({ version: z.literal('1.0'), ok: z.literal(true) });
const LONGEST_SHOWN = 6000;

/** The output and exit code of one run of the program. */
export class Reply {
  readonly args: readonly string[];
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;

  constructor(facts: {
    args: readonly string[];
    exitCode: number | string;
    stdout: string;
    stderr: string;
    durationMs: number;
  }) {
    this.args = facts.args;
    this.exitCode = facts.exitCode;
    this.stdout = facts.stdout;
    this.stderr = facts.stderr;
    this.durationMs = facts.durationMs;
  }

  get json(): unknown {
    try {
      return JSON.parse(this.stdout);
    } catch (error) {
      throw new Error(`no JSON from ${this.toString()}`, { cause: error });
    }
  }

  /** The answer of a command that must succeed. `exitCode` 1 can be an answer too, as for `is`. */
  ok<T extends z.ZodType>(schema: T, exitCode = 0): z.output<T> {
    if (this.exitCode !== exitCode) throw new Error(`expected exit code ${exitCode}: ${this.toString()}`);
    return this.parse(schema, Success.safeParse(this.json).success);
  }

  /** The error of a command that must fail with this code, its exit code and a suggestion. */
  error(code: ErrorCode): ErrorBody {
    const parsed = Failure.safeParse(this.json);
    const error = parsed.data?.error;
    if (error?.code !== code || this.exitCode !== ERROR_EXIT_CODES[code])
      throw new Error(`expected ${code} and exit code ${ERROR_EXIT_CODES[code]}: ${this.toString()}`);
    if (error.suggestion.trim() === '') throw new Error(`no suggestion: ${this.toString()}`);
    return error;
  }

  /** The receipt of an acting command, from its answer or beside its error. */
  get receipt(): Receipt {
    return this.parse(Receipt.loose(), true);
  }

  toString(): string {
    const clip = (text: string): string =>
      text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text;
    const shown = this.args.map((arg) => clip(JSON.stringify(arg)));
    return `desk ${shown.join(' ')} -> ${this.exitCode} in ${Math.round(this.durationMs)} ms\n${clip(this.stdout)}${clip(this.stderr)}`;
  }

  private parse<T extends z.ZodType>(schema: T, accepted: boolean): z.output<T> {
    const parsed = schema.safeParse(this.json);
    if (accepted && parsed.success) return parsed.data;
    throw new Error(`not the expected answer: ${parsed.error?.message ?? ''} ${this.toString()}`);
  }
}
