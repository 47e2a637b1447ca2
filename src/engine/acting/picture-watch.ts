import { parseRef } from '../../model/refs/ref.ts';
import type { CapturedImage, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import type { ClockPort } from '../../ports/clock.ts';
import { isSameBounds } from '../../model/tree/bounds.ts';
import { TICK_MS } from '../evidence/attribution.ts';
import { NOTHING_CHANGED, type Judgement } from '../evidence/evidence.ts';
import { judgePictures, mayBeEffect, type Marks } from '../evidence/judge-pictures.ts';
import { marksOf } from '../evidence/picture-marks.ts';
import { mayBeLateAnswer } from '../evidence/prior-acts.ts';
import type { After, Attempt, SentAct, Verdict } from './attempt.ts';
import { pictureOf, pointerOf } from './picture.ts';

/** Often enough to see every blink. */
const EVERY_MS = 200;
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
    const [image, pointer] = await Promise.all([
      pictureOf(desktop, after.window, options),
      usesPointer ? pointerOf(desktop, options) : undefined,
    ]);
    if (image === undefined) return undefined;
    const marks = marksOf({
      target: node,
      isElement: parseRef(attempt.target.ref)?.kind === 'e',
      isDrawnItself: verdict.judgement.isDrawnItself === true && !usesPointer,
      usesPointer,
      movesFocus,
      points: [picture.pointer, pointer].filter((point) => point !== undefined),
      trees: [tree, after.tree],
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
    const pictured = judgePictures(told, pictures, this.marks);
    if (pictured === undefined) return judgement;
    if (pictured.effect !== 'confirmed') return pictured;
    const why = this.doubt(after, judgement);
    return why === undefined
      ? pictured
      : { ...pictured, effect: 'unverified', evidence: [...pictured.evidence, why] };
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
