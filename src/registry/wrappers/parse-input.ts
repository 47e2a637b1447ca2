import { stepLabel } from '../../model/workflow/step.ts';
import type { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isTooDeep, TOO_DEEP } from '../../model/given-json.ts';
import { mentionHelp, mentionName, mentionParameter } from '../../model/text/mention.ts';
import { nearest } from '../../model/text/nearest.ts';
import { scopeAdvice } from '../../model/text/scope-advice.ts';
import { toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { expectedPhrase, parameterFacts, type ParameterFacts } from '../parameter-facts.ts';
import type { CommandContext } from '../define.ts';
import type { RegisteredCommand } from '../registry.ts';
import type { Wrapper } from './wrapper.ts';
import { isRecord } from '../../model/is-record.ts';

/** Longest text argument, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 1_048_576;

/** Parses the caller's input into the command's, or explains what is wrong with it. */
export const parseInput: Wrapper = (command, next) => (ctx, input) =>
  next(
    { ...ctx, isDeadlineGiven: isRecord(input) && input['timeout_ms'] !== undefined },
    checkInput(command, ctx, input),
  );

/** @throws DeskterityError INVALID_ARGUMENT */
export function checkInput(
  command: RegisteredCommand,
  ctx: CommandContext,
  input: unknown,
): Record<string, unknown> {
  if (isTooDeep(input)) throw invalid(command, `The input cannot be used: ${TOO_DEEP}.`);
  refuseHugeText(command, input);
  const parsed = command.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw explain(command, input, parsed.error, acceptedKeys(command, ctx));
}

function refuseHugeText(command: RegisteredCommand, input: unknown): void {
  if (!isRecord(input)) return;
  for (const [key, value] of Object.entries(input)) {
    for (const text of textsIn(value)) {
      if (typeof text !== 'string' || text.length * 3 <= MAX_TEXT_BYTES) continue;
      const bytes = Buffer.byteLength(text);
      if (bytes <= MAX_TEXT_BYTES) continue;
      throw invalid(
        command,
        `${labelOf(command, key)} is ${bytes} bytes long; at most ${MAX_TEXT_BYTES} are accepted.`,
        'Send the text in smaller parts.',
      );
    }
  }
}

/** A text, the texts of a list, and those in a list of objects. */
function textsIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  return value.flatMap((item: unknown) => (isRecord(item) ? Object.values(item) : [item]));
}

/** Surfaces that show pictures write no file. */
function acceptedKeys(command: RegisteredCommand, { attach }: CommandContext): readonly string[] {
  const { pictureFile } = command.definition;
  const keys = parameterFacts(command).map(({ key }) => key);
  return attach === undefined ? keys : keys.filter((key) => key !== pictureFile);
}

function explain(
  command: RegisteredCommand,
  input: unknown,
  error: z.ZodError,
  accepted: readonly string[],
): DeskterityError {
  // Unknown keys first: one is often a misspelt required key.
  const [issue, ...others] = error.issues.toSorted(
    (a, b) => Number(isUnknownKey(b)) - Number(isUnknownKey(a)),
  );
  if (issue === undefined) return invalid(command, 'The input is not valid.');
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'})`;
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return unknownKeys(command, issue.keys, accepted, more);
  const key = String(issue.path[0] ?? '');
  const facts = parameterFacts(command).find((parameter) => parameter.key === key);
  if (facts === undefined) return invalid(command, `The input is not an object of named values${more}.`);
  const label = placeInFile(command, issue.path) ?? `${labelOf(command, key)}${placeOf(facts, issue.path)}`;
  if (facts.type === 'objects' && issue.path.length > 1 && issue.code !== 'custom')
    return invalid(command, `${label} ${issueInWords(issue)}${more}.`, facts.help || undefined);
  if (issue.code === 'custom') {
    const isSentence = issue.message.startsWith('"');
    return invalid(
      command,
      `${label}${isSentence ? ': ' : ' '}${issue.message}${more}.`.replace(/\?\.$/, '?'),
      suggestionOf(issue.params),
    );
  }
  const given = isRecord(input) ? input[key] : undefined;
  if (given === undefined && facts.required) {
    const help = toolOfCommand(command.name) === undefined ? facts.help : undefined;
    return invalid(command, `${label} is missing; expected ${expectation(facts)}${more}.`, help);
  }
  if (issue.code === 'invalid_format' && !issue.message.startsWith('Invalid'))
    return invalid(command, `${label} is ${show(given)}, which ${issue.message}${more}.`);
  return invalid(
    command,
    `${label} is ${show(given)}; expected ${expectation(facts, issue)}${more}.`,
    closest(facts, given),
  );
}

