import { parseRef } from '../../model/refs/ref.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ClockPort } from '../../ports/clock.ts';
import { isSameBounds } from '../../model/tree/bounds.ts';
import { TICK_MS } from '../evidence/attribution.ts';
import { NOTHING_CHANGED, type Judgement } from '../evidence/evidence.ts';
import { headersBeside, isHeaderFocused, judgeHeader } from '../judging/judge-header.ts';
import { judgePictures, mayBeEffect, type Marks } from '../judging/judge-pictures.ts';
import { marksOf } from '../judging/picture-marks.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import { mayBeLateAnswer } from '../evidence/prior-acts.ts';
import type { After, Attempt, SentAct, Verdict } from './attempt.ts';
import { pictureOf, pointerOf } from './picture.ts';

/** Often enough to see every blink. */
const EVERY_MS = 200;
/** Longer than toolkits take to fade out the mark of a pointer that left. */
const FADE_MS = 400;
const TREE_ALONE = 'the tree shows no change';

type Parts = { readonly desktop: DesktopPort; readonly clock: ClockPort };

/** Watches the picture of the target's window as long as the tree shows no effect of the act. */
export class PictureWatch {
  private readonly parts: Parts;
  private readonly attempt: Attempt;
  private readonly sent: SentAct;
  private readonly before: CapturedImage;
  private readonly first: { readonly image: CapturedImage; readonly atMs: number };
  private readonly marks: Marks;
  private readonly isPromising: boolean;
  private readonly later: CapturedImage[] = [];
  private takenAt: number;

  private constructor(
    parts: Parts,
    { attempt, sent }: { readonly attempt: Attempt; readonly sent: SentAct },
    seen: {
      readonly before: CapturedImage;
      readonly first: { readonly image: CapturedImage; readonly atMs: number };
      readonly marks: Marks;
    },
  ) {
    this.parts = parts;
    this.attempt = attempt;
    this.sent = sent;
    this.before = seen.before;
    this.first = seen.first;
    this.marks = seen.marks;
    this.takenAt = seen.first.atMs;
    this.isPromising = mayBeEffect(seen.before, seen.first.image, seen.marks);
  }

  /** Begins with the picture of now; nothing if there is none of before, or if the window itself was moved, resized or activated. */
  static async begin(
    parts: Parts,
    attempt: Attempt,
    sent: SentAct,
    { after, verdict }: { readonly after: After; readonly verdict: Verdict },
  ): Promise<PictureWatch | undefined> {
    const { desktop, clock } = parts;
    const { picture, window, tree, node } = sent.before;
    if (picture === undefined || !isUnmoved(window, after.window)) return undefined;
    const options = attempt.options();
    const { usesPointer = false, movesFocus = false } = attempt.act;
    const { isDrawnItself = false, isReadItself = false } = verdict.judgement;
    const [image, pointer] = await Promise.all([
      pictureOf(desktop, after.window, options),
      usesPointer ? pointerOf(desktop, options) : undefined,
    ]);
    if (image === undefined) return undefined;
    const marks = marksOf({
      target: node,
      isElement: parseRef(attempt.target.ref)?.kind === 'e',
      isDrawnItself: (isDrawnItself || isReadItself) && !usesPointer,
      usesPointer,
      movesFocus,
      points: [picture.pointer, pointer].filter((point) => point !== undefined),
      trees: [tree, after.tree],
      appeared: verdict.changes.flatMap(({ change: { kind }, node: { bounds, role } }) =>
        kind === 'appeared' && bounds !== undefined && !isPartOfMenu(role) ? [bounds] : [],
      ),
    });
    const first = { image, atMs: clock.now() };
    return new PictureWatch(parts, { attempt, sent }, { before: picture.image, first, marks });
  }

  /** Takes another picture, if it is time for one and the first one showed something. */
  async take(): Promise<void> {
    if (this.isPromising && this.parts.clock.now() - this.takenAt >= EVERY_MS) await this.add();
  }

  /** The judgement with what the pictures tell; unchanged if they tell nothing. */
  async judge(judgement: Judgement, after: After): Promise<Judgement> {
    const { clock } = this.parts;
    const { log, options } = this.attempt;
    const until = this.first.atMs + TICK_MS;
    while (this.isPromising && clock.now() < until && options().deadlineMs > EVERY_MS) {
      await log.next(() => false, Math.min(EVERY_MS, until - clock.now()), options().signal);
      await this.take();
    }
    if (!(await this.add())) return judgement;
    const told = judgement.evidence.map((line) => (line === NOTHING_CHANGED ? TREE_ALONE : line));
    const pictures = { before: this.before, first: this.first.image, later: this.later };
    const seen = judgePictures(told, pictures, this.marks);
    const pictured =
      seen?.effect === 'confirmed' ? seen : ((await this.setAside(told, after, seen !== undefined)) ?? seen);
    if (pictured === undefined) return judgement;
    if (pictured.effect !== 'confirmed') return pictured;
    const why = this.doubt(after, judgement);
    return why === undefined
      ? pictured
      : { ...pictured, effect: 'unverified', evidence: [...pictured.evidence, why] };
  }

