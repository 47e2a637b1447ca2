import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { byOwnSeat } from '../../model/effects/via.ts';
import { Planned } from '../../model/effects/planned.ts';
import type { TextEditing } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { confirmed, hideTexts, unverified, type HiddenTexts } from '../evidence/evidence.ts';
import { activityOf } from '../evidence/activity.ts';
import { CONSEQUENCE_MS } from '../evidence/attribution.ts';
import { SILENT } from '../judging/judge-click.ts';
import { priorAct, rememberAct } from '../evidence/prior-acts.ts';
import { EventLog } from '../evidence/settle.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { openedInside } from '../reading/opened-inside.ts';
import { readOpened, type OpenedPart } from '../reading/opened.ts';
import { hasNoTree, type ResolvedTarget } from '../refs/target.ts';
import type { ActRequest, EffectRequest, OnReversal } from '../requests/acting.ts';
import { textEditingOf } from '../undo/text-return.ts';
import { reversalOf } from './reversal-of.ts';
import { beginAct, type BegunAct } from './begin/begin-act.ts';
import type { Act, ActKind, After, Attempt, Before, SentAct, Verdict } from './attempt.ts';
import { delivering } from './delivery.ts';
import { handleOf, type OptionsNow } from './look.ts';
import { explainAct } from './explain-act.ts';
import { failureOf, targetInReceipt, writeReceipt, type ActReport } from './receipt.ts';
import { applicationOf } from '../windows/application-of.ts';
import { observeEffect } from './verdict.ts';

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
    const { clock, desktop } = this.parts;
    const started = clock.now();
    const options: OptionsNow = (share = 1) => ({
      deadlineMs: Math.max(1, (request.deadlineMs - (clock.now() - started)) * share),
      signal: request.signal,
    });
    const log = new EventLog(clock, request.settle);
    let start: BegunAct | undefined;
    let found: ResolvedTarget | undefined;
    try {
      const isImpatient = request.isImpatient === true;
      start = await delivering(false, () =>
        beginAct(
          this.parts,
          async (call) => {
            found = await resolve(call);
            return found;
          },
          act,
          { log, options, isImpatient, guard: request.guard },
        ),
      );
      const begun = start;
      const { attempt, before, activationDelayMs } = begun;
      request.onTarget?.(attempt.target.node.bounds);
      tellApplication(request, before.window);
      const already = act.already?.(before.node, before.tree);
      if (already) return await this.leaveAlone(attempt, { before, evidence: already, started });
      return await delivering(true, async () => {
        const isUndoable = request.onReversal !== undefined && WRITES.has(act.kind);
        const editing = isUndoable
          ? await textEditingOf(desktop, before.node, options(EDITING_SHARE))
          : undefined;
        const askedAt = clock.now();
        const { app } = attempt.target.record;
        const prior = priorAct(desktop, app);
        // Until its end has been seen.
        rememberAct(desktop, app, { sentAt: askedAt, changed: new Set(), isOpen: true });
        const activity = hasNoTree(attempt.target) ? undefined : activityOf(this.parts, app);
        activity?.actBegan(repeatable(attempt), askedAt);
        const running = act.run(handleOf(attempt.target), options, attempt.target);
        const ran = await running.catch((error: unknown) => {
          if (error instanceof DeskterityError && error.delivered === false) rememberAct(desktop, app, prior);
          throw error;
        });
        const outcome = this.parts.isOwnSeat === true ? { ...ran, via: byOwnSeat(ran.via) } : ran;
        const answeredAt = outcome.answeredAtMs ?? clock.now();
        activity?.actEnded(answeredAt + activationDelayMs + CONSEQUENCE_MS);
        const span = { askedAt, answeredAt, activationDelayMs };
        const done = { before, outcome, span, prior, started, editing, onReversal: request.onReversal };
        const { receipt, isEarly } = await this.report(attempt, done);
        if (!isEarly) return receipt;
        start = undefined;
        // What still comes of this act must not be taken for an effect of the next one in its application.
        void log.calmDown().finally(() => begun.end());
        return receipt;
      });
    } catch (error) {
      throw error instanceof Planned ? withFacts(error, act, found) : error;
    } finally {
      start?.end();
    }
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
      judgement: (done.evidence.includes(SILENT) ? unverified : confirmed)(done.evidence, true),
      changes: [],
      windowChanges: [],
      after: done.before,
      opened: [],
      durationMs: Math.round(this.parts.clock.now() - done.started),
    });
  }

  private async issueReceipt(report: ActReport): Promise<Receipt> {
    const { session, readings } = this.parts;
    const { receipt, reading } = await session.edit((table) => writeReceipt(table, report));
    await readings.remember(reading);
    return receipt;
  }

  /** What the act opened: windows, and popups and panels in its own. */
  private async openedBy(
    { target, screen, options }: Attempt,
    { before, after, verdict }: { readonly before: Before; readonly after: After; readonly verdict: Verdict },
  ): Promise<readonly OpenedPart[]> {
    if (screen !== undefined) return [];
    const windows = verdict.windowChanges
      .filter(({ change, window }) => change.kind === 'window_opened' && !after.unrelated.has(window))
      .map(({ window }) => window);
    return [
      ...(await readOpened(this.parts, windows, options())),
      ...openedInside(before.tree, after.tree, target.record.window),
    ];
  }

  private async report(
    attempt: Attempt,
    done: SentAct & {
      readonly started: number;
      readonly editing: TextEditing | undefined;
      readonly onReversal: OnReversal | undefined;
    },
  ): Promise<Reported> {
    const { clock, desktop, readings } = this.parts;
    const { verdict, after, isEarly } = await observeEffect(this.parts, attempt, done);
    rememberAct(desktop, attempt.target.record.app, {
      sentAt: done.span.askedAt,
      changed: new Set(verdict.changes.map(({ key }) => key)),
      isOpen: done.outcome.isPending === true && verdict.judgement.effect !== 'confirmed',
    });
    const { act, target } = attempt;
    const span = { fromMs: done.span.askedAt, toMs: clock.now(), answeredAtMs: done.span.answeredAt };
    explainAct(desktop, handleOf(target), { act, verdict, after, ...span });
    const hidden = hiddenIn(attempt, verdict);
    const { before, editing } = done;
    const settled = { act, target, before, after, editing, isWithheld: hidden.isTarget };
    done.onReversal?.(await reversalOf(this.parts.session, settled));
    if (hidden.before.size > hidden.after.size) await readings.mark(handleOf(attempt.target), false);
    const shown = hideTexts(verdict, hidden);
    const opened = await this.openedBy(attempt, { before: done.before, after, verdict });
    const receipt = await this.issueReceipt({
      ...shown,
      opened,
      target: attempt.target,
      screen: attempt.screen,
      outcome: done.outcome,
      after,
      durationMs: Math.round(clock.now() - done.started),
    });
    const failure = failureOf(receipt, shown.judgement.evidence);
    if (failure) throw failure;
    return { receipt, isEarly };
  }
}