/** Where in a list of objects: ` 3 (target)`. */
/** What a file contains is called as its guide and its references call it: `step_0 (id)`. */
function placeInFile(
  { definition }: RegisteredCommand,
  [key, index, ...inside]: readonly PropertyKey[],
): string | undefined {
  if (definition.cli?.[String(key)]?.bare !== 'file' || typeof index !== 'number') return undefined;
  return `${stepLabel(index)}${inside.length === 0 ? '' : ` (${inside.join('.')})`}`;
}

function placeOf({ type }: ParameterFacts, [, index, ...inside]: readonly PropertyKey[]): string {
  if (type !== 'objects' || typeof index !== 'number') return '';
  return ` ${index + 1}${inside.length === 0 ? '' : ` (${inside.join('.')})`}`;
}

function issueInWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `has unknown keys: ${issue.keys.map((key) => show(key)).join(', ')}`;
  if (issue.code === 'invalid_type') return `is missing or not of type ${issue.expected}`;
  return 'is missing or not of a type that is accepted';
}

function isUnknownKey({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function expectation(facts: ParameterFacts, issue?: z.core.$ZodIssue): string {
  if (issue?.code === 'too_big' && issue.origin === 'string')
    return `text of at most ${issue.maximum} characters`;
  if (issue?.code === 'too_big' && issue.origin === 'array')
    return `${expectedPhrase(facts)} with at most ${issue.maximum} items`;
  if (issue?.code === 'too_small' && issue.origin === 'array')
    return `${expectedPhrase(facts)} that is not empty`;
  // A value in the object is wrong, not the object itself.
  if (facts.type === 'object' && (issue?.path.length ?? 0) > 1)
    return `${expectedPhrase(facts)} whose values are strings, numbers, booleans or lists of strings`;
  return facts.type === 'string' && facts.values === undefined
    ? 'text that is not empty'
    : expectedPhrase(facts);
}

function unknownKeys(
  command: RegisteredCommand,
  keys: readonly string[],
  accepted: readonly string[],
  more: string,
): DeskterityError {
  const [first = ''] = keys;
  const close = nearest(first, accepted);
  const advice =
    scopeAdvice(first, accepted) ??
    (close === undefined ? 'Remove it and try again.' : `Did you mean ${close}?`);
  return invalid(
    command,
    `${toolOfCommand(command.name) ?? mentionName(command.name)} does not accept ${keys.map((key) => show(key)).join(', ')}; it accepts ${accepted.length === 0 ? 'no parameters' : accepted.join(', ')}${more}.`,
    advice,
  );
}

function closest(facts: ParameterFacts, given: unknown): string | undefined {
  const close =
    typeof given === 'string' && facts.values !== undefined ? nearest(given, facts.values) : undefined;
  return close === undefined ? undefined : `Did you mean ${close}?`;
}

function suggestionOf(params: unknown): string | undefined {
  return isRecord(params) && typeof params['suggestion'] === 'string' ? params['suggestion'] : undefined;
}

function labelOf(command: RegisteredCommand, key: string): string {
  const facts = parameterFacts(command).find((parameter) => parameter.key === key);
  // Tools of tool files have no command line spelling.
  return facts === undefined || toolOfCommand(command.name) !== undefined
    ? key
    : mentionParameter(key, undefined, command.name);
}

function invalid(command: RegisteredCommand, message: string, suggestion?: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: suggestion ?? acceptedParameters(command),
  });
}

/** Tools of tool files have no help page, so the suggestion lists their parameters. */
function acceptedParameters(command: RegisteredCommand): string {
  const tool = toolOfCommand(command.name);
  if (tool === undefined) return mentionHelp(command.name);
  const accepted = parameterFacts(command).map(
    (facts) => `${facts.key} (${expectedPhrase(facts)}${facts.required ? ', required' : ''})`,
  );
  return `${tool} accepts ${accepted.join(', ')}.`;
}

function show(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'missing';
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
