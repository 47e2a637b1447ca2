import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import { mayTick } from './attribution.ts';
import { unverified, type Judgement } from './evidence.ts';
import type { ObservedChange } from './window-diff.ts';

/** An act in an application, as far as the next one there has to know. */
export interface PriorAct {
  readonly sentAt: number;
  /** Keys of the elements that had changed when it was judged: its answer had arrived there. */
  readonly changed: ReadonlySet<string>;
  /** It was sent, but its end was not seen. */
  readonly isOpen: boolean;
}

/** How late status bars and the like answer an act that has shown its effect already. */
const LATE_MS = 1000;
/** How late the effect of an act may come whose end was not seen. */
const OPEN_MS = 5000;

/** The last act in each application of a desktop. */
const known = new WeakMap<DesktopPort, Map<string, PriorAct>>();

export function priorAct(desktop: DesktopPort, app: string): PriorAct | undefined {
  return known.get(desktop)?.get(app);
}

export function rememberAct(desktop: DesktopPort, app: string, act: PriorAct | undefined): void {
  const acts = known.get(desktop) ?? new Map<string, PriorAct>();
  known.set(desktop, acts);
  if (act) acts.set(app, act);
  else acts.delete(app);
}

/**
 * The judgement, unless the change it relies on may be a late answer to the act before. Keys promise nothing, and an accessibility action is
 * answered at once, so only for keys a text elsewhere is in doubt as long as the act before can have changed it.
 */
export function withoutPrior(
  judgement: Judgement,
  prior: PriorAct | undefined,
  act: { readonly askedAt: number; readonly targetKey: string | undefined; readonly isKeys: boolean },
): Judgement {
  const { reliesOn } = judgement;
  if (!prior || !reliesOn || isOf(reliesOn, act.targetKey)) return judgement;
  const sinceMs = Math.round(act.askedAt - prior.sentAt);
  const isLateAnswer =
    act.isKeys && sinceMs < LATE_MS && mayTick(reliesOn) && !prior.changed.has(reliesOn.key);
  if (!isLateAnswer && !(prior.isOpen && sinceMs < OPEN_MS)) return judgement;
  const why = `it may be the late answer to the act before, which was sent ${sinceMs} ms earlier`;
  return unverified([...judgement.evidence, why], false);
}

/** Whether the act before may still have its effect: its end was not seen, and it was sent not long ago. */
export function isUnderWay(prior: PriorAct | undefined, askedAt: number): boolean {
  return prior?.isOpen === true && askedAt - prior.sentAt < OPEN_MS;
}

/** Whether a change of the picture, which has no element, may be a late answer to the act before. */
export function mayBeLateAnswer(prior: PriorAct | undefined, askedAt: number): boolean {
  if (prior === undefined) return false;
  return askedAt - prior.sentAt < (prior.isOpen ? OPEN_MS : LATE_MS);
}

function isOf({ key, lineage }: ObservedChange, targetKey: string | undefined): boolean {
  return targetKey !== undefined && (key === targetKey || lineage.includes(targetKey));
}
