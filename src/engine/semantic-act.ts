import type { SemanticAct } from '../ports/desktop/acts.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { State } from '../model/tree/state.ts';
import type { Act } from './acting/attempt.ts';
import { mannerOf } from './acting/manner.ts';
import { leavesListOpen } from './acting/open-list.ts';
import { alreadySwitched, judgeSwitched } from './acting/switching.ts';
import { isFocusOf } from './tree/focus.ts';
import { listOutside } from './evidence/list-outside.ts';
import { judgeFocus, judgeOpenness } from './judging/judge-state.ts';
import { judgeValue } from './judging/judge-value.ts';
import { requireSame } from './input/as-by-hand.ts';
import { requireNoPopover } from './input/click-checks.ts';
import type { SemanticActRequest } from './requests/acting.ts';

/** The act that performs one semantic action. */
export function semanticAct(
  desktop: DesktopPort,
  { act: kind, to, mode }: Pick<SemanticActRequest, 'act' | 'to' | 'mode'>,
): Act {
  const manner = mannerOf(desktop, mode);
  if (kind === 'clear') {
    return {
      kind,
      run: (node, options) => desktop.setValue(node, '', options()),
      judge: (seen) => judgeValue(seen, ''),
      wrote: () => ({ text: '' }),
      // A protected field always reads as empty.
      already: (node) =>
        node.text === '' && !node.states.includes('protected') ? ['already', 'fresh read: ""'] : undefined,
    };
  }
  return {
    kind,
    ...(kind === 'focus'
      ? {}
      : {
          check: (target, options) => requireSame(desktop, target, { ...options, act: kind, manner }),
        }),
    ...(kind === 'toggle' && manner !== 'background'
      ? {
          unlikeByHand: leavesListOpen,
          requireFree: (target, tree, options) => requireNoPopover({ desktop }, target, tree, options),
        }
      : {}),
    run: (node, options) => desktop.perform(node, kind, { ...options(), manner }),
    judge:
      kind === 'toggle'
        ? (seen) => judgeSwitched(seen, to)
        : kind === 'focus'
          ? judgeFocus
          : (seen) => judgeOpenness(seen, kind === 'expand' ? 'expanded' : 'collapsed'),
    already: (node, tree) => {
      if (kind === 'toggle') return alreadySwitched(node, to);
      const state = requestedState(kind);
      const isOpenOutside = kind !== 'focus' && listOutside(node, tree) !== undefined;
      if (isOpenOutside) return kind === 'expand' ? ['already', 'fresh read: its list is open'] : undefined;
      if (kind === 'focus' && node.keepsFocus === true && !isFocusOf(tree, node)) return undefined;
      return node.states.includes(state) ? ['already', `fresh read: ${state}`] : undefined;
    },
  };
}

function requestedState(kind: Exclude<SemanticAct, 'toggle'>): State {
  if (kind === 'focus') return 'focused';
  return kind === 'expand' ? 'expanded' : 'collapsed';
}
