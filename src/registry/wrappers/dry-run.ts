import { DRY_RUN_KEY, takesDryRun } from '../dry-run/takes-dry-run.ts';
import { sealedContext } from '../dry-run/sealed-context.ts';
import { DryRunReport } from '../../model/effects/dry-run.ts';
import { Planned } from '../../model/effects/planned.ts';
import { isRecord } from '../../model/is-record.ts';
import type { Wrapper } from './wrapper.ts';

/** Runs a command without any effect if `dry_run` is given, and answers what it would do. It fails as the command would fail before its first effect. */
export const dryRun: Wrapper = ({ definition, name }, next) => {
  // Some plan several steps, and answer with all of them.
  const plansItself = DRY_RUN_KEY in definition.input.shape;
  if (!takesDryRun(definition) || plansItself) return next;
  return async (ctx, input) => {
    const { [DRY_RUN_KEY]: isDryRun, ...given } = isRecord(input) ? input : {};
    if (isDryRun !== true) return next(ctx, given);
    try {
      return nothingFor(name, await next(sealedContext(ctx), given));
    } catch (error) {
      if (error instanceof Planned) return reportOf(name, error);
      throw error;
    }
  };
};

function reportOf(name: string, { step, target, via }: Planned): DryRunReport {
  return {
    dry_run: true,
    would: step === '' ? name : `${name}: ${step}`,
    ...(target === undefined ? {} : { target }),
    ...(via === undefined ? {} : { via }),
  };
}

/** For a command that ended without an effect. */
function nothingFor(name: string, output: Record<string, unknown>): DryRunReport {
  const { data: evidence = [] } = DryRunReport.shape.would.array().safeParse(output['evidence']);
  const { data: target } = DryRunReport.shape.target.safeParse(output['target']);
  return {
    dry_run: true,
    would: `${name}: do nothing${evidence.length === 0 ? '' : `, because ${evidence.join('; ')}`}`,
    ...(target === undefined ? {} : { target }),
  };
}
