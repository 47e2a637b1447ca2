/** What browsers add to the name of a tab for screen readers alone, whenever they have measured it: how much memory the tab uses. */
const MEMORY = / - Memory usage - [\d.,]+\s?[KMG]?B$/u;

/** A name as far as an act may have changed it: without what its application adds by itself, at any moment and seen by nobody. */
export function withoutAdditions(name: string): string {
  return name.replace(MEMORY, '');
}
