import { parsePath, type PathStep } from '../../../model/refs/locator/path.ts';
import type { SearchEntry } from './entries.ts';

/** Returns a check whether a path matches an element. @throws DeskterityError INVALID_ARGUMENT */
export function compilePath(query: string): (entry: SearchEntry) => boolean {
  const steps = parsePath(query);
  const search = new PathSearch(steps);
  return (entry) => search.matches(entry, steps.length - 1);
}

// Results are cached; otherwise a path of many `//*` would try every combination of ancestors.
class PathSearch {
  private readonly steps: readonly PathStep[];
  private readonly known: readonly Map<SearchEntry, boolean>[];
  private readonly knownAbove: readonly Map<SearchEntry, boolean>[];

  constructor(steps: readonly PathStep[]) {
    this.steps = steps;
    this.known = steps.map(() => new Map());
    this.knownAbove = steps.map(() => new Map());
  }

  /** Whether the steps up to `last` match the entry. */
  matches(entry: SearchEntry, last: number): boolean {
    return cached(this.known[last], entry, () => {
      const step = this.steps[last];
      if (!step || !meets(entry, step)) return false;
      if (last === 0) return step.axis === 'descendant' || entry.parent === undefined;
      if (step.axis === 'child') return entry.parent !== undefined && this.matches(entry.parent, last - 1);
      return this.matchesAbove(entry, last - 1);
    });
  }

  private matchesAbove(entry: SearchEntry, last: number): boolean {
    return cached(this.knownAbove[last], entry, () => {
      const { parent } = entry;
      return parent !== undefined && (this.matches(parent, last) || this.matchesAbove(parent, last));
    });
  }
}

function cached(
  answers: Map<SearchEntry, boolean> | undefined,
  entry: SearchEntry,
  answer: () => boolean,
): boolean {
  const known = answers?.get(entry);
  if (known !== undefined) return known;
  const found = answer();
  answers?.set(entry, found);
  return found;
}

function meets(entry: SearchEntry, step: PathStep): boolean {
  if (!fits(entry, step)) return false;
  if (step.position === undefined) return true;
  const siblings = entry.parent?.children ?? [entry];
  return siblings.filter((sibling) => fits(sibling, step))[step.position - 1] === entry;
}

function fits(entry: SearchEntry, step: PathStep): boolean {
  if (step.role !== undefined && entry.node.role !== step.role) return false;
  return step.conditions.every((condition) => {
    if (condition.attribute === 'state')
      return entry.node.states?.some((state) => state === condition.text) ?? false;
    const actual = (entry.node[condition.attribute] ?? '').toLowerCase();
    return condition.operator === 'is' ? actual === condition.text : actual.includes(condition.text);
  });
}
