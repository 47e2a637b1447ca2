import { toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { policyDenied } from '../../policy/policy-error.ts';
import { isRecord } from '../../model/is-record.ts';
import type { CommandDefinition } from '../definition.ts';
import type { Wrapper } from './wrapper.ts';

/** Refuses commands that the policy denies, also as steps of others. Stopping is always possible. */
export const applyPolicy: Wrapper = ({ definition, name }, next) => {
  if (definition.isUrgent === true) return next;
  return (ctx, input) => {
    const isReadOnly = changesNothing(definition) && !doesMore(definition, input);
    const verdict = ctx.policy.decide({ command: name, isReadOnly, tool: toolOfCommand(name) });
    if (verdict.decision === 'allow') return next(ctx, input);
    throw policyDenied(`the command ${name}`, verdict);
  };
};

export function changesNothing({
  kind,
  isReadOnly,
}: Pick<CommandDefinition, 'kind' | 'isReadOnly'>): boolean {
  return kind === 'read' || isReadOnly === true;
}

/** Whether a command that reads was asked for more. */
function doesMore({ beyondReading }: CommandDefinition, input: unknown): boolean {
  if (beyondReading === undefined || !isRecord(input)) return false;
  const given = input[beyondReading];
  return given !== undefined && given !== false;
}
