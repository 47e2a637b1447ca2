import type { Change } from '../model/effects/effect.ts';
import type { KeyCombination } from '../model/text/key-combination.ts';
import type { TreeNode } from '../model/tree/node.ts';

/** What an act types. */
export type Sent = { readonly text: string } | { readonly keys: KeyCombination };

/** A change of an element of a screen. */
export interface ScreenChange {
  readonly change: Change;
  readonly node: TreeNode;
  /** The key of its handle. */
  readonly key: string;
}

/** What was observed around one act. */
export interface ScreenObservation<C extends ScreenChange = ScreenChange> {
  /** Roots of the screen before and after, if both were read. */
  readonly trees: { readonly before: TreeNode; readonly after: TreeNode } | undefined;
  readonly changes: readonly C[];
  /** Keys of the elements with events that the act may have caused. */
  readonly reported: ReadonlySet<string>;
}

export interface ScreenJudgement<C extends ScreenChange = ScreenChange> {
  readonly effect: 'confirmed' | 'unverified';
  readonly evidence: readonly string[];
  /** The change that is the only evidence of the act. */
  readonly reliesOn?: C;
}

/** What widgets support and a text screen does not. */
export type WidgetSkill = 'hover' | 'replace_text';

/** The rules of a desktop that is a text screen: it has no widgets that report changes, so its adapter judges the effect of acts. */
export interface ScreenPort {
  /** Identifies this screen permanently. */
  readonly id: string;
  /** The effect of what was sent to it; `sent` is absent for clicks. */
  judge<C extends ScreenChange>(seen: ScreenObservation<C>, sent: Sent | undefined): ScreenJudgement<C>;
  /** The changes a receipt reports, and how many others there were. */
  report<C extends ScreenChange>(
    changes: readonly C[],
  ): { readonly changes: readonly C[]; readonly leftOut: number };
  /** Always throws, for an act that needs this. @throws DeskterityError ACTION_NOT_SUPPORTED */
  refuse(skill: WidgetSkill): never;
}
