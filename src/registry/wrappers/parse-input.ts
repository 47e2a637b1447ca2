import type { z } from 'zod';
import { DeskterityError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { expectedPhrase, parameterFacts, parameterLabel } from '../parameter-facts.ts';
import type { ParameterFacts } from '../parameter-facts.ts';
import type { RegisteredCommand } from '../registry.ts';
import type { Wrapper } from './wrapper.ts';
import { isRecord } from '../is-record.ts';

/** No text argument may be longer than this, in UTF-8 bytes. */
export const MAX_TEXT_BYTES = 1_048_576;

/** Turns what the caller sent into the command's input, or explains what is wrong with it. */
export const parseInput: Wrapper = (command, next) => (ctx, input) => {
  refuseHugeText(command, input);
  const parsed = command.input.safeParse(input ?? {});
  if (parsed.success) return next(ctx, parsed.data);
  throw explain(command, input, parsed.error);
};

function refuseHugeText(command: RegisteredCommand, input: unknown): void {
  if (!isRecord(input)) return;
  for (const [key, value] of Object.entries(input)) {
    for (const text of Array.isArray(value) ? value : [value]) {
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

function explain(command: RegisteredCommand, input: unknown, error: z.ZodError): DeskterityError {
  // A key that nobody knows first: it is often the one that is missing, misspelt.
  const [issue, ...others] = error.issues.toSorted(
    (a, b) => Number(isUnknownKey(b)) - Number(isUnknownKey(a)),
  );
  if (issue === undefined) return invalid(command, 'The input is not valid.');
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'problem' : 'problems'})`;
  if (issue.code === 'unrecognized_keys') return unknownKeys(command, issue.keys, more);
  const key = String(issue.path[0] ?? '');
  const facts = parameterFacts(command).find((parameter) => parameter.key === key);
  if (facts === undefined) return invalid(command, `The input is not an object of named values${more}.`);
  const label = parameterLabel(facts);
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
    return invalid(command, `${label} is missing; expected ${expectation(facts)}${more}.`, facts.help);
  }
  return invalid(
    command,
    `${label} is ${show(given)}; expected ${expectation(facts)}${more}.`,
    closest(facts, given),
  );
}

function isUnknownKey({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function expectation(facts: ParameterFacts): string {
  return facts.type === 'string' && facts.values === undefined
    ? 'a text that is not empty'
    : expectedPhrase(facts);
}

function unknownKeys(command: RegisteredCommand, keys: readonly string[], more: string): DeskterityError {
  const accepted = parameterFacts(command).map(({ key }) => key);
  const close = nearest(keys[0] ?? '', accepted);
  return invalid(
    command,
    `${command.name} does not take ${keys.map((key) => show(key)).join(', ')}; it takes ${accepted.length === 0 ? 'nothing' : accepted.join(', ')}${more}.`,
    close === undefined ? 'Remove it and try again.' : `Did you mean ${close}?`,
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
  return facts === undefined ? key : parameterLabel(facts);
}

function invalid(command: RegisteredCommand, message: string, suggestion?: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: suggestion ?? `Run "desk ${command.name} --help" to see what it takes.`,
  });
}

function show(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'not given';
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
