import type { Verdict } from '../../model/policy/verdict.ts';
import { hasConsent } from '../current-policy.ts';

/** Whether something reads an application, or may change it. */
export type Use = 'read' | 'act';

/**
 * Whether the policy refuses the use of an application. What needs consent may be read, and is asked about before it is acted on.
 * @param shown its name, in quotes
 * @throws DeskterityError CONFIRMATION_REQUIRED
 */
export function isRefused(verdict: Verdict | undefined, shown: string, use: Use): verdict is Verdict {
  if (verdict === undefined || verdict.decision === 'allow') return false;
  if (verdict.decision === 'deny') return true;
  return use === 'act' && !hasConsent(`act on the application ${shown}`, verdict, ['application', shown]);
}
