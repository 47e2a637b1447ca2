/** Text as it is typed: a line feed is Enter. */
export function typedBytes(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/\r?\n/g, '\r'));
}
