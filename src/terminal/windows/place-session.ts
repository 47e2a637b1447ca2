import type { WindowGrouping } from '../../model/terminals/terminal-app.ts';
import { projectHash } from '../session-key.ts';
import type { TerminalIdentity } from '../../model/terminals/session-name.ts';
import type { ShownTab } from '../../ports/terminals/terminal-applications.ts';
import { parseSessionTitle, type TitleFacts } from './terminal-title.ts';

export type SessionPlace =
  /** It is already shown. */
  | { readonly type: 'shown'; readonly tab: ShownTab }
  /** In the window of this tab. */
  | { readonly type: 'tab'; readonly beside: ShownTab }
  | { readonly type: 'window' };

interface SessionTab extends TitleFacts {
  readonly tab: ShownTab;
}

/**
 * Where to show a session, from the tabs an application shows. A shown session stays where it is. `project`: with other sessions of its project.
 * `smart`: the same, or with any session if the project has no window. Of several windows, the one with the most sessions; of equal ones, the first.
 */
export function placeSession(
  identity: TerminalIdentity,
  grouping: WindowGrouping,
  tabs: readonly ShownTab[],
): SessionPlace {
  const hash = projectHash(identity.projectPath);
  const sessions = tabs.flatMap((tab): SessionTab[] => {
    const facts = parseSessionTitle(tab.title);
    return facts === undefined ? [] : [{ ...facts, tab }];
  });
  const same = sessions.find((one) => one.projectHash === hash && one.tag === identity.tag);
  if (same !== undefined) return { type: 'shown', tab: same.tab };
  if (grouping === 'off') return { type: 'window' };
  const ofProject = sessions.filter((one) => one.projectHash === hash);
  const candidates = grouping === 'smart' && ofProject.length === 0 ? sessions : ofProject;
  const beside = inFullestWindow(candidates, sessions);
  return beside === undefined ? { type: 'window' } : { type: 'tab', beside: beside.tab };
}

function inFullestWindow(
  candidates: readonly SessionTab[],
  all: readonly SessionTab[],
): SessionTab | undefined {
  const size = ({ tab: { windowId } }: SessionTab) =>
    all.filter(({ tab }) => tab.windowId === windowId).length;
  return candidates.reduce<SessionTab | undefined>(
    (best, one) => (best === undefined || size(one) > size(best) ? one : best),
    undefined,
  );
}
