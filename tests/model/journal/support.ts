import type { Attributed } from '../../../src/model/journal/attribute.ts';
import type { Happening, Subject } from '../../../src/model/journal/happening.ts';

const SUBJECT: Subject = { key: 'app /slider', role: 'slider', name: 'Volume', app: 'mixer', pid: 7 };

/** A change of a value, unless told otherwise. */
export function happening(more: Partial<Happening> & { readonly subject?: Subject } = {}): Happening {
  const fromMs = more.fromMs ?? 1000;
  return {
    kind: 'value_changed',
    subject: SUBJECT,
    fromMs,
    toMs: fromMs,
    count: 1,
    position: 1,
    isInputWatched: true,
    ...more,
  };
}

export function attributed(more: Partial<Happening>, by: Attributed['by'] = 'application'): Attributed {
  return { happening: happening(more), by };
}
