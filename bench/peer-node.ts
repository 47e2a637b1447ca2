import { chooseStates } from '../src/model/tree/distill/choose-states.ts';
import { toDraft, type Draft } from '../src/model/tree/distill/draft.ts';
import { dropInvisible } from '../src/model/tree/distill/drop-invisible.ts';
import type { DistillOptions, DistilledTree } from '../src/model/tree/distill/distill.ts';
import { maskProtected } from '../src/model/tree/distill/texts.ts';
import { nameMenuOpeners } from '../src/model/tree/distill/names.ts';
import type { OutputNode, TreeNode } from '../src/model/tree/node.ts';
import type { Role } from '../src/model/tree/role.ts';
import type { State } from '../src/model/tree/state.ts';

/** The input of every format, so that all of them render the same facts about the same elements. */
export interface PeerNode {
  readonly role: Role;
  readonly nativeRole: string;
  readonly name: string;
  readonly value: string;
  readonly description: string;
  readonly states: readonly State[];
  readonly actions: readonly string[];
  /** Number of the reference, if the element has one. */
  readonly ref: number | undefined;
  readonly children: readonly PeerNode[];
}

/** Exactly the nodes that our outline shows. */
export function fromDistilled(tree: DistilledTree): PeerNode {
  const convert = (node: OutputNode): PeerNode => ({
    role: node.role,
    nativeRole: tree.sources.get(node)?.nativeRole ?? node.role,
    name: node.name ?? '',
    value: node.value ?? '',
    description: node.description ?? '',
    states: node.states ?? [],
    actions: [],
    ref: node.ref === undefined ? undefined : Number(node.ref.replace(/^@e/, '')),
    children: (node.children ?? []).map(convert),
  });
  return convert(tree.root);
}

const AS_RECORDED: DistillOptions = {
  interactiveOnly: false,
  compact: false,
  wholeTree: false,
  includeBounds: false,
  includeActions: true,
};

/**
 * The raw tree as a peer would read it. To the peers' advantage, all of them use our visibility rule (nothing off screen), our choice of states, our
 * roles (an element that opens a menu is a menu item) and no passwords.
 */
export function fromRaw(root: TreeNode): PeerNode {
  const draft = toDraft(root);
  for (const pass of [maskProtected, dropInvisible, nameMenuOpeners, chooseStates]) pass(draft, AS_RECORDED);
  const convert = (node: Draft): PeerNode => ({
    role: node.role,
    nativeRole: node.source.nativeRole,
    name: node.name,
    value: node.value,
    description: node.description,
    states: node.states,
    actions: node.source.actions ?? [],
    ref: undefined,
    children: node.children.map(convert),
  });
  return convert(draft);
}

/** Numbers refs in document order for the nodes that get one. */
export function numberRefs(root: PeerNode, needsRef: (node: PeerNode) => boolean): PeerNode {
  let last = 0;
  const number = (node: PeerNode): PeerNode => {
    const ref = needsRef(node) ? (last += 1) : undefined;
    return { ...node, ref, children: node.children.map(number) };
  };
  return number(root);
}
