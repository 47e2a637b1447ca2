import { isRecord } from '../../../../model/is-record.ts';

/** The objects in the list that an object of unknown make has under a key; none where it has not. */
export function recordsIn(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter((item) => isRecord(item)) : [];
}
