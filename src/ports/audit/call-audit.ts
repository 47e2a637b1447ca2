import type { AuditFacts, AuditKind } from '../../model/audit/entry.ts';
import type { AuditFailure, AuditPort } from './audit.ts';

/** What happens to acts that cannot be recorded. */
export const ON_AUDIT_FAILURE = ['refuse', 'warn'] as const;
export type OnAuditFailure = (typeof ON_AUDIT_FAILURE)[number];

/** The audit log as the calls of one caller use it. */
export interface CallAudit {
  /** Opened on first use. */
  readonly log: () => Promise<AuditPort>;
  readonly onFailure: OnAuditFailure;
  /** Whether commands that only read are recorded. */
  readonly recordsReads: boolean;
  /** Who calls; in every entry. */
  readonly who: AuditFacts;
  /** Told of each entry, for clients that follow what is done. */
  readonly onEntry?: ((kind: AuditKind, facts: AuditFacts) => void) | undefined;
  /** Told of what could not be recorded. */
  readonly onProblem: (failure: AuditFailure) => void;
}
