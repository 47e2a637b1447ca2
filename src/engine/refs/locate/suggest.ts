import { printLocator } from '../../../model/refs/locator.ts';
import type { Locator, LocatorFilter, LocatorStep } from '../../../model/refs/locator.ts';
import type { DistilledTree } from '../../../model/tree/distill/distill.ts';
import type { OutputNode, TreeNode } from '../../../model/tree/node.ts';
import type { ElementDescription } from '../../tree/identity.ts';
import type { SearchEntry } from '../../tree/search/entries.ts';
import type { TreeIndex } from '../../tree/tree-index.ts';
import { passing, select, type Selection } from './select.ts';
import { LEAST_AHEAD, LEAST_HEALED, nameLikeness, similarity, type Wanted } from './similarity.ts';

/** A candidate for a locator that matches nothing. */
export interface Suggestion {
  readonly entry: SearchEntry;
  readonly source: TreeNode;
  /** 0 to 1. */
  readonly score: number;
  /** A locator that matches it. */
  readonly locator: string;
}

/** A search in which a locator matched nothing. */
export interface FailedSearch {
  readonly locator: Locator;
  readonly selection: Selection;
  readonly entries: readonly SearchEntry[];
  readonly sources: DistilledTree['sources'];
  readonly index: TreeIndex;
  readonly windowKey: string;
  /** The element that the locator last matched. */
  readonly before: ElementDescription | undefined;
}

const MOST_SUGGESTED = 5;
const LEAST_SUGGESTED = 0.2;
/** Names are compared with all elements, positions only with the best of them. */
const MOST_COMPARED = 50;
/** Factor for elements outside the named containers, in another state than requested, or if a position was given: never enough for healing. */
const ELSEWHERE = 0.7;

/** The best candidates for a locator, best first. */
export function suggest(search: FailedSearch): Suggestion[] {
  const { locator, selection, before } = search;
  const step = locator.steps.at(-1);
  if (step === undefined) return [];
  const isStepReached = (selection.failedAt ?? 0) === locator.steps.length - 1;
  const reached = new Set(isStepReached ? selection.searched : []);
  const fitting = new Set(passing(step.filters.filter(isNotName), search.entries));
  const wanted = wantedOf(step, before);
  const scored = bestByName(search, wanted).map(({ entry, source }) => {
    const now = search.index.describe(source, search.windowKey);
    const texts = textsOf(step, entry.node);
    const best = Math.max(...wanted.flatMap((one) => texts.map((text) => similarity(one, now, text))));
    const isAsRequested = reached.has(entry) && fitting.has(entry) && step.nth === undefined;
    return { entry, source, score: isAsRequested ? best : best * ELSEWHERE };
  });
  return scored
    .filter(({ score }) => score >= LEAST_SUGGESTED)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_SUGGESTED)
    .map((suggestion) => ({ ...suggestion, locator: locatorOf(search, suggestion.entry) }));
}

/** A score for answers, rounded down. */
export function roundedScore(score: number): number {
  return Math.floor(score * 100) / 100;
}

/** The suggestion that is clearly the best. */
export function clearlyBest<T extends Pick<Suggestion, 'score'>>(suggestions: readonly T[]): T | undefined {
  const [best, second] = suggestions;
  if (best === undefined || best.score < LEAST_HEALED) return undefined;
  return best.score - (second?.score ?? 0) >= LEAST_AHEAD ? best : undefined;
}

function bestByName(
  { entries, sources, before }: FailedSearch,
  wanted: readonly Wanted[],
): { entry: SearchEntry; source: TreeNode }[] {
  return entries
    .flatMap((entry) => {
      const source = sources.get(entry.node);
      if (source === undefined) return [];
      const { path, app } = source.handle;
      const isFormer = before?.path === path && before.app === app;
      const { name = '', value = '', identifier = '' } = entry.node;
      const alike = wanted.flatMap((one) =>
        [name, value.slice(0, 200), identifier].map((text) => nameLikeness(one.name, text)),
      );
      return [{ entry, source, likeness: isFormer ? 2 : Math.max(...alike) }];
    })
    .filter(({ likeness }) => likeness > LEAST_SUGGESTED)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_COMPARED);
}

/** What is known of the element: the name in the locator, and its name when it was last seen. */
function wantedOf(step: LocatorStep, before: ElementDescription | undefined): readonly [Wanted, ...Wanted[]] {
  const role = step.kind === 'role' ? step.role : before?.role;
  const given: Wanted = { role, name: nameIn(step), before };
  return before === undefined || before.name === '' ? [given] : [given, { role, name: before.name, before }];
}

function nameIn(step: LocatorStep): string {
  const named = step.filters.find((filter) => !isNotName(filter));
  if (named !== undefined && 'text' in named)
    return named.operator === '~=' ? named.text.replaceAll(/[^\p{L}\p{N} ]/gu, '') : named.text;
  return step.kind === 'role' || step.kind === 'path' ? '' : step.value;
}

/** The texts of an element that are compared with the wanted name. */
function textsOf(step: LocatorStep, { name = '', value = '', identifier = '' }: OutputNode): string[] {
  if (step.kind === 'text') return [name, value.slice(0, 200)];
  return step.kind === 'id' ? [name, identifier] : [name];
}

function isNotName(filter: LocatorFilter): boolean {
  return 'state' in filter || filter.attribute !== 'name';
}

/** A locator that matches the element now, inside the same containers if they exist. */
function locatorOf({ locator, entries, sources }: FailedSearch, entry: SearchEntry): string {
  const { role, name } = entry.node;
  const filters: LocatorFilter[] =
    name === undefined ? [] : [{ attribute: 'name', operator: '=', text: name }];
  const step: LocatorStep = { kind: 'role', role, filters };
  const containers = locator.steps.slice(0, -1);
  const inside = select([...containers, step], entries, sources).entries;
  const isInside = inside.includes(entry);
  const found = isInside ? inside : select([step], entries, sources).entries;
  const nth = found.length > 1 ? found.indexOf(entry) + 1 : undefined;
  const steps = [...(isInside ? containers : []), nth === undefined ? step : { ...step, nth }];
  return printLocator({ ...locator, steps });
}
