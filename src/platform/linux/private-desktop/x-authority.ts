const PROTOCOL = 'MIT-MAGIC-COOKIE-1';
/** Matches every host name, so that the cookie still works in a renamed container. */
const FAMILY_WILD = 0xffff;

/**
 * The bytes of an Xauthority file with one cookie for any display number, because it is written before the number is known. Each
 * desktop has its own cookie, so programs of other desktops are refused.
 */
export function xAuthorityFile(cookie: Uint8Array): Buffer {
  return Buffer.concat([uint16(FAMILY_WILD), counted(''), counted(''), counted(PROTOCOL), counted(cookie)]);
}

function counted(data: string | Uint8Array): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([uint16(bytes.length), bytes]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}
