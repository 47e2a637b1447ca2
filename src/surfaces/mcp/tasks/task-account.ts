import { z } from 'zod';
import { MissingRequiredClientCapabilityError, type ServerContext } from '../sdk.ts';

/** The tasks of protocol version 2026-07-28 are an extension. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const Envelope = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    extensions: z.record(z.string(), z.unknown()),
  }),
});

/** Who asks, within the principal of the connection: the user and client that an access token was issued to. */
export function accountIn({ http }: Pick<ServerContext, 'http'>): string {
  const owner = http?.authInfo?.extra?.['owner'];
  return typeof owner === 'string' ? owner : (http?.authInfo?.clientId ?? '');
}

/** Whether the envelope of a modern request declares the extension. */
export function declaresTasks(envelope: unknown): boolean {
  const { data } = Envelope.safeParse(envelope);
  const extensions = data?.['io.modelcontextprotocol/clientCapabilities'].extensions ?? {};
  return Object.hasOwn(extensions, TASKS_EXTENSION);
}

export function needsTasks(): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  const message = `Declare the extension ${TASKS_EXTENSION} in the capabilities of the request.`;
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, message);
}
