import { randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 6;
const FORM = /^op-[a-z2-7]{6}$/;

/** A name such as `op-k3x7qa`; that nobody else has it is seen to by making its folder. */
export function newOperationId(): string {
  let id = 'op-';
  for (const byte of randomBytes(LENGTH)) id += LETTERS.charAt(byte & 31);
  return id;
}

/** Whether a text has the form of an id: what has not must never become part of a path. */
export function isOperationId(text: string): boolean {
  return FORM.test(text);
}
