import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ApplicationFacts, Verdict } from '../model/policy/verdict.ts';
import { builtInRule, HOST_DENIAL, LIFTABLE } from './rules/default-denied.ts';

/** How the rules of security modes are named. */
const MODE_RULE = 'mode ';

/** `POLICY_DENIED` for what a rule denies; nothing was sent. */
export function policyDenied(what: string, verdict: Verdict): DeskterityError {
  const { rule, why } = verdict;
  const error = new DeskterityError('POLICY_DENIED', `The policy denies ${what} (${rule}). ${why}`, {
    suggestion: suggestionFor(rule),
    retryable: false,
    delivered: false,
  });
  verdicts.set(error, verdict);
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

const verdicts = new WeakMap<Error, Verdict>();

/** The verdict behind an error; `undefined` if no rule denied it. */
export function verdictBehind(error: unknown): Verdict | undefined {
  return foundBehind(error, verdicts);
}

const attempts = new WeakMap<Error, ApplicationFacts>();

/** `POLICY_DENIED` for an application; the attempt counts more than others, and is recorded as an alert. */
export function applicationDenied(
  what: string,
  verdict: Verdict,
  application: ApplicationFacts,
): DeskterityError {
  const error = policyDenied(what, verdict);
  attempts.set(error, application);
  return error;
}

/** The denied application that a call tried to reach, and so failed. */
export function deniedApplication(error: unknown): ApplicationFacts | undefined {
  return foundBehind(error, attempts);
}

/** Errors are changed on their way, and keep the one that they come from. */
const MOST_CAUSES = 16;

function foundBehind<T>(error: unknown, known: WeakMap<Error, T>): T | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth += 1) {
    const found = known.get(at);
    if (found !== undefined) return found;
    at = at.cause;
  }
  return undefined;
}
