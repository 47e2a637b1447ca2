import type { CommandContext } from './definition.ts';
import type { RegisteredCommand } from './registry.ts';
import { auditCalls } from './wrappers/audit-calls.ts';
import { applyPolicy } from './wrappers/apply-policy.ts';
import { chooseSeat } from './wrappers/choose-seat.ts';
import { classifyErrors } from './wrappers/classify-errors.ts';
import { confirmActs } from './wrappers/confirm-acts.ts';
import { deadline } from './wrappers/deadline.ts';
import { dryRun } from './wrappers/dry-run.ts';
import { heedStop } from './wrappers/heed-stop.ts';
import { limitCalls } from './wrappers/limit-calls.ts';
import { parseInput } from './wrappers/parse-input.ts';
import { recordActs } from './wrappers/record-acts.ts';
import { reportActs } from './wrappers/report-acts.ts';
import { warnUndetectedInput } from './wrappers/undetected-input.ts';
import type { Invoke, Wrapper } from './wrappers/wrapper.ts';
import { isRecord } from '../model/is-record.ts';

/** Outermost first. */
const WRAPPERS: readonly Wrapper[] = [
  classifyErrors,
  limitCalls,
  parseInput,
  dryRun,
  auditCalls,
  applyPolicy,
  reportActs,
  recordActs,
  deadline,
  confirmActs,
  heedStop,
  warnUndetectedInput,
  chooseSeat,
];

/** Runs a command inside all wrappers. Rejects only with DeskterityError. */
export async function invoke(
  command: RegisteredCommand,
  ctx: CommandContext,
  input: unknown,
): Promise<Record<string, unknown>> {
  const run: Invoke = async (inner, parsed) => {
    const output = await command.definition.run(inner, isRecord(parsed) ? parsed : {});
    if (isRecord(output)) return output;
    throw new TypeError(`${command.name} did not return an object.`);
  };
  return WRAPPERS.reduceRight((next, wrapper) => wrapper(command, next), run)(ctx, input);
}
