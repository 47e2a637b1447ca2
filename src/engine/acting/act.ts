import { mentionCommand } from '../../model/text/mention.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../ports/desktop.ts';
import { mayTick, TICK_MS, type ActSpan } from '../evidence/attribution.ts';
import { readElementContext, type ElementContext } from '../evidence/element-context.ts';
import { confirmed, hideTexts, unverified, type HiddenTexts } from '../evidence/evidence.ts';
import { EventLog } from '../evidence/settle.ts';
import { unrelatedWindows } from '../evidence/unrelated-windows.ts';
import { diffTrees } from '../evidence/window-diff.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { hasNoTree, type ResolvedTarget } from '../refs/target.ts';
import type { ActRequest, EffectRequest } from '../requests/acting.ts';
import { isReusable } from '../tree/identity.ts';
import { requireActionable } from './actionability.ts';
import { judgeAttempt, type Act, type After, type Attempt, type Before, type Verdict } from './attempt.ts';
import { delivering } from './delivery.ts';
import { requireNoModal } from './modal.ts';
import { failureOf, writeReceipt, type ActReport } from './receipt.ts';
import { untilReady } from './until-ready.ts';

/** Reading the context must not use up the time the act itself needs. */
const CONTEXT_SHARE = 0.3;

/** What acting needs. */
export interface ActingParts extends EngineParts {
  readonly actor: Actor;
}

/** Acts on elements and reports what happened: resolve, check, observe, act, settle, observe, compare. */
export class Actor {
  private readonly parts: EngineParts;

  constructor(parts: EngineParts) {
    this.parts = parts;
  }

  /** Carries out one act on the element of a ref. */
  onElement(request: ActRequest, act: Act): Promise<Receipt> {
    const { ref, heal } = request;
    return this.perform(request, (options) => this.parts.resolver.resolveForActing(ref, options, heal), act);
  }

  /** Carries out one act on the target that `resolve` finds; resolves again until the target can be acted on. */
  async perform(
    request: EffectRequest,
    resolve: (options: CallOptions) => Promise<ResolvedTarget>,
    act: Act,
  ): Promise<Receipt> {
    const { desktop, readings, clock } = this.parts;
    const started = clock.now();
    const options = (share = 1): CallOptions => ({
      deadlineMs: Math.max(1, (request.deadlineMs - (clock.now() - started)) * share),
      signal: request.signal,
    });
    const log = new EventLog(clock, request.settle);
    let stop: (() => void) | undefined;
    try {
      const { attempt, before, activationDelayMs } = await delivering(false, async () => {
        const target = await this.ready(resolve, act, options);
        stop = await desktop.watch((event) => log.add(event), { ...options(), appId: target.record.app });
        const withheld = await readings.withheld();
        // Mark before writing: later steps may fail, and other calls of this session may read the field meanwhile.
        if (act.isWithheld === true) await readings.mark(handleOf(target), true);
        const { screen } = desktop;
        const attempt: Attempt = { act, target, screen, log, withheld, options };
        const before = await this.lookBefore(attempt);
        return {
          attempt: { ...attempt, target: { ...target, node: before.node } },
          before,
          activationDelayMs: Math.max(act.reactionMs ?? 0, await this.activationDelayOf(target, options())),
        };
      });
      const already = act.already?.(before.node);
      if (already) return await this.leaveAlone(attempt, { before, evidence: already, started });
      // Bringing a window to the front causes many events; they do not make its elements restless.
      if (act.prepare) log.forget();
      return await delivering(true, async () => {
        const askedAt = clock.now();
        const outcome = await act.run(handleOf(attempt.target), options, attempt.target);
        const span = { askedAt, answeredAt: clock.now(), activationDelayMs };
        return this.report(attempt, { before, outcome, span, started });
      });
    } finally {
      stop?.();
    }
  }

  /** The target as soon as it can be acted on, see {@link untilReady}. */
  private ready(
    resolve: (options: CallOptions) => Promise<ResolvedTarget>,
    act: Act,
    options: (share?: number) => CallOptions,
  ): Promise<ResolvedTarget> {
    return untilReady(this.parts.clock, options, async () => {
      const target = await resolve(options());
      requireActionable(target, act.kind);
      if (act.already?.(target.node) === undefined) await act.prepare?.(target, options);
      return target;
    });
  }

  /** Windows without an accessible tree have no toolkit, so no delay. */
  private async activationDelayOf(target: ResolvedTarget, options: CallOptions): Promise<number> {
    return hasNoTree(target) ? 0 : this.parts.desktop.activationDelayMs(handleOf(target), options);
  }

  /** Reports that the element already is as requested; nothing was sent. */
  private leaveAlone(
    { target, screen }: Attempt,
    done: { before: Before; evidence: readonly string[]; started: number },
  ): Promise<Receipt> {
    return this.issueReceipt({
      target,
      screen,
      outcome: { accepted: true, delivered: false, via: 'nothing was sent' },
      judgement: confirmed(done.evidence, true),
      changes: [],
      windowChanges: [],
      after: done.before,
      durationMs: Math.round(this.parts.clock.now() - done.started),
    });
  }

  private async issueReceipt(report: ActReport): Promise<Receipt> {
    const { session, readings } = this.parts;
    const { receipt, reading } = await session.edit((table) => writeReceipt(table, report));
    await readings.remember(reading);
    return receipt;
  }

