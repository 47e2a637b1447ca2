import { BusError, LOCAL_ERROR } from './bus-error.ts';

// The specification sets no limit; no real server sends a longer line.
const LONGEST_LINE = 16 * 1024;

/** The next step of the handshake. */
export type AuthStep =
  | { readonly send: string }
  | { readonly done: string; readonly send: string }
  | undefined;

/**
 * The client side of SASL EXTERNAL (specification, "Authentication Protocol"): first with our user id and, if that is
 * refused, without it, so that the server asks the kernel (user namespaces map ids).
 */
export class Authenticator {
  readonly #uid: string;
  readonly #passesDescriptors: boolean;
  #guid = '';
  #line = '';
  #attempt: 'named' | 'anonymous' | 'data-sent' = 'named';

  /**
   * @param uid the numeric user id, or `undefined` where the system has none
   * @param passesDescriptors whether to ask the server to accept descriptors
   */
  constructor(uid: number | undefined, passesDescriptors = false) {
    this.#passesDescriptors = passesDescriptors;
    this.#uid = uid === undefined ? '' : Buffer.from(String(uid)).toString('hex');
    if (this.#uid === '') this.#attempt = 'anonymous';
  }

  /** The first bytes a client sends. */
  begin(): string {
    return this.#uid === '' ? '\0AUTH EXTERNAL\r\n' : `\0AUTH EXTERNAL ${this.#uid}\r\n`;
  }

  /** Takes bytes from the server; throws BusError `local.Auth`. `done` carries the server's guid. */
  push(bytes: Buffer): AuthStep {
    this.#line += bytes.toString('latin1');
    if (this.#line.length > LONGEST_LINE) throw authError(`a line of more than ${LONGEST_LINE} bytes`);
    const end = this.#line.indexOf('\r\n');
    if (end < 0) return undefined;
    if (end + 2 < this.#line.length) throw authError('more than one line');
    const line = this.#line.slice(0, end);
    this.#line = '';
    return this.#answer(line);
  }

  #answer(line: string): AuthStep {
    const [command, detail = ''] = line.split(' ', 2);
    if (command === 'OK') {
      if (!/^[0-9a-fA-F]{32}$/.test(detail)) throw authError(`guid ${JSON.stringify(detail.slice(0, 40))}`);
      this.#guid = detail.toLowerCase();
      if (this.#passesDescriptors) return { send: 'NEGOTIATE_UNIX_FD\r\n' };
      return { done: this.#guid, send: 'BEGIN\r\n' };
    }
    if (command === 'AGREE_UNIX_FD' && this.#passesDescriptors && this.#guid !== '')
      return { done: this.#guid, send: 'BEGIN\r\n' };
    if (command === 'REJECTED' && this.#attempt === 'named') {
      this.#attempt = 'anonymous';
      return { send: 'AUTH EXTERNAL\r\n' };
    }
    if (command === 'DATA' && this.#attempt === 'anonymous') {
      this.#attempt = 'data-sent';
      return { send: 'DATA\r\n' };
    }
    throw authError(JSON.stringify(line.slice(0, 80)));
  }
}

function authError(answer: string): BusError {
  return new BusError(LOCAL_ERROR.AUTH, `the bus did not accept SASL EXTERNAL: ${answer}`);
}
