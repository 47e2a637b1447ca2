import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import type { ActOutcome, CallOptions, DesktopWindow, NodeDetails } from '../../ports/desktop.ts';
import type { ScreenPort, Sent } from '../../ports/screen.ts';
import {
  attributableEvents,
  earliestEffect,
  isBackground,
  wasLostBefore,
  windowsMovedBefore,
} from '../evidence/attribution.ts';
import type { ActSpan } from '../evidence/attribution.ts';
import type { ElementContext } from '../evidence/element-context.ts';
import { unverified, type Judgement, type Observation } from '../evidence/evidence.ts';
import type { EventLog } from '../evidence/settle.ts';
import { OPENED_BEFORE, windowChangesBetween } from '../evidence/unrelated-windows.ts';
import { diffTrees, type ObservedChange, type WindowChange } from '../evidence/window-diff.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { PointerGesture, SemanticActKind } from '../requests/acting.ts';

export type ActKind =
  | 'click'
  | PointerGesture
  | 'set-value'
  | 'type'
  | 'select'
  | 'scroll'
  | 'drag'
  | 'press'
  | 'mouse'
  | SemanticActKind;

/** An act to carry out: what to do, and how to judge the effect. */
export interface Act {
  readonly kind: ActKind;
  /** Establishes preconditions before the last check, such as a window in front; performs no part of the act. */
  readonly prepare?: (target: ResolvedTarget, options: () => CallOptions) => Promise<void>;
  readonly run: (node: NodeHandle, options: () => CallOptions, target: ResolvedTarget) => Promise<ActOutcome>;
  readonly judge: (seen: Observation) => Judgement;
  /** Evidence that the element already is as requested; then nothing is sent. */
  readonly already?: ((before: NodeDetails) => readonly string[] | undefined) | undefined;
  /** Time until the effect is visible where nothing acknowledges the act; the toolkit's own delay applies if it is longer. */
  readonly reactionMs?: number;
  /** The typed input; on a text screen the act is judged by it alone. */
  readonly sent?: Sent | undefined;
  /** Whether the written value must not appear in receipts. */
  readonly isWithheld?: boolean;
}

const LOST_BEFORE = 'the element was destroyed before the act could take effect';

/** One act in progress. */
export interface Attempt {
  readonly act: Act;
  readonly target: ResolvedTarget;
  /** Judges the act if the desktop is a text screen. */
  readonly screen: ScreenPort | undefined;
  readonly log: EventLog;
  /** Keys of the elements whose text was withheld before the act. */
  readonly withheld: ReadonlySet<string>;
  /** Call options with the remaining time. */
  readonly options: (share?: number) => CallOptions;
}

export interface Before extends ElementContext {
  readonly node: NodeDetails;
}

export interface After extends ElementContext {
  readonly node: NodeDetails | undefined;
  /** Windows that opened independently of the act. */
  readonly unrelated: ReadonlySet<DesktopWindow>;
}

export interface Verdict {
  readonly judgement: Judgement;
  readonly changes: readonly ObservedChange[];
  readonly windowChanges: readonly WindowChange[];
}

/** Judges an act from the observations before and after it. */
export function judgeAttempt(
  { act, target, screen, log }: Attempt,
  { before, outcome, span }: { before: Before; outcome: ActOutcome; span: ActSpan },
  after: After,
  alsoRestless: ReadonlySet<string> = new Set(),
): Verdict {
  const attributed = attributableEvents(log.events, span);
  const restless = new Set([...attributed.restless, ...alsoRestless]);
  const { sentAtMs } = outcome;
  const caused = attributed.caused.filter(
    ({ node, atMs }) => !alsoRestless.has(handleKey(node)) && atMs >= (sentAtMs ?? span.askedAt),
  );
  const changes = diffTrees(before.tree, after.tree).filter((change) => !isBackground(change, restless));
  const windowChanges = windowChangesBetween(before, after);
  const targetKey = handleKey(target.record);
  const isActivated = act.kind === 'click' && act.reactionMs === undefined;
  if (wasLostBefore(log.events, targetKey, earliestEffect(span, { sentAtMs, isActivated })))
    return { judgement: unverified([LOST_BEFORE], false), changes, windowChanges };
  const isAmidWindows = sentAtMs !== undefined && windowsMovedBefore(log.events, sentAtMs);
  const judge = screen === undefined ? act.judge : onScreen(screen, act.sent);
  const judgement = judge({
    outcome,
    before: before.node,
    after: after.node,
    events: caused,
    changes,
    windowChanges: isAmidWindows ? [] : windowChanges.filter(({ window }) => !after.unrelated.has(window)),
    targetKey,
    trees: before.tree && after.tree && { before: before.tree, after: after.tree },
  });
  if (after.unrelated.size === 0) return { judgement, changes, windowChanges };
  const evidence = [...judgement.evidence, OPENED_BEFORE];
  return { judgement: { ...judgement, evidence }, changes, windowChanges };
}

function onScreen(screen: ScreenPort, sent: Sent | undefined): Act['judge'] {
  return ({ trees, after, changes, events }) => ({
    ...screen.judge(
      {
        trees:
          trees === undefined || after === undefined
            ? undefined
            : { before: trees.before.root, after: trees.after.root },
        changes,
        reported: new Set(events.map(({ node }) => handleKey(node))),
      },
      sent,
    ),
    retrySafe: false,
  });
}
