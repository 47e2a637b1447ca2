import { roleSet } from '../../model/tree/role.ts';
import type { State } from '../../model/tree/state.ts';
import type { DesktopPort, NodeDetails, SemanticAct } from '../../ports/desktop.ts';
import { judgeFocus, judgeOpenness, judgeToggle } from '../evidence/judge-state.ts';
import { judgeValue } from '../evidence/judge-value.ts';
import type { SemanticActKind } from '../requests/acting.ts';
import type { Act } from './attempt.ts';

/** Roles that cannot be switched off. */
const ONE_WAY = roleSet('radio', 'menuitemradio');
/** The act that performs one semantic action. */
export function semanticAct(desktop: DesktopPort, kind: SemanticActKind): Act {
  if (kind === 'clear') {
    return {
      kind,
      run: (node, options) => desktop.setValue(node, '', options()),
      judge: (seen) => judgeValue(seen, ''),
      // A protected field always reads as empty.
      already: (node) =>
        node.text === '' && !node.states.includes('protected') ? ['already', 'fresh read: ""'] : undefined,
    };
  }
  return {
    kind,
    run: (node, options) => desktop.perform(node, kind, options()),
    judge:
      kind === 'toggle'
        ? judgeToggle
        : kind === 'focus'
          ? judgeFocus
          : (seen) => judgeOpenness(seen, kind === 'expand' ? 'expanded' : 'collapsed'),
    already: (node) => {
      const state = requestedState(kind, node);
      return state !== undefined && node.states.includes(state)
        ? ['already', `fresh read: ${state}`]
        : undefined;
    },
  };
}

function requestedState(kind: SemanticAct, { role }: Pick<NodeDetails, 'role'>): State | undefined {
  if (kind === 'toggle') return ONE_WAY.has(role) ? 'checked' : undefined;
  if (kind === 'focus') return 'focused';
  return kind === 'expand' ? 'expanded' : 'collapsed';
}
