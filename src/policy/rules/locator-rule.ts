import { DeskterityError } from '../../model/effects/errors.ts';
import { parseLocator, type Locator, type LocatorFilter } from '../../model/refs/locator.ts';
import { expressionOf, Mistake } from '../reading/mistake.ts';
import { plain } from './pattern.ts';
import type { ElementMatch, TextMatch } from './rule.ts';

const FIX = String.raw`Write one step such as role:button[name="Send"], with app: or window: before it if needed`;

/**
 * What a locator in a rule is about. A rule is compared with one element, not searched in a window, so that only what the element itself shows can be
 * required: its role, name and description, and its application and window.
 * @throws Mistake
 */
export function elementOfLocator(text: string): {
  readonly element: ElementMatch;
  readonly application: string | undefined;
} {
  const { app, window, steps } = read(text);
  const [step] = steps;
  if (step === undefined || steps.length > 1) throw new Mistake('the locator of a rule has one step', FIX);
  if (step.nth !== undefined) throw new Mistake('the locator of a rule cannot count (nth)', FIX);
  if (step.kind !== 'role' && step.kind !== 'text')
    throw new Mistake(`the locator of a rule cannot search by ${step.kind}`, FIX);
  const texts = step.filters.map(textOf);
  const part = step.kind === 'text' ? plain(step.value) : undefined;
  return {
    application: app,
    element: {
      role: step.kind === 'role' ? step.role : undefined,
      window: window === undefined ? undefined : plain(window),
      texts: [
        ...(part === undefined
          ? []
          : [{ of: 'either', matches: (given: string) => given.includes(part) } as const]),
        ...texts,
      ],
    },
  };
}

function read(text: string): Locator {
  try {
    return parseLocator(text);
  } catch (error) {
    if (error instanceof DeskterityError) throw new Mistake(`the locator is not one: ${error.message}`, FIX);
    throw error;
  }
}

/** Compared without case, so that an application cannot evade the rule by another spelling. */
function textOf(filter: LocatorFilter): TextMatch {
  if ('state' in filter) throw new Mistake('the locator of a rule cannot require a state', FIX);
  const { attribute, operator, text } = filter;
  if (attribute === 'value') throw new Mistake('the locator of a rule cannot require a value', FIX);
  if (operator === '~=') {
    const expression = expressionOf(text, false);
    return { of: attribute, matches: (given) => expression.test(given) };
  }
  const wanted = plain(text);
  return {
    of: attribute,
    matches: operator === '=' ? (given) => given === wanted : (given) => given.includes(wanted),
  };
}