  /**
   * Once the pointer is where it was, its marks are as before. The header of a column shows in its own place how its table is sorted, and seldom takes
   * the focus. So does an item that its application made anew, if it is neither selected nor focused otherwise than before. What is drawn, such as the cells of a palette, shows its effect elsewhere: also in what changed while the pointer rested on it.
   */
  private async setAside(
    told: readonly string[],
    after: After,
    hasChanged: boolean,
  ): Promise<Judgement | undefined> {
    const { clock, desktop } = this.parts;
    const { act, log, options } = this.attempt;
    const { node, picture, tree, window } = this.sent.before;
    if (act.setAside === undefined || node.bounds === undefined) return undefined;
    const isHeader = node.role === 'columnheader';
    const isInPlace = isHeader || isRemadeAlike(node, after);
    if (!isInPlace && !(hasChanged && this.isOfClick(told))) return undefined;
    if (picture?.pointer === undefined || options().deadlineMs < FADE_MS + 2 * TICK_MS) return undefined;
    const isFocusMoved = focusOf(tree) !== focusOf(after.tree);
    if (isFocusMoved && (!isHeader || isHeaderFocused([tree, after.tree]))) return undefined;
    try {
      await act.setAside(picture.pointer, options());
    } catch {
      return undefined;
    }
    const taken: CapturedImage[] = [];
    const begin = clock.now();
    for (let waitMs = FADE_MS; ; waitMs = EVERY_MS) {
      await log.next(() => false, waitMs, options().signal);
      const image = await pictureOf(desktop, window, options());
      if (image === undefined) return undefined;
      taken.push(image);
      this.takenAt = clock.now();
      if (this.takenAt - begin >= FADE_MS + TICK_MS) break;
    }
    const [first, ...later] = taken;
    if (first === undefined) return undefined;
    const pictures = { before: this.before, first, later };
    const marks: Marks = isInPlace
      ? { zones: [], points: [], areUnknown: false, place: node.bounds }
      : this.marksWithoutPointer();
    const judged = isFocusMoved
      ? judgeHeader(told, pictures, node.bounds)
      : judgePictures(told, pictures, marks);
    const beside = isHeader ? headersBeside(tree, node.bounds) : [];
    const [confirming] = [judged, ...beside.map((place) => judgeHeader(told, pictures, place))].filter(
      (one) => one?.effect === 'confirmed',
    );
    return confirming !== undefined
      ? {
          ...confirming,
          evidence: [...confirming.evidence, 'for this, the pointer was put back to where it was'],
        }
      : undefined;
  }

  /** Whether the click changed the picture beyond what the pointer had changed by resting there. */
  private isOfClick(told: readonly string[]): boolean {
    const before = this.attempt.act.pointed?.();
    if (before === undefined) return false;
    const pictures = { before, first: this.first.image, later: this.later };
    return judgePictures(told, pictures, this.marksWithoutPointer())?.effect === 'confirmed';
  }

  private marksWithoutPointer(): Marks {
    return { ...this.marks, points: [], areUnknown: false };
  }

  private doubt(after: After, { isDrawnItself = false }: Judgement): string | undefined {
    const { before, prior, span } = this.sent;
    if (this.takenAt < this.first.atMs + TICK_MS) return 'there was no time to see whether it stays';
    if (!isUnmoved(before.window, after.window)) return 'the window itself changed meanwhile';
    // What the element reported itself was no answer to the act before.
    return !isDrawnItself && mayBeLateAnswer(prior, span.askedAt)
      ? 'it may be the late answer to the act before'
      : undefined;
  }

  private async add(): Promise<boolean> {
    const { desktop, clock } = this.parts;
    const image = await pictureOf(desktop, this.sent.before.window, this.attempt.options());
    if (image === undefined) return false;
    this.later.push(image);
    this.takenAt = clock.now();
    return true;
  }
}

function isRemadeAlike({ states }: NodeDetails, { node, isRemade = false }: After): boolean {
  return isRemade && node !== undefined && states.toSorted().join() === node.states.toSorted().join();
}

/** What has the focus, by what it is and where: Qt makes the cells of a tree anew for each reading. */
function focusOf(tree: After['tree']): string | undefined {
  const focusedIn = ({ role, name, bounds, states, ...node }: TreeNode): string[] => [
    ...(states.includes('focused') ? [JSON.stringify([role, name, bounds])] : []),
    ...node.children.flatMap(focusedIn),
  ];
  return tree === undefined ? undefined : focusedIn(tree.root).join();
}

/** A window that is activated is drawn in other colours. */
function isUnmoved(was: DesktopWindow | undefined, is: DesktopWindow | undefined): boolean {
  return (
    was !== undefined &&
    is !== undefined &&
    was.focused === is.focused &&
    was.minimized === is.minimized &&
    isSameBounds(was.bounds, is.bounds)
  );
}
