import type { Change } from '../model/effects/effect.ts';
import type { KeyCombination } from '../model/text/key-combination.ts';
import type { TreeNode } from '../model/tree/node.ts';

/** What an act types. */
export type Sent = { readonly text: string } | { readonly keys: KeyCombination };

/** A change of an element of a screen. */
export interface ScreenChange {
  readonly change: Change;
  readonly node: TreeNode;
  /** Of its handle. */
  readonly key: string;
}

/** What was seen around one act. */
export interface ScreenObservation<C extends ScreenChange = ScreenChange> {
  /** Roots of the screen before and after, where both were read. */
  readonly trees: { readonly before: TreeNode; readonly after: TreeNode } | undefined;
  readonly changes: readonly C[];
  /** Keys of the elements that reported something which the act may have caused. */
  readonly reported: ReadonlySet<string>;
}

export interface ScreenJudgement<C extends ScreenChange = ScreenChange> {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** The change that is the only evidence of the act. */
  readonly reliesOn?: C;
}

/** What widgets have and a screen of text has not. */
export type WidgetSkill = 'hover' | 'replace_text';

/** The rules of a desktop that is one screen of text: it has no widgets that report what happened to them, so its adapter judges what an act did. */
export interface ScreenPort {
  /** Names this screen, and none before or after. */
  readonly id: string;
  /** The effect of what was sent to it; `sent` is absent for clicks. */
  judge<C extends ScreenChange>(seen: ScreenObservation<C>, sent: Sent | undefined): ScreenJudgement<C>;
  /** The changes a receipt reports, and how many others there were. */
  report<C extends ScreenChange>(
    changes: readonly C[],
  ): { readonly changes: readonly C[]; readonly leftOut: number };
  /** @throws DeskterityError ACTION_NOT_SUPPORTED, always: for an act that needs this */
  refuse(skill: WidgetSkill): never;
}
