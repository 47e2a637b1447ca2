import { z } from 'zod';
import type { ServerContext } from '../sdk.ts';
import type { ClientQuestions } from './question.ts';
import { hasQuestion } from './revisions.ts';

/** A capability is declared by an object, which may have members. */
const Declared = z.looseObject({}).optional().catch(undefined);

const Capabilities = z
  .object({
    elicitation: z.looseObject({ form: Declared, url: Declared }).optional().catch(undefined),
    sampling: z.looseObject({ tools: Declared }).optional().catch(undefined),
    roots: Declared,
  })
  .catch({ elicitation: undefined, sampling: undefined, roots: undefined });

const Claims = z.object({ 'io.modelcontextprotocol/clientCapabilities': z.unknown() });

/** What the client has declared that it answers, as far as its protocol revision has such questions. */
export function abilitiesOf(capabilities: unknown, revision?: string): ClientQuestions['canAnswer'] {
  const { elicitation, sampling, roots } = Capabilities.parse(capabilities);
  const able = {
    // Without a mode it is the form, which was the only one until 2025-11-25.
    form: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    url: elicitation?.url !== undefined,
    sampling: sampling !== undefined,
    'sampling-with-tools': sampling?.tools !== undefined,
    roots: roots !== undefined,
  };
  return (kind) => able[kind] && hasQuestion(revision, kind);
}

/** What a client of the modern era declares with each request. */
export function claimsIn({ mcpReq }: ServerContext): unknown {
  return Claims.safeParse(mcpReq.envelope).data?.['io.modelcontextprotocol/clientCapabilities'];
}
