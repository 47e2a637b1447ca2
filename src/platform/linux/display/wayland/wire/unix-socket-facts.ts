/** Facts about a Unix domain socket, from the kernel. */
export interface UnixSocketFacts {
  readonly name: string | undefined;
  /** The inode of the other end. */
  readonly peer: number | undefined;
  readonly unreadBytes: number | undefined;
}

const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const NLMSG_ERROR = 2;
const AF_UNIX = 1;
const ANY_STATE = 0xff_ff_ff_ff;
const ANY_COOKIE = 0xff_ff_ff_ff;
/** UDIAG_SHOW_NAME, UDIAG_SHOW_PEER and UDIAG_SHOW_RQLEN. */
const SHOWN = 0x01 | 0x04 | 0x10;
const NAME = 0;
const PEER = 2;
const QUEUES = 4;
const HEADER_BYTES = 16;
const REQUEST_BYTES = 24;
const FACTS_BYTES = 16;
const ATTRIBUTE_HEADER_BYTES = 4;

/** The question about one socket. The kernel writes numbers as its processor does; those that we support have the low byte first. */
export function askForSocket(inode: number): Buffer {
  const message = Buffer.alloc(HEADER_BYTES + REQUEST_BYTES);
  message.writeUInt32LE(message.length, 0);
  message.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  message.writeUInt16LE(NLM_F_REQUEST, 6);
  message.writeUInt8(AF_UNIX, HEADER_BYTES);
  message.writeUInt32LE(ANY_STATE, HEADER_BYTES + 4);
  message.writeUInt32LE(inode, HEADER_BYTES + 8);
  message.writeUInt32LE(SHOWN, HEADER_BYTES + 12);
  message.writeUInt32LE(ANY_COOKIE, HEADER_BYTES + 16);
  message.writeUInt32LE(ANY_COOKIE, HEADER_BYTES + 20);
  return message;
}

/** The answer; `undefined` if there is no such socket. */
export function readSocketFacts(answer: Buffer): UnixSocketFacts | undefined {
  if (answer.length < HEADER_BYTES + FACTS_BYTES) return undefined;
  const length = Math.min(answer.readUInt32LE(0), answer.length);
  const type = answer.readUInt16LE(4);
  if (type === NLMSG_ERROR || type !== SOCK_DIAG_BY_FAMILY) return undefined;
  const attributes = new Map<number, Buffer>();
  for (let at = HEADER_BYTES + FACTS_BYTES; at + ATTRIBUTE_HEADER_BYTES <= length;) {
    const size = answer.readUInt16LE(at);
    if (size < ATTRIBUTE_HEADER_BYTES || at + size > length) break;
    attributes.set(answer.readUInt16LE(at + 2), answer.subarray(at + ATTRIBUTE_HEADER_BYTES, at + size));
    at += (size + 3) & ~3;
  }
  const [name, peer, queues] = [NAME, PEER, QUEUES].map((kind) => attributes.get(kind));
  const number = (bytes: Buffer | undefined): number | undefined =>
    bytes !== undefined && bytes.length >= 4 ? bytes.readUInt32LE(0) : undefined;
  return {
    name: name?.toString().replace(/\0$/, ''),
    peer: number(peer),
    unreadBytes: number(queues),
  };
}
