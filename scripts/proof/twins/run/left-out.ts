import type { Act } from '../act/act.ts';
import type { Answer } from '../act/actor.ts';
import { findWidget, keyOf } from '../act/widgets.ts';
import { changedLines, isSame, type Difference, type View } from '../look/compare.ts';
import { isMenuClosing, isOfMenu, isOnlyHighlight } from '../look/menus.ts';
import { differentBox } from '../look/picture.ts';
import { placed } from '../look/tree.ts';
import { sameFrame } from '../side/frame.ts';
import type { Before } from './before.ts';
import { ENTERED, isEntered } from './entered.ts';
import { isUndrawn } from './judge.ts';
import {
  isExpanded,
  isLeftToMenu,
  isOnlyOurs,
  isRefusedRightly,
  isSubmenu,
  opensBrowser,
} from './exclusions.ts';

/** An act by which the mouse is no measure of ours, and what becomes of it: `judged` as any other, or by what our side alone shows. */
export interface LeftOut {
  readonly reason: string;
  readonly verdict: 'excluded' | 'judged' | 'false_success' | 'false_failure';
}

interface Done {
  readonly act: Act;
  readonly answer: Answer;
  /** The answer is that of our program; a mouse claims nothing. */
  readonly isClaimed: boolean;
  readonly before: Before;
  readonly after: Before;
  /** What each side changed; marks of the focus do not count. */
  readonly ours: Difference;
  readonly twins: Difference;
  /** Why the mouse of the twin could not finish, if it could not. */
  readonly mouseFailed?: string;
}

/** Why an act is not simply compared with what the mouse did. That must not hide an answer which is wrong by what our own side shows. */
export function leftOut(done: Done): LeftOut | undefined {
  const out = whyLeftOut(done);
  return out === undefined || done.isClaimed ? out : { ...out, verdict: 'excluded' };
}

function whyLeftOut(done: Done): LeftOut | undefined {
  const { act, answer, before, after, twins } = done;
  if (done.mouseFailed !== undefined)
    return {
      reason: instrumentFailed(done.mouseFailed),
      verdict: aloneVerdict(done) ?? (isOfNothing(done) ? 'false_success' : 'excluded'),
    };
  if (act.kind === 'expand' && !isExpanded(after.twin, act))
    return { reason: 'the mouse did not open it', verdict: aloneVerdict(done) ?? 'excluded' };
  if (act.kind === 'menu' && isSubmenu(after.twin.seen, act))
    return {
      reason: 'it opens a menu and runs nothing',
      verdict: isAccountedFor(done, isOfMenu) ? 'excluded' : 'judged',
    };
  if (isRefusedRightly(after.twin, act, answer) && sameFrame(after.ours.frame, before.ours.frame))
    return { reason: 'refused on purpose: its list closed with the first click', verdict: 'excluded' };
  const isLeft = isLeftToMenu(answer) && isOnlyHighlight(before.ours, after.ours);
  if (isLeft && isMenuClosing(before.twin.seen, twins))
    return { reason: 'refused on purpose: an open menu takes the click', verdict: 'excluded' };
  if (opensBrowser(before.twin, after.twin))
    return {
      reason: 'it opens a browser, which takes its time',
      verdict: isAccountedFor(done, (line) => !isOfOld(line, before.ours)) ? 'excluded' : 'judged',
    };
  const isReached = isEntered(before.twin, after.twin, act) && !isOnlyOurs(after, act, answer);
  if (ENTERED.has(act.kind) && !isReached)
    return { reason: 'the mouse could not enter it', verdict: aloneVerdict(done) ?? 'excluded' };
  return undefined;
}

/** @param words of the error */
export function instrumentFailed(words: string): string {
  return `the instrument failed: ${words}`;
}

function isOfNothing({ answer, ours }: Done): boolean {
  return answer.effect === 'confirmed' && isSame(ours) && !isUndrawn(answer);
}

/** Whether our side shows a change if the answer claims one, and changed nothing that neither the twin changed nor the reason explains. */
function isAccountedFor({ answer, ours, twins }: Done, isExplained: (line: string) => boolean): boolean {
  if (answer.effect === 'confirmed' && isSame(ours)) return false;
  const theirs = changedLines(twins);
  return [...changedLines(ours)].every((line) => theirs.has(line) || isExplained(line));
}

/** Whether a line of the tree is about an application that was there before. */
function isOfOld(line: string, { seen }: View): boolean {
  return seen.applications.some(({ name, windows }) => windows.length > 0 && line.startsWith(`${name} › `));
}

/** What makes the answer wrong by what our side shows of the promised state, if anything does. */
function aloneVerdict({ act, answer, before, after }: Done): 'false_success' | 'false_failure' | undefined {
  if (act.kind !== 'expand' && !ENTERED.has(act.kind)) return undefined;
  const promised =
    act.kind === 'expand' ? openedOn(before, after, act) : enteredOn(before.ours, after.ours, act);
  if (answer.effect === 'confirmed' && promised === 'missing') return 'false_success';
  const isWhole = answer.isPartial !== true && answer.isPending !== true;
  return answer.effect === 'failed' && isWhole && promised === 'came' ? 'false_failure' : undefined;
}

/** `untold`: it is as promised, but was so before, or nothing shows what it is. */
type Promised = 'came' | 'missing' | 'untold';

/** What is gone on both sides, and what was open before, says nothing. */
function openedOn(before: Before, after: Before, act: Act): Promised {
  if (isExpanded(after.ours, act) || isRenamedOpen(after.ours, act))
    return isExpanded(before.ours, act) ? 'untold' : 'came';
  const [mine, theirs] = [after.ours, after.twin].map(({ seen }) => findWidget(seen, act.target.key));
  if (act.target.layer === 'popup' && hasNewItems(before.ours, after.ours, act)) return 'untold';
  return mine === undefined && theirs === undefined ? 'untold' : 'missing';
}

/** A submenu closes when the pointer is put away, and keeps the items that Gecko made when it opened. */
function hasNewItems(before: View, after: View, { target: { key } }: Act): boolean {
  const [had = 0, has = 0] = [before, after].map(
    ({ seen }) => findWidget(seen, key)?.node.children.length ?? 0,
  );
  return has > had;
}

/** What opens may get another name by that, such as "Show less". */
function isRenamedOpen({ seen }: View, { target: { key } }: Act): boolean {
  return [...placed(seen)].some((one) => {
    const { application, role, path } = keyOf(one);
    const isThere = application === key.application && role === key.role && path.join() === key.path.join();
    return isThere && one.node.states.includes('expanded');
  });
}

/**
 * A field that is gone may have taken the text. One that shows what it showed may have held the value already; where it tells its text to nobody,
 * its picture counts.
 */
function enteredOn(before: View, after: View, act: Act): Promised {
  const { kind, target, value } = act;
  if (isEntered(before, after, act))
    return findWidget(after.seen, target.key) === undefined ? 'untold' : 'came';
  const node = findWidget(before.seen, target.key)?.node;
  if (node === undefined) return 'untold';
  const { text, value: number, box } = node;
  const isHeld =
    value !== undefined && (text === value || (number !== undefined && number === Number(value)));
  if (kind === 'set-value' && isHeld) return 'untold';
  if (text !== undefined || number !== undefined) return 'missing';
  return box !== null && differentBox(before.frame, after.frame, box) === undefined ? 'missing' : 'untold';
}
