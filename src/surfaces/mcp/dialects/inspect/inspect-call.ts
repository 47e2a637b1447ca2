import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';

const Place = z.object({ private_desktop: z.string().optional() });

/** One call of a tool: all that it asks of the desktop shares one deadline. */
export class InspectCall {
  private readonly calls: DeskCalls;
  private readonly end: number;
  private readonly signal: AbortSignal;
  private readonly expiry = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly cancelled: AbortSignal;
  /** `:N` of a desktop that Deskterity chose or started; known after an answer. */
  privateDesktop: string | undefined;

  constructor(calls: DeskCalls, timeoutMs: number, cancelled: AbortSignal) {
    this.calls = calls;
    this.end = performance.now() + timeoutMs;
    this.cancelled = cancelled;
    this.signal = AbortSignal.any([cancelled, this.expiry.signal]);
    this.timer = setTimeout(() => this.expiry.abort(), timeoutMs);
  }

  /** Whether nothing more can be asked. */
  get isOver(): boolean {
    return this.signal.aborted || performance.now() >= this.end;
  }

  /** A command's answer, as far as `schema` describes it. @throws DeskterityError */
  async ask<T>(command: string, input: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<T> {
    const leftMs = Math.floor(this.end - performance.now());
    if (leftMs < 1) throw outOfTime();
    try {
      const { signal } = this;
      const { output } = await this.calls.answer(command, { ...input, timeout_ms: leftMs }, { signal });
      this.privateDesktop ??= Place.parse(output).private_desktop;
      return schema.parse(output);
    } catch (error) {
      // The command knows only that it was told to stop.
      throw this.expiry.signal.aborted && !this.cancelled.aborted ? outOfTime() : error;
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

function outOfTime(): DeskterityError {
  return new DeskterityError('TIMEOUT', 'The time is up.', {
    suggestion: 'Call again in a moment.',
    retryable: true,
  });
}