  /** The last check before the act. The element itself is read last: it must still be the one resolved, and still be ready. */
  private async lookBefore({ act, target, log, options }: Attempt): Promise<Before> {
    const { desktop } = this.parts;
    const context = await this.unblocked({ target, log, options });
    if (hasNoTree(target)) return { ...context, node: target.node };
    const node = await desktop.describe(handleOf(target), options());
    if (node.role !== target.node.role || (isReusable(target.record) && node.name !== target.node.name))
      throw new DeskterityError(
        'STALE_REF',
        `${target.ref} was replaced by another element just before the act.`,
        {
          suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
        },
      );
    requireActionable({ ...target, node }, act.kind);
    return { ...context, node };
  }

  /** The target's context, once no modal dialog blocks it. Keys and clicks aimed at no element are not checked. */
  private async unblocked({
    target,
    log,
    options,
  }: Pick<Attempt, 'target' | 'log' | 'options'>): Promise<ElementContext> {
    const { desktop, clock } = this.parts;
    const mayRead = parseRef(target.ref)?.kind === 'e' ? requireNoModal : undefined;
    let looks = 0;
    return untilReady(clock, options, async () => {
      // Changes caused by a closing dialog do not make elements restless.
      if (looks++ > 0) log.forget();
      return readElementContext(desktop, target.record, options(CONTEXT_SHARE), mayRead);
    });
  }

  private async lookAfter(
    { target, options }: Attempt,
    { before, outcome }: { before: Before; outcome: ActOutcome },
  ): Promise<After> {
    const { desktop } = this.parts;
    const [context, node] = await Promise.all([
      readElementContext(desktop, target.record, options(CONTEXT_SHARE)),
      hasNoTree(target) ? target.node : desktop.describe(handleOf(target), options()).catch(() => undefined),
    ]);
    const unrelated = await unrelatedWindows(desktop, { before, after: context, outcome }, options());
    return { ...context, node, unrelated };
  }

  private async report(
    attempt: Attempt,
    done: { before: Before; outcome: ActOutcome; span: ActSpan; started: number },
  ): Promise<Receipt> {
    const { clock, readings } = this.parts;
    const { log, options } = attempt;
    await log.settle(done.span.activationDelayMs, options().signal);
    let lookedAt = clock.now();
    let after = await this.lookAfter(attempt, done);
    let verdict = judgeAttempt(attempt, done, after);
    // A busy application may still be processing what was typed.
    while (isShort(verdict.judgement) && (await this.isLate(attempt, done.span, lookedAt))) {
      await log.settle(0, options().signal);
      lookedAt = clock.now();
      after = await this.lookAfter(attempt, done);
      verdict = judgeAttempt(attempt, done, after);
    }
    verdict = await this.withoutTicks(attempt, { verdict, after }, done);
    const hidden = hiddenIn(attempt, verdict);
    if (hidden.before.size > hidden.after.size) await readings.mark(handleOf(attempt.target), false);
    const receipt = await this.issueReceipt({
      ...hideTexts(verdict, hidden),
      target: attempt.target,
      screen: attempt.screen,
      outcome: done.outcome,
      after,
      durationMs: Math.round(clock.now() - done.started),
    });
    const failure = failureOf(receipt);
    if (failure) throw failure;
    return receipt;
  }

  /**
   * Whether the target sends an event after an act that seemed to do nothing, or only a part: a slow handler gets as much time as a busy
   * application.
   */
  private async isLate({ target, log, options }: Attempt, span: ActSpan, lookedAt: number): Promise<boolean> {
    const left = log.limitMs - (this.parts.clock.now() - span.answeredAt);
    const key = handleKey(target.record);
    if (left > 0 && log.events.some((event) => event.atMs >= lookedAt && handleKey(event.node) === key))
      return true;
    const { deadlineMs, signal } = options(CONTEXT_SHARE);
    return log.next((event) => handleKey(event.node) === key, Math.min(left, deadlineMs), signal);
  }

  /**
   * The change may come from a clock rather than the act: what changes again within one tick changes by itself. This takes another reading
   * because some toolkits send no events: GTK 4 moves progress bars silently.
   */
  private async withoutTicks(
    attempt: Attempt,
    { verdict, after }: { verdict: Verdict; after: After },
    done: { before: Before; outcome: ActOutcome; span: ActSpan },
  ): Promise<Verdict> {
    const { reliesOn } = verdict.judgement;
    if (!reliesOn || !mayTick(reliesOn)) return verdict;
    const inDoubt = (why: string): Verdict => ({
      ...verdict,
      judgement: unverified([...verdict.judgement.evidence, why], false),
    });
    const { deadlineMs, signal } = attempt.options();
    if (deadlineMs < TICK_MS) return inDoubt('there was no time to check whether it changes by itself');
    await attempt.log.next(() => false, TICK_MS, signal);
    const later = await this.lookAfter(attempt, done);
    if (after.tree !== undefined && later.tree === undefined)
      return inDoubt('the window could not be read again');
    const restless = new Set(diffTrees(after.tree, later.tree).map(({ key }) => key));
    return judgeAttempt(attempt, done, after, restless);
  }
}

function isShort({ effect }: Verdict['judgement']): boolean {
  return effect === 'no_op' || effect === 'partial';
}

/** Which texts the receipt withholds: once a new value is confirmed in a field, it may be shown again, but never the value before it. */
function hiddenIn({ act, target, withheld }: Attempt, { judgement }: Verdict): HiddenTexts {
  const key = handleKey(target.record);
  const after = new Set(withheld);
  const isWritten = act.kind === 'set-value' || act.kind === 'clear';
  if (act.isWithheld === true) after.add(key);
  else if (isWritten && judgement.effect === 'confirmed') after.delete(key);
  return { before: withheld, after, isTarget: withheld.has(key) || after.has(key) };
}

function handleOf(target: ResolvedTarget): { app: string; path: string } {
  return { app: target.record.app, path: target.record.path };
}
