import { DeskterityError } from '../model/errors.ts';
import type { Change, Effect, Receipt } from '../model/effect.ts';
import type { TreeNode } from '../model/node.ts';
import { isInteractive } from '../model/role.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { ActOutcome, CallOptions, DesktopPort, DesktopWindow } from '../ports/desktop.ts';
import { requireActionable } from './actionability.ts';
import { attributableEvents, mayTick, TICK_MS } from './attribution.ts';
import { judgeClick, judgeValue } from './judge.ts';
import type { Judgement, Observation } from './judge.ts';
import { handleKey } from './ref-table.ts';
import type { ResolvedTarget, TargetResolver } from './resolve.ts';
import type { Session } from './session.ts';
import { EventLog } from './settle.ts';
import { TreeIndex } from './tree-index.ts';
import { diffTrees, diffWindows } from './window-diff.ts';
import type { ObservedChange } from './window-diff.ts';

/** A window with more elements than this is compared only in part; evidence stays honest, changes may be missed. */
const MAX_COMPARED_NODES = 3000;
/** Reading the surroundings must not eat the time the act itself needs. */
const SURROUNDINGS_SHARE = 0.3;

export interface ActorParts {
  readonly desktop: DesktopPort;
  readonly session: Session;
  readonly resolver: TargetResolver;
  readonly clock: ClockPort;
}

/** Acts on elements and tells what happened: resolve, check, observe, act, settle, observe, compare (DESIGN §5). */
export class Actor {
  private readonly parts: ActorParts;

  constructor(parts: ActorParts) {
    this.parts = parts;
  }

  async click(request: CallOptions & { readonly ref: string }): Promise<Receipt> {
    const target = await this.parts.resolver.resolve(request.ref, request);
    requireActionable(target, 'click');
    return this.perform(
      target,
      request,
      () => this.parts.desktop.press(handleOf(target), request),
      judgeClick,
    );
  }

  async setValue(request: CallOptions & { readonly ref: string; readonly value: string }): Promise<Receipt> {
    const target = await this.parts.resolver.resolve(request.ref, request);
    requireActionable(target, 'set-value');
    return this.perform(
      target,
      request,
      () => this.parts.desktop.setValue(handleOf(target), request.value, request),
      (observation) => judgeValue(observation, request.value),
    );
  }

  private async perform(
    target: ResolvedTarget,
    request: CallOptions,
    act: () => Promise<ActOutcome>,
    judge: (observation: Observation) => Judgement,
  ): Promise<Receipt> {
    const { desktop, clock } = this.parts;
    const started = clock.now();
    const remaining = (): number => Math.max(1, request.deadlineMs - (clock.now() - started));
    const log = new EventLog(clock);
    const stop = await desktop.watch((event) => log.add(event), { ...request, appId: target.record.app });
    try {
      const before = await this.surroundings(target, {
        ...request,
        deadlineMs: remaining() * SURROUNDINGS_SHARE,
      });
      const askedAt = clock.now();
      const outcome = await act();
      const answeredAt = clock.now();
      const activationDelayMs = await desktop.activationDelayMs(handleOf(target), request);
      await log.settle(activationDelayMs, request.signal);
      const [after, node] = await Promise.all([
        this.surroundings(target, { ...request, deadlineMs: remaining() * SURROUNDINGS_SHARE }),
        desktop.describe(handleOf(target), { ...request, deadlineMs: remaining() }).catch(() => undefined),
      ]);
      const differences = diffTrees(before.tree, after.tree);
      const windowChanges = diffWindows(before.windows, after.windows);
      const weigh = (): { judgement: Judgement; changes: ObservedChange[] } => {
        const { caused, restless } = attributableEvents(log.events, {
          askedAt,
          answeredAt,
          activationDelayMs,
        });
        const changes = differences.filter((observed) => !restless.has(observed.key));
        const judgement = judge({
          outcome,
          before: target.node,
          after: node,
          events: caused,
          changes,
          windowChanges: windowChanges.filter(({ pid }) => pid === (before.pid ?? after.pid)),
          targetKey: handleKey(handleOf(target)),
        });
        return { judgement, changes };
      };
      let { judgement, changes } = weigh();
      if (judgement.reliesOn && mayTick(judgement.reliesOn)) {
        // A clock may have ticked just then: one that ticks again within its beat was not the act's doing.
        await clock.sleep(Math.min(TICK_MS, remaining()), request.signal);
        ({ judgement, changes } = weigh());
      }
      return await this.receipt(target, judgement, outcome, {
        changes,
        windowChanges: windowChanges.map(({ change }) => change),
        tree: after.tree,
        startedAt: started,
      });
    } finally {
      stop();
    }
  }

