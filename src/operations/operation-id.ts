import { randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 6;
const FORM = /^op-[a-z2-7]{6}$/;

/** A random id such as `op-k3x7qa`; creating its folder ensures that it is unique. */
export function newOperationId(): string {
  let id = 'op-';
  for (const byte of randomBytes(LENGTH)) id += LETTERS.charAt(byte & 31);
  return id;
}

/** Whether a text has the form of an id. Other text must never become part of a path. */
export function isOperationId(text: string): boolean {
  return FORM.test(text);
}