function tellApplication({ onApplication }: EffectRequest, window: DesktopWindow | undefined): void {
  if (window !== undefined) onApplication?.(applicationOf(window));
}

/** What a dry run of an act tells about it. */
function withFacts(planned: Planned, act: Act, target: ResolvedTarget | undefined): Planned {
  const byInput = act.usesPointer === true ? 'pointer' : act.kind === 'press' ? 'keyboard' : undefined;
  return planned.with({ target: target && targetInReceipt(target), via: planned.via ?? byInput });
}

/** Acts that write text. */
const WRITES: ReadonlySet<ActKind> = new Set<ActKind>(['set-value', 'type', 'clear']);
/** Of the time left: not knowing whether it can be undone must not delay the act. */
const EDITING_SHARE = 0.1;

interface Reported {
  readonly receipt: Receipt;
  /** More may come of the act. */
  readonly isEarly: boolean;
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

/** What the act does to what, if it is likely to do the same the next time. What texts and keys do depends on which they are. */
function repeatable({ act: { kind, placed }, target }: Attempt): string | undefined {
  const at = placed?.();
  if (at !== undefined) return `${at.what} ${handleKey(at.node.handle)} ${isOn(at.node)}`;
  const isElement = parseRef(target.ref)?.kind === 'e';
  if (!isElement || !REPEATABLE.has(kind)) return undefined;
  return `${kind} ${handleKey(target.record)} ${isOn(target.node)}`;
}

/** What switches a clock on does not do the same as what switches it off. */
function isOn({ states }: { readonly states: readonly State[] }): boolean {
  return states.includes('checked') || states.includes('pressed');
}

const REPEATABLE: ReadonlySet<string> = new Set<ActKind>(['click', 'double-click', 'right-click', 'toggle']);