  /** The target's window and the list of windows; what cannot be read is absent, never invented. */
  private async surroundings(
    target: ResolvedTarget,
    options: CallOptions,
  ): Promise<{ tree: TreeNode | undefined; windows: DesktopWindow[]; pid: number | undefined }> {
    const { desktop } = this.parts;
    const windows = await desktop.listWindows(options).catch(() => []);
    const own = windows.find((window) => window.id === target.record.window);
    // A window that has closed cannot say whose it was, but others of its application can.
    const pid = (own ?? windows.find((window) => window.appId === target.record.app))?.pid;
    const root = own?.root;
    if (!root) return { tree: undefined, windows, pid };
    const read = await desktop
      .readTree({ ...options, root, wholeTree: false, maxNodes: MAX_COMPARED_NODES, includeActions: false })
      .catch(() => undefined);
    return { tree: read?.complete === true ? read.root : undefined, windows, pid };
  }

  private async receipt(
    target: ResolvedTarget,
    judgement: Judgement,
    outcome: ActOutcome,
    seen: {
      changes: readonly ObservedChange[];
      windowChanges: readonly Change[];
      tree: TreeNode | undefined;
      startedAt: number;
    },
  ): Promise<Receipt> {
    const index = seen.tree && new TreeIndex(seen.tree);
    const receipt = await this.parts.session.edit((table): Receipt => {
      const withRefs = seen.changes.map(({ change, node }): Change => {
        if (!node || !index) return change;
        const known = table.refOf(node.handle);
        const ref =
          known ??
          (isInteractive(node.role)
            ? table.giveElement(index.describe(node, target.record.window))
            : undefined);
        return ref === undefined ? change : { ref, ...change };
      });
      const changes = [...seen.windowChanges, ...withRefs];
      return {
        target: {
          ref: target.ref,
          role: target.node.role,
          ...(target.node.name === '' ? {} : { name: target.node.name }),
        },
        effect: judgement.effect,
        evidence: [...judgement.evidence],
        via: outcome.via,
        ...(changes.length === 0 ? {} : { changes }),
        delivered: outcome.delivered,
        retry_safe: judgement.retrySafe,
        cursor: table.advance(),
        duration_ms: Math.round(this.parts.clock.now() - seen.startedAt),
      };
    });
    if (receipt.effect === 'no_op' || receipt.effect === 'partial')
      throw failedAct(target, receipt.effect, judgement, receipt);
    return receipt;
  }
}

function handleOf(target: ResolvedTarget): { app: string; path: string } {
  return { app: target.record.app, path: target.record.path };
}

function failedAct(
  target: ResolvedTarget,
  effect: Effect,
  judgement: Judgement,
  receipt: Receipt,
): DeskterityError {
  const what = effect === 'no_op' ? 'changed nothing' : 'took only in part';
  return new DeskterityError(
    'ACTION_FAILED',
    `Acting on ${target.ref} (${target.node.role}) ${what}: ${judgement.evidence.at(-1) ?? 'no change was seen'}.`,
    {
      suggestion:
        'Look at the element with "desk get attributes REF" and at the window with "desk screenshot"; another element may be the one to act on.',
      delivered: receipt.delivered,
      result: { ...receipt },
    },
  );
}
