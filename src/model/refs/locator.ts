import type { Locator, LocatorFilter, LocatorStep } from './locator/grammar.ts';
import { quote } from '../text/untrusted-text.ts';

export type { Locator, LocatorFilter, LocatorStep } from './locator/grammar.ts';
export { parseLocator } from './locator/parse.ts';

/** The canonical text of a locator; {@link parseLocator} reads it back. */
export function printLocator({ app, window, steps }: Locator): string {
  return [
    ...(app === undefined ? [] : [`app:${quote(app)}`]),
    ...(window === undefined ? [] : [`window:${quote(window)}`]),
    ...steps.map(printStep),
  ].join(' >> ');
}

function printStep(step: LocatorStep): string {
  const what = step.kind === 'role' ? step.role : quote(step.value);
  const nth = step.nth === undefined ? '' : `[nth=${step.nth}]`;
  return `${step.kind}:${what}${step.filters.map(printFilter).join('')}${nth}`;
}

function printFilter(filter: LocatorFilter): string {
  if ('state' in filter) {
    if (filter.state === 'disabled' && !filter.holds) return '[enabled]';
    return `[${filter.state}${filter.holds ? '' : '=false'}]`;
  }
  const { attribute, operator, text } = filter;
  return `[${attribute}${operator}${operator === '~=' ? quotePattern(text) : quote(text)}]`;
}

/** A pattern keeps its backslashes. */
function quotePattern(text: string): string {
  return `"${text.replaceAll(/\\[\s\S]|"/g, (part) => (part === '"' ? String.raw`\"` : part))}"`;
}
