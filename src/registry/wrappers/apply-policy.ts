import { toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { policyDenied } from '../../policy/policy-error.ts';
import { isRecord } from '../../model/is-record.ts';
import type { PolicyRequest } from '../../model/policy/verdict.ts';
import type { CommandDefinition } from '../definition.ts';
import type { RegisteredCommand } from '../registry.ts';
import type { Wrapper } from './wrapper.ts';

/** Refuses commands that the policy denies, also as steps of others. Stopping is always possible. */
export const applyPolicy: Wrapper = (command, next) => (ctx, input) => {
  const request = requestOf(command, input);
  if (request === undefined) return next(ctx, input);
  const verdict = ctx.policy.decide(request);
  if (verdict.decision === 'allow') return next(ctx, input);
  throw policyDenied(`the command ${command.name}`, verdict);
};

/** What the policy is asked about a call; `undefined` for what is always possible. Without an input: about a call that does only what it must. */
export function requestOf(
  { definition, name }: Pick<RegisteredCommand, 'definition' | 'name'>,
  input?: unknown,
): PolicyRequest | undefined {
  if (definition.isUrgent === true) return undefined;
  const isReadOnly = changesNothing(definition) && !doesMore(definition, input);
  return { command: name, isReadOnly, tool: toolOfCommand(name) };
}

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
