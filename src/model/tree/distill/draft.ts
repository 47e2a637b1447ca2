import type { Bounds } from '../bounds.ts';
import type { ElisionReason, NameSource, OffScreen, TreeNode } from '../node.ts';
import { isInteractive, roleSet, type Role } from '../role.ts';
import type { State } from '../state.ts';
import type { DistillOptions } from './types.ts';

/** A working copy of an element that the passes rewrite; the adapter's tree is never touched. */
export interface Draft {
  readonly source: TreeNode;
  role: Role;
  name: string;
  nameFrom: NameSource;
  value: string;
  valueLength: number;
  description: string;
  states: State[];
  readonly bounds: Bounds | undefined;
  /** Elements missing below this one; 0 with a reason means that the number is unknown. */
  elided: number;
  elidedReason: ElisionReason | undefined;
  /** What is scrolled out of it. */
  offscreen: OffScreen | undefined;
  children: Draft[];
}

/** One step of distillation: rewrites the draft below `root`, and `root` itself except for removal. */
export type Pass = (root: Draft, options: DistillOptions) => void;

export function toDraft(node: TreeNode): Draft {
  return {
    source: node,
    role: node.role,
    // Leading blanks of a row are its indentation.
    name: node.source === 'terminal' ? node.name.trimEnd() : node.name.trim(),
    nameFrom: node.nameFrom ?? 'label',
    value: node.value ?? '',
    valueLength: 0,
    description: node.description?.trim() ?? '',
    states: [...node.states],
    bounds: node.bounds,
    elided: node.elided === undefined ? 0 : Math.max(0, (node.childCount ?? 0) - node.children.length),
    elidedReason: node.elided,
    offscreen: undefined,
    children: node.children.map(toDraft),
  };
}

/** Runs `visit` on every node, children before parents. */
export function eachUp(node: Draft, visit: (node: Draft) => void): void {
  for (const child of node.children) eachUp(child, visit);
  visit(node);
}

/** Replaces every node below `root` by what `replace` returns for it, children before parents. */
export function rewrite(root: Draft, replace: (node: Draft, parent: Draft) => readonly Draft[]): void {
  eachUp(root, (parent) => {
    parent.children = parent.children.flatMap((child) => replace(child, parent));
  });
}

export const STATIC_TEXT = roleSet('text', 'caption', 'code');

/** Mere text: no children, no focus, nothing left out. */
export function isStaticText(node: Draft): boolean {
  return STATIC_TEXT.has(node.role) && node.children.length === 0 && !isElided(node) && !isFocused(node);
}

/** Whether something is missing below it that can be asked for: it is never merged with others. */
export function isElided(node: Draft): boolean {
  return node.elidedReason !== undefined || node.offscreen !== undefined;
}

export function isFocused(node: Draft): boolean {
  return node.states.includes('focused');
}

/** The text of a static text: its name, else its value (terminals, displays). */
export function shownText(node: Draft): string {
  return node.name === '' ? node.value.trim() : node.name;
}

/** Static texts below a node in document order. Interactive elements and gaps end the search, or are skipped if `besideControls`. */
export function ownTexts(node: Draft, besideControls = false): string[] | undefined {
  const texts: string[] = [];
  for (const child of node.children) {
    if (isInteractive(child.role) || isElided(child)) {
      if (besideControls) continue;
      return undefined;
    }
    const text = isStaticText(child) || child.children.length === 0 ? shownText(child) : '';
    if (text !== '') texts.push(text);
    const below = ownTexts(child, besideControls);
    if (below === undefined) return undefined;
    texts.push(...below);
  }
  return texts;
}

/** For comparing texts that differ only in white space, case or a closing colon. */
export function comparable(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replace(/\s*:$/, '').toLowerCase();
}
