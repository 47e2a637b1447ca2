import { createHash } from 'node:crypto';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LimitPassed, SessionLimits } from '../../model/limits/call-limits.ts';
import { REPEATED } from '../../model/limits/failing-calls.ts';
import { denialBehind } from '../../policy/policy-error.ts';
import { isEffectful } from '../audited-facts.ts';
import type { CommandContext } from '../definition.ts';
import type { Wrapper } from './wrapper.ts';

/** A warm read takes a few milliseconds, and programs that test applications read often. */
const READ_COST = 0.25;

/** Steps wait for their turn this long: to end a workflow in the middle would leave its work half done. */
const STEP_WAIT_MS = 2000;

/**
 * Refuses calls that come too often, and tells callers that repeat what fails. Every attempt counts, also one that is then denied; steps of other
 * commands count, but wait for a moment instead of failing.
 */
export const limitCalls: Wrapper = (command, next) => async (ctx, input) => {
  const { limits, isStep = false } = ctx;
  const { definition, name } = command;
  // Stopping always works.
  if (limits === undefined || definition.isUrgent === true) return next(ctx, input);
  const isRead = !isEffectful(definition, input);
  const end = await turnOf({ ctx, limits, name, isStep, cost: isRead ? READ_COST : 1 });
  const failing = limits.counts.failing(ctx.session, ctx.clock.now());
  const key = keyOf(name, input);
  try {
    const output = await next(ctx, input);
    failing.succeeded(key, isRead);
    return output;
  } catch (error) {
    // An attempt to reach a denied application counts like an act, also if it was to read.
    if (isRead && denialBehind(error)?.application !== undefined)
      limits.counts.add(ctx.session, ctx.clock.now(), 1 - READ_COST);
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    const count = failing.failed(key);
    throw count < REPEATED ? error : advised(error, count);
  } finally {
    end();
  }
};

interface Turn {
  readonly ctx: CommandContext;
  readonly limits: SessionLimits;
  readonly name: string;
  readonly isStep: boolean;
  readonly cost: number;
}

async function turnOf({ ctx, limits, name, isStep, cost }: Turn): Promise<() => void> {
  const { clock, session, signal } = ctx;
  const giveUpAt = clock.now() + STEP_WAIT_MS;
  for (;;) {
    const now = clock.now();
    const begun = limits.counts.begin(session, { now, cost, isStep }, limits);
    if (typeof begun === 'function') return begun;
    if (!isStep || now + begun.retryAfterMs > giveUpAt) {
      const failure = tooMany(begun);
      if (begun.isNews) await noteRefusal(ctx, name, failure);
      throw failure;
    }
    await clock.sleep(begun.retryAfterMs, signal);
  }
}

/** At most once a second for each session: a flood of calls must not become a flood of entries. */
async function noteRefusal({ audit, callId }: CommandContext, command: string, failure: DeskterityError) {
  if (audit === undefined) return;
  const facts = { ...audit.who, call: callId, command, result: failure.code, reason: failure.message };
  try {
    await (await audit.log()).record({ kind: 'denied', facts });
    audit.onEntry?.('denied', facts);
  } catch {
    // The call is refused all the same.
  }
}

const LIMITS = {
  perSecond: { words: (most: number) => `${most} calls per second`, key: 'rps' },
  perMinute: { words: (most: number) => `${most} calls per minute`, key: 'rpm' },
  atOnce: { words: (most: number) => `${most} calls at once`, key: 'concurrency' },
} as const;

function tooMany({ limit, most, of, retryAfterMs }: LimitPassed): DeskterityError {
  const { words, key } = LIMITS[limit];
  const whose = of === 'all' ? 'all sessions together' : 'one session';
  return new DeskterityError('RATE_LIMITED', `Too many calls: ${whose} may make ${words(most)}.`, {
    suggestion: `Wait ${retryAfterMs} ms, then repeat it. The limit is rate_limit.${of === 'all' ? 'all_' : ''}${key} in config.toml.`,
    retryable: true,
    retryAfterMs,
    delivered: false,
  });
}

function advised(error: DeskterityError, count: number): DeskterityError {
  return error.with({
    suggestion: `${error.suggestion} This same call has now failed ${count} times in a row: do not repeat it unchanged. Look at the window again, choose another way, or ask the user.`,
    retryable: false,
  });
}

/** The input itself is not kept: it may have been typed. */
function keyOf(name: string, input: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(input) ?? '';
  } catch {
    // A loop of references, which no command accepts.
    text = 'not JSON';
  }
  return createHash('sha256').update(`${name} ${text}`).digest('hex');
}
