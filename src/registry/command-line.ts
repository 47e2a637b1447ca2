import type { Example } from './definition.ts';
import { parameterFacts } from './parameter-facts.ts';
import type { RegisteredCommand, Registry } from './registry.ts';
import { isRecord } from '../model/is-record.ts';

type Line = Pick<Example<Record<string, unknown>>, 'input' | 'format'>;

/** The arguments after `desk` that give a command this input. `registry` has the commands of its steps, if it has any. */
export function toArguments(
  command: RegisteredCommand,
  example: Line,
  registry?: Pick<Registry, 'get'>,
): string[] {
  const { positionals = [], rest } = command.definition;
  const flags: string[] = [];
  const bare: string[] = [];
  const after: string[] = [];
  const facts = parameterFacts(command);
  // Otherwise the first bare argument would belong to that flag.
  const isBareTaken = facts.some(
    ({ key, follows }) =>
      follows !== undefined && example.input[follows] !== undefined && example.input[key] === undefined,
  );
  for (const key of positionals) {
    const value = example.input[key];
    if (value === undefined) continue;
    const form = facts.find((parameter) => parameter.key === key)?.bare;
    const texts = [value].flat().flatMap((item) => bareItem(item, form, registry));
    if (form === 'file') flags.push(...flagWithValue(key.replaceAll('_', '-'), text(value)));
    else if (isBareTaken)
      flags.push(...texts.flatMap((item) => flagWithValue(key.replaceAll('_', '-'), item)));
    else bare.push(...texts);
  }
  for (const { key, flag, type, bare: form } of facts) {
    const value = example.input[key];
    if (value === undefined || (form !== undefined && positionals.includes(key))) continue;
    if (key === rest && Array.isArray(value)) after.push(...value.map((item) => text(item)));
    else if (flag === undefined) continue;
    else if (type === 'objects') flags.push(...flagWithValue(flag, text(value)));
    else if (type === 'boolean') flags.push(value === true ? `--${flag}` : `--no-${flag}`);
    else
      for (const item of Array.isArray(value) ? value : [value])
        flags.push(...flagWithValue(flag, text(item)));
  }
  if (example.format !== undefined) flags.push('--format', example.format);
  // A bare argument that looks like a flag is only safe after "--", unless the command uses "--" for its rest list.
  const guarded = rest === undefined && bare.some((argument) => looksLikeFlag(argument));
  const head = command.name.split(' ');
  if (guarded) return [...head, ...flags, '--', ...bare];
  return [...head, ...bare, ...flags, ...(after.length === 0 ? [] : ['--', ...after])];
}

/** An example as it is typed into a shell. */
export function toCommandLine(
  command: RegisteredCommand,
  example: Line,
  registry?: Pick<Registry, 'get'>,
): string {
  return toShell(['desk', ...toArguments(command, example, registry)]);
}

function toShell(words: readonly string[]): string {
  return words.map((argument) => shellQuote(argument)).join(' ');
}

/** The bare arguments for one item of a list. */
function bareItem(
  item: unknown,
  form: 'pairs' | 'lines' | 'file' | undefined,
  registry: Pick<Registry, 'get'> | undefined,
): string[] {
  if (!isRecord(item) || form === undefined) return [text(item)];
  if (form === 'pairs') return [text(item['target']), text(item['value'])];
  const { command: name, ...input } = item;
  const command = registry?.get(text(name));
  return [command === undefined ? text(item) : toShell(toArguments(command, { input }, registry))];
}

function flagWithValue(flag: string, value: string): string[] {
  return looksLikeFlag(value) ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

function looksLikeFlag(argument: string): boolean {
  return argument.length > 1 && argument.startsWith('-') && !/^-[\d.]/.test(argument);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return /["$`\\!]/.test(argument) ? `'${argument.replaceAll("'", `'\\''`)}'` : `"${argument}"`;
}
