import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';

const Place = z.object({ private_desktop: z.string().optional() });

/** One tool call: all commands it runs share one deadline. */
export class InspectCall {
  private readonly calls: ClientCalls;
  private readonly end: number;
  private readonly signal: AbortSignal;
  private readonly expiry = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly cancelled: AbortSignal;
  /** `:N` of a desktop that Deskterity chose or started; known after the first answer. */
  privateDesktop: string | undefined;

  constructor(calls: ClientCalls, timeoutMs: number, cancelled: AbortSignal) {
    this.calls = calls;
    this.end = performance.now() + timeoutMs;
    this.cancelled = cancelled;
    this.signal = AbortSignal.any([cancelled, this.expiry.signal]);
    this.timer = setTimeout(() => this.expiry.abort(), timeoutMs);
  }

  /** Whether no more commands can run. */
  get isOver(): boolean {
    return this.signal.aborted || performance.now() >= this.end;
  }

  /** The answer of a command, parsed by `schema`. @throws DeskterityError */
  async run<T>(command: string, input: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<T> {
    const leftMs = Math.floor(this.end - performance.now());
    if (leftMs < 1) throw outOfTime();
    try {
      const { signal } = this;
      const { output } = await this.calls.answer(
        command,
        { ...input, timeout_ms: leftMs },
        { signal, isData: true },
      );
      this.privateDesktop ??= Place.parse(output).private_desktop;
      return schema.parse(output);
    } catch (error) {
      // The command reports CANCELLED; the cause is the deadline.
      throw this.expiry.signal.aborted && !this.cancelled.aborted ? outOfTime() : error;
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

function outOfTime(): DeskterityError {
  return new DeskterityError('TIMEOUT', 'Time is up.', {
    suggestion: 'Call again in a moment.',
    retryable: true,
  });
}
