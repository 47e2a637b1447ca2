import { invalidParams } from '../protocol-errors.ts';
import type { ProtocolError } from '../sdk.ts';

export const ITEMS_PER_PAGE = 100;

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** One page of a list. A cursor contains the number of items before it. @throws ProtocolError -32602 for an invalid cursor */
export function paginate<T>(all: readonly T[], cursor: string | undefined, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : offsetOf(cursor);
  if (start > 0 && start >= all.length) throw unknownCursor();
  const end = start + pageSize;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: `after-${end}` } : { items };
}

function offsetOf(cursor: string): number {
  const digits = /^after-([1-9]\d{0,8})$/.exec(cursor)?.[1];
  if (digits === undefined) throw unknownCursor();
  return Number(digits);
}

function unknownCursor(): ProtocolError {
  return invalidParams('The cursor does not belong to this list. Request the list again without a cursor.');
}
