import { handleKey } from '../../model/tree/node.ts';
import type { Observation } from '../evidence/evidence.ts';
import { pathTo } from '../tree/path-to.ts';

/**
 * Whether the element is the one beside others of its kind that is on. In a group of which one is always on, a click leaves that as it is and may
 * do something else, as on the folder that a file manager shows.
 */
export function isOnlyOneOn({ before, targetKey, trees }: Observation): boolean {
  const path = trees === undefined ? [] : pathTo(trees.before.root, targetKey);
  const beside = (path.at(-2)?.children ?? []).filter(({ role }) => role === before.role);
  const on = beside.filter(({ states }) => states.includes('checked') || states.includes('pressed'));
  return beside.length > 1 && on.length === 1 && on.every(({ handle }) => handleKey(handle) === targetKey);
}
