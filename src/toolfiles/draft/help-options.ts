import type { ToolOption } from '../../model/tools/tool-file-parameters.ts';
import { flagOf, inputKey, META_PARAMETERS } from '../../model/tools/tool-file-parameters.ts';
import { guessType } from './guess-type.ts';
import { headingOf, indentOf, linesBelow, oneLine } from './help-text.ts';
import { parseOptionSpec, type SpecFlag } from './option-spec.ts';

/** Sections whose flags are not options of this command. */
const OTHER_SECTIONS = /example|environment|inherited|global|learn more|see also|exit status/i;

const OPTION_LINE = /^\s*--?[A-Za-z0-9[]/;

const LONGEST_NAME = 60;

/** Flags without a short form may be indented further, but less than descriptions. */
const FURTHER_IN = 8;

export interface FoundOptions {
  readonly options: readonly ToolOption[];
  /** Number of lines that look like options but were not understood. */
  readonly unclear: number;
}

/** The options that a help text lists, without unclear ones. */
export function findOptions(lines: readonly string[]): FoundOptions {
  const options: ToolOption[] = [];
  const taken = new Set<string>();
  const values = bracketedValues(lines);
  let unclear = 0;
  let isOther = false;
  let indent: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') indent = undefined;
    const heading = headingOf(line);
    if (heading !== undefined) isOther = OTHER_SECTIONS.test(heading) && !/^options\b/i.test(heading);
    if (isOther || !OPTION_LINE.test(line)) continue;
    // A description line that begins with a flag.
    if (indent !== undefined && indentOf(line) > indent + FURTHER_IN) continue;
    indent = indentOf(line);
    const spec = parseOptionSpec(line);
    if (spec === undefined) {
      unclear += 1;
      continue;
    }
    const own = indent;
    const isNext = (next: string) => OPTION_LINE.test(next) && indentOf(next) <= own + FURTHER_IN;
    const below = linesBelow(lines, index, own + 1, isNext);
    const description = oneLine([spec.rest, ...below].filter((part) => part !== ''));
    const option = optionFrom(spec.flags, description, values);
    if (option === 'unclear') unclear += 1;
    else if (option !== undefined && !taken.has(inputKey(option.name)) && !taken.has(flagOf(option))) {
      options.push(option);
      taken.add(inputKey(option.name));
      taken.add(flagOf(option));
    }
  }
  return { options, unclear };
}

function optionFrom(
  flags: readonly SpecFlag[],
  description: string,
  values: ReadonlyMap<string, string>,
): ToolOption | 'unclear' | undefined {
  const positive = flags.filter(({ flag }, index) => index === 0 || !flag.startsWith('--no-'));
  const chosen =
    positive.find(({ flag }) => flag.startsWith('--')) ??
    positive.toSorted((a, b) => b.flag.length - a.flag.length)[0];
  if (chosen === undefined || isAboutItself(flags, description)) return undefined;
  const bare = chosen.flag.replace(/^-+/, '');
  const name = bare.replaceAll('.', '-');
  // `-NUM` is a placeholder.
  if (name.length > LONGEST_NAME || /^\d+$/.test(name) || /^-[A-Z]{2,}$/.test(chosen.flag)) return 'unclear';
  // The value may be listed only after another spelling, or in the usage line.
  const carrier =
    chosen.value === undefined ? (flags.find(({ value }) => value !== undefined) ?? chosen) : chosen;
  const value = carrier.value ?? values.get(chosen.flag);
  const isRepeated = flags.some((flag) => flag.isRepeated);
  const guessed = value === undefined ? undefined : guessType({ value, description, isRepeated });
  const isOptional = carrier.isOptional;
  const isLong = chosen.flag.startsWith('--');
  // Values attached to a short flag, and optional ones, cannot be described reliably.
  if (value !== undefined && !isLong && (isOptional || carrier.join === 'none')) return 'unclear';
  const isMeta = META_PARAMETERS.some((meta) => meta === inputKey(name));
  const option: ToolOption = {
    name: isMeta ? `${name}-option` : name,
    type: guessed?.type ?? 'boolean',
    description: description === '' ? `The option ${chosen.flag}.` : description,
  };
  if (guessed?.enum !== undefined) option.enum = [...guessed.enum];
  if (guessed?.isPath === true) option.format = 'path';
  if (flagOf(option) !== chosen.flag) option.flag = chosen.flag;
  if (value !== undefined && isLong && (carrier.join === '=' || isOptional)) option.separator = '=';
  return option;
}

/** Whether this is an option like `--help` or `--version`. */
function isAboutItself(flags: readonly SpecFlag[], description: string): boolean {
  if (flags.some(({ flag }) => /^--(?:help|version|usage)(?:-|$)/.test(flag))) return true;
  return flags.every(({ flag }) => /^-[hvV?]$/.test(flag)) && /\b(?:help|version|usage)\b/i.test(description);
}

/** Values of flags in usage lines: `[--omit <dev|optional>]`. */
function bracketedValues(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of lines.join(' ').matchAll(/(?<=[[|(\s])(--[a-z][\w-]*)[ =]<([^<>]{1,200})>/g)) {
    const [, flag, value] = match;
    if (flag !== undefined && value !== undefined && !found.has(flag)) found.set(flag, value);
  }
  return found;
}
