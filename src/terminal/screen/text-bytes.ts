/** Text as typed bytes: a line feed becomes Enter. */
export function typedBytes(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/\r?\n/g, '\r'));
}
