import { DeskterityError } from '../model/effects/errors.ts';
import type { ReachedList } from '../model/policy/reached.ts';
import type { Policy } from '../model/policy/verdict.ts';
import { policyDenied } from './policy-error.ts';

/** Why the answer of an earlier call may not be given away: it comes from something that the policy denies by now. */
export function refusalOfReached(
  { isWhole, all }: ReachedList,
  policy: Pick<Policy, 'decide'>,
): DeskterityError | undefined {
  for (const request of all) {
    const verdict = policy.decide({ ...request, isReadOnly: true, isPast: true });
    if (verdict.decision === 'deny') return policyDenied('what this answer came from', verdict);
  }
  if (isWhole) return undefined;
  return new DeskterityError(
    'POLICY_DENIED',
    'The answer of this call cannot be judged again, because it came from too many applications.',
    { suggestion: 'Call again, for fewer applications.', retryable: false, delivered: false },
  );
}
