import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import type { AuditFacts, AuditKind } from '../../../model/audit/entry.ts';
import { clip } from '../../../model/text/untrusted-text.ts';
import type { PlainChannel } from '../connections/connection.ts';
import type { Server } from '../sdk.ts';

/** The client behind a request, for everything that is done for it. */
interface RequestClient {
  /** The name that it gives itself; nobody has checked it. */
  readonly name: string;
  readonly onAudit: (kind: AuditKind, facts: AuditFacts) => void;
}

const LONGEST_NAME = 80;

const Claims = z.object({
  'io.modelcontextprotocol/clientInfo': z.object({ name: z.string(), version: z.string() }),
});

const clients = new AsyncLocalStorage<RequestClient>();

/** Runs the handling of a request as one of this client, which is told what is recorded of it. */
export function asClient<R>(
  { server, isLegacy, channel }: { server: Server; isLegacy: boolean; channel: PlainChannel },
  run: () => Promise<R>,
): Promise<R> {
  const { envelope } = channel.context.mcpReq;
  const info = isLegacy
    ? server.getClientVersion()
    : Claims.safeParse(envelope).data?.['io.modelcontextprotocol/clientInfo'];
  const name = info === undefined ? 'mcp' : `mcp ${clip(`${info.name} ${info.version}`, LONGEST_NAME)}`;
  return clients.run({ name, onAudit: (kind, facts) => report(channel, kind, facts) }, run);
}

/** The client of the request that is being handled. */
export function requestClient(): RequestClient | undefined {
  return clients.getStore();
}

/** What was refused is an alert; what was done is a notice, once it has ended. */
function report({ log }: PlainChannel, kind: AuditKind, facts: AuditFacts): void {
  if (kind !== 'outcome' && kind !== 'denied') return;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  log(kind === 'denied' ? 'alert' : 'notice', 'deskterity.audit', { kind, ...Object.fromEntries(known) });
}
