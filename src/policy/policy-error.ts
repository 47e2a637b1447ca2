import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ApplicationFacts, Verdict } from '../model/policy/verdict.ts';
import { builtInRule, HOST_DENIAL, LIFTABLE } from './rules/default-denied.ts';

/** How the rules of security modes are named. */
const MODE_RULE = 'mode ';

/** What was denied, by which rule. */
interface Denial {
  readonly verdict: Verdict;
  /** An attempt to reach one counts more than others, and is recorded as an alert. */
  readonly application?: ApplicationFacts | undefined;
}

const denials = new WeakMap<Error, Denial>();

/** `POLICY_DENIED` for what a rule denies; nothing was sent. @param application the one that was to be reached */
export function policyDenied(
  what: string,
  verdict: Verdict,
  application?: ApplicationFacts,
): DeskterityError {
  const { rule, why } = verdict;
  const error = new DeskterityError('POLICY_DENIED', `The policy denies ${what} (${rule}). ${why}`, {
    suggestion: suggestionFor(rule),
    retryable: false,
    delivered: false,
  });
  denials.set(error, { verdict, application });
  return error;
}

function suggestionFor(rule: string): string {
  if (rule.startsWith(MODE_RULE))
    return `Use what only reads. ${byPerson('Change the mode')} if it should be allowed: policy.toml, the variable DESKTERITY_SECURITY_MODE and the option read-only of an MCP server can each set it.`;
  const builtIn = LIFTED_BY.get(rule);
  if (builtIn === undefined)
    return `Do without it. ${byPerson('Change policy.toml')} if it should be allowed; ${mentionCommand('policy show')} shows all rules.`;
  const instead =
    builtIn === HOST_DENIAL ? 'Name the application or window that is meant.' : 'Do without it.';
  const lift = `Add ${JSON.stringify(builtIn)} to applications.except in policy.toml`;
  return `${instead} ${byPerson(lift)} if it should be allowed.`;
}

/** What `except` may name, by the rule that it lifts. */
const LIFTED_BY: ReadonlyMap<string, string> = new Map(
  [...LIFTABLE].map((name) => [builtInRule(name), name]),
);

/** Errors are changed on their way, and keep the one that they come from. */
const MOST_CAUSES = 16;

/** What was denied behind an error; `undefined` if no rule denied anything. */
export function denialBehind(error: unknown): Denial | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth += 1) {
    const found = denials.get(at);
    if (found !== undefined) return found;
    at = at.cause;
  }
  return undefined;
}
