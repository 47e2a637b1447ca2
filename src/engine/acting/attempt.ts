import { handleKey } from '../../model/tree/node.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
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
import { unverified } from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import type { EventLog } from '../evidence/settle.ts';
import { OPENED_BEFORE, windowChangesBetween } from '../evidence/unrelated-windows.ts';
import { diffTrees } from '../evidence/window-diff.ts';
import type { ObservedChange, WindowChange } from '../evidence/window-diff.ts';
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

/** An act to carry out: what to do, and how to tell whether it was done. */
export interface Act {
  readonly kind: ActKind;
  /** What must be so before the last look, such as a window in front; nothing of the act itself. */
  readonly prepare?: (target: ResolvedTarget, options: () => CallOptions) => Promise<void>;
  readonly run: (node: NodeHandle, options: () => CallOptions, target: ResolvedTarget) => Promise<ActOutcome>;
  readonly judge: (seen: Observation) => Judgement;
  /** Evidence that the element is as asked, in which case nothing is sent. */
  readonly already?: ((before: NodeDetails) => readonly string[] | undefined) | undefined;
  /** Time until what it did can be seen, where nothing answers it; the toolkit's own delay counts if it is longer. */
  readonly reactionMs?: number;
  /** What is typed; on a screen of text the act is judged by that alone. */
  readonly sent?: Sent | undefined;
  /** What it writes must not be repeated. */
  readonly isWithheld?: boolean;
}

const LOST_BEFORE = 'the element was destroyed before the act can have had an effect';

/** One act under way. */
export interface Attempt {
  readonly act: Act;
  readonly target: ResolvedTarget;
  /** Judges the act where the desktop is a screen of text. */
  readonly screen: ScreenPort | undefined;
  readonly log: EventLog;
  /** Elements that held what must not be repeated, before the act. */
  readonly withheld: ReadonlySet<string>;
  /** Options with what is left of the time. */
  readonly options: (share?: number) => CallOptions;
}

export interface Before extends ElementContext {
  readonly node: NodeDetails;
}

export interface After extends ElementContext {
  readonly node: NodeDetails | undefined;
  /** Windows that opened without our doing. */
  readonly unrelated: ReadonlySet<DesktopWindow>;
}

export interface Verdict {
  readonly judgement: Judgement;
  readonly changes: readonly ObservedChange[];
  readonly windowChanges: readonly WindowChange[];
}

/** What an act came to, from what was seen before and after it. */
export function weigh(
  { act, target, screen, log }: Attempt,
  { before, outcome, span }: { before: Before; outcome: ActOutcome; span: ActSpan },
  after: After,
  alsoRestless: ReadonlySet<string> = new Set(),
): Verdict {
  const told = attributableEvents(log.events, span);
  const restless = new Set([...told.restless, ...alsoRestless]);
  const { sentAtMs } = outcome;
  const caused = told.caused.filter(
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
