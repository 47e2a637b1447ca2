import type { Concern, PolicyList, Verdict } from '../../model/policy/verdict.ts';
import { matchRule, type Prepared } from './match-rule.ts';
import type { Rule } from './rule.ts';

/** What a person approved beforehand, and for how long. */
export interface Approval {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  readonly applications: Rule;
  readonly terminals: Rule;
  readonly tools: Rule;
  /** Commands with effects that reach neither an application nor a terminal nor a tool. */
  readonly commands: Rule;
  readonly shown: readonly PolicyList[];
}

/** What becomes of a verdict when nobody can be asked: what was approved needs no consent, and everything else is refused. */
export function unattendedVerdict(
  approval: Approval,
  {
    given,
    concerns,
    asked,
  }: { readonly given: Prepared; readonly concerns: readonly Concern[]; readonly asked: Verdict },
  now: number,
): Verdict {
  const rule = `unattended.${approval.name}`;
  if (now < approval.from || now >= approval.until) {
    const when =
      now < approval.from ? `begins at ${stamp(approval.from)}` : `ended at ${stamp(approval.until)}`;
    return { decision: 'deny', rule, why: `What was approved for this run ${when}.` };
  }
  for (const concern of concerns) {
    const missing = missingIn(approval, concern, given);
    if (missing !== undefined)
      return {
        decision: 'deny',
        rule: `${rule}.${missing}`,
        why: 'Nobody watches this run, and it was not approved beforehand.',
      };
  }
  return asked.decision === 'confirm'
    ? { decision: 'allow', rule, why: `It was approved until ${stamp(approval.until)}.` }
    : asked;
}

/** The list that should name what is wanted, and does not. */
function missingIn(approval: Approval, concern: Concern, given: Prepared): string | undefined {
  const { applications, terminals, tools, commands } = approval;
  if (concern === 'application') return isNamed(applications, given) ? undefined : 'applications';
  if (concern === 'terminal') return isNamed(terminals, given) ? undefined : 'terminals';
  // Its application or its tool was approved: it could not be reached otherwise.
  if (concern === 'element' || concern === 'loss') return undefined;
  const { tool, isReadOnly, reach = 'other' } = given.request;
  if (tool !== undefined) return isNamed(tools, given) ? undefined : 'tools';
  if (isReadOnly === true || reach === 'applications' || reach === 'terminals') return undefined;
  return isNamed(commands, given) ? undefined : 'commands';
}

function isNamed(rule: Rule, given: Prepared): boolean {
  return matchRule(rule, given) !== undefined;
}

function stamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
