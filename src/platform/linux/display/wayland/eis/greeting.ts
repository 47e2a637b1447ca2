import { encodeEi, type EiValue } from './ei-message.ts';
import { EI, requestOf } from './protocol.ts';

/** The object that a connection begins with. */
export const HANDSHAKE = 0n;
const SENDER = 2;

/** What a client that sends input says of itself: first the version of the handshake, last that this is all. */
export function greeting(clientName: string): readonly Buffer[] {
  const message = (
    request: keyof (typeof EI)['ei_handshake']['requests'],
    ...values: readonly EiValue[]
  ): Buffer => {
    const { opcode, signature } = requestOf('ei_handshake', request);
    return encodeEi(HANDSHAKE, opcode, signature, values);
  };
  return [
    message('handshake_version', EI.ei_handshake.version),
    message('context_type', SENDER),
    message('name', clientName),
    ...Object.entries(EI)
      .filter(([name]) => name !== 'ei_handshake')
      .map(([name, { version }]) => message('interface_version', name, version)),
    message('finish'),
  ];
}
