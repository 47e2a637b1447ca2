import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import type { ShownAct } from '../../model/sessions/shown-act.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { Wrapper } from './wrapper.ts';

const LONGEST_NAME = 80;
let acts = 0;

/** Reports each act to those who watch the session: once its target is known, and when it has ended. */
export const reportActs: Wrapper = ({ definition, name: command }, next) => {
  if (definition.kind !== 'act' && definition.kind !== 'input') return next;
  return async (ctx, input) => {
    const { onAct } = ctx;
    if (onAct === undefined) return next(ctx, input);
    const id = ++acts;
    const fromMs = ctx.clock.now();
    const span = (): ShownAct['span'] => ({ fromMs, toMs: ctx.clock.now() });
    let place: Bounds | undefined;
    const report = (more: Partial<ShownAct>): void => onAct({ id, command, place, at: Date.now(), ...more });
    const onTarget = (found: Bounds | undefined): void => {
      place = found;
      report({});
    };
    try {
      const output = await next({ ...ctx, onTarget }, input);
      report({ ...targetOf(output), outcome: textIn(output, 'effect') ?? 'done', span: span() });
      return output;
    } catch (error) {
      const known = error instanceof DeskterityError ? error : undefined;
      report({ ...targetOf(known?.result), outcome: known?.code ?? 'INTERNAL', span: span() });
      throw error;
    }
  };
};

function targetOf(output: unknown): Pick<ShownAct, 'role' | 'name'> {
  const target = isRecord(output) ? output['target'] : undefined;
  const name = textIn(target, 'name');
  return { role: textIn(target, 'role'), name: name === undefined ? undefined : clip(name, LONGEST_NAME) };
}

function textIn(from: unknown, key: string): string | undefined {
  const value = isRecord(from) ? from[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
