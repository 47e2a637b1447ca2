import type { ApplicationFacts, Verdict } from '../../model/policy/verdict.ts';
import { hasConsent } from '../current-policy.ts';

/** Whether something reads an application, or may change it. */
export type Use = 'read' | 'act';

/** An application that is judged. */
interface Judged {
  /** Its name, in quotes. */
  readonly shown: string;
  readonly facts: ApplicationFacts;
}

/**
 * Whether the policy refuses the use of an application. What needs consent may be read, and is asked about before it is acted on.
 * @throws DeskterityError CONFIRMATION_REQUIRED
 */
export function isRefused(
  verdict: Verdict | undefined,
  { shown, facts }: Judged,
  use: Use,
): verdict is Verdict {
  if (verdict === undefined || verdict.decision === 'allow') return false;
  if (verdict.decision === 'deny') return true;
  // Consent is for its process: windows, elements and points name it differently, and another one may take its name.
  const identity = facts.pid === undefined || facts.pid === 0 ? shown : facts.pid;
  const about = ['application', identity, facts.executable ?? ''];
  return use === 'act' && !hasConsent(`act on the application ${shown}`, verdict, about);
}
