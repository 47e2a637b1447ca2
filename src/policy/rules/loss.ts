import type { SecurityMode, Verdict } from '../../model/policy/verdict.ts';
import type { Prepared } from './match-rule.ts';
import type { Rule } from './rule.ts';

/** How the consent to what loses something is named in verdicts. */
const RULE = 'destructive';

/**
 * Whether a person is asked about something that may be lost; `undefined` if nothing is said about that.
 * @param ownRules of the user: a project approves nothing
 */
export function byLoss(
  mode: SecurityMode,
  { request, tool }: Prepared,
  ownRules: readonly Rule[],
): Verdict | undefined {
  const { loss } = request;
  if (loss === undefined) return undefined;
  if (!loss.isAsked && mode !== 'safe') return undefined;
  if (typeof tool === 'string') {
    const approving = ownRules.find(
      ({ decision, tools }) => decision === 'allow' && tools?.names(tool) === true,
    );
    if (approving !== undefined)
      return {
        decision: 'allow',
        rule: `${approving.name} ${JSON.stringify(request.tool)}`,
        why: `${approving.source} names this tool, so that nobody is asked about it.`,
      };
  }
  return { decision: 'confirm', rule: RULE, why: `A person agrees to it: ${loss.why}.` };
}
