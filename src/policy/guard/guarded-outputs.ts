import { afterCheck } from '../../model/after-check.ts';
import type { Policy } from '../../model/policy/verdict.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { ServersPort } from '../../ports/upstream/servers.ts';
import { policyDenied } from '../policy-error.ts';

type PolicyNow = () => Policy | undefined;

/** Operations of which the output of those tools cannot be read that are denied by now. They are listed, and can be ended. */
export function guardedOperations(port: OperationsPort, policyNow: PolicyNow): OperationsPort {
  const toRead = afterCheck(async (id) => requireOutput((await port.status(id)).tool, policyNow()));
  return { ...port, read: toRead(port.read.bind(port)) };
}

/** Other servers, of whose kept answers the same counts. */
export function guardedServers(port: ServersPort, policyNow: PolicyNow): ServersPort {
  return {
    ...port,
    more: (...asked) => {
      const part = port.more(...asked);
      requireOutput(part.tool, policyNow());
      return part;
    },
  };
}

/** @throws DeskterityError POLICY_DENIED */
function requireOutput(tool: string, policy: Policy | undefined): void {
  const verdict = policy?.decide({ tool, isReadOnly: true, isPast: true });
  if (verdict?.decision === 'deny')
    throw policyDenied(`the output of the tool ${quoteClipped(tool)}`, verdict);
}
