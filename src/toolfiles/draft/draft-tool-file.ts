import { basename } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TOOL_NAME, ToolFile, type ToolSubcommand } from '../../model/tools/tool-file.ts';
import { inputKey, type ToolOption, type ToolPositional } from '../../model/tools/tool-file-parameters.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import { readHelp, type CommandHelp, type HelpRunner } from './ask-for-help.ts';
import { findOptions } from './help-options.ts';
import { findSubcommands } from './help-subcommands.ts';
import { oneLine } from './help-text.ts';
import { findUsage } from './help-usage.ts';
import { toolFileIssues } from '../../model/tools/tool-file-rules.ts';

export interface DraftOptions {
  readonly run: HelpRunner;
  /** Maximum number of help texts to read. Default: 80. */
  readonly mostTexts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ToolFileDraft {
  readonly tool: ToolFile;
  /** Valid, formatted JSON. */
  readonly text: string;
  /** Unclear parts that were left out, as phrases. */
  readonly leftOut: readonly string[];
}

/** Levels of subcommands that are read. */
const MOST_LEVELS = 2;
const MOST_TEXTS = 80;

/** Help texts that are read concurrently. */
const AT_ONCE = 4;

/**
 * Drafts a tool file for a program from its `--help` output. A person has to review it.
 * @param command name or path of a program
 * @throws DeskterityError TOOL_NOT_FOUND if the program has no readable help; CANCELLED
 */
export async function draftToolFile(command: string, options: DraftOptions): Promise<ToolFileDraft> {
  const reader = new HelpReader(command, { mostTexts: MOST_TEXTS, ...options });
  const root = await reader.read([], 0);
  if (root === undefined || root.isSilent)
    throw new DeskterityError('TOOL_NOT_FOUND', `${quote(clip(command, 80))} prints no help with --help.`, {
      suggestion: `Check that it is installed and spelled correctly, or write the file by hand after the schema: ${mentionCommand('tools schema')}.`,
    });
  const name = toolName(command);
  const tool: ToolFile = {
    name,
    description: root.description === '' ? `Runs ${name}.` : root.description,
    command,
    ...root.parts,
  };
  const { tool: valid, removed } = withoutInvalidParts(tool);
  return {
    tool: valid,
    text: `${JSON.stringify(valid, undefined, 2)}\n`,
    leftOut: [...reader.leftOut, ...removed],
  };
}

interface ReadCommand {
  readonly description: string;
  readonly parts: Pick<ToolSubcommand, 'options' | 'positional_args' | 'subcommand'>;
  /** It had no help text. */
  readonly isSilent: boolean;
}

type Limits = DraftOptions & Required<Pick<DraftOptions, 'mostTexts'>>;

class HelpReader {
  readonly leftOut: string[] = [];
  private texts = 0;
  private rootHelp: CommandHelp | undefined;
  private readonly command: string;
  private readonly limits: Limits;

  constructor(command: string, limits: Limits) {
    this.command = command;
    this.limits = limits;
  }

  /** `undefined` for a command that only has subcommands which are not read. */
  async read(words: readonly string[], level: number): Promise<ReadCommand | undefined> {
    if (this.limits.signal?.aborted === true)
      throw new DeskterityError('CANCELLED', 'Reading the help texts was cancelled.', {
        suggestion: 'Run it again.',
      });
    this.texts += 1;
    const help = await readHelp(this.command, words, this.limits.run, this.rootHelp);
    if (words.length === 0) this.rootHelp = help;
    const shown = [basename(this.command), ...words].join(' ');
    if (help === undefined) {
      this.leftOut.push(`options of "${shown}": it has no readable help text`);
      return { description: '', parts: {}, isSilent: true };
    }
    const usage = findUsage(help.lines, words);
    const listed = findSubcommands(help.lines, usage?.hasCommand === true);
    const isGroup =
      usage === undefined ? listed.length > 2 : usage.positionals.length === 0 && listed.length > 1;
    const below = usage?.hasCommand === true || isGroup ? listed : [];
    if (below.length > 0) {
      const subcommand = level < MOST_LEVELS ? await this.readAll(words, below, level) : [];
      if (subcommand.length > 0) return { description: help.about, parts: { subcommand }, isSilent: false };
      this.leftOut.push(`"${shown}": its subcommands were not read`);
      return undefined;
    }
    if (usage?.needsWord === true || (usage?.hasCommand === true && level === 0)) {
      this.leftOut.push(`"${shown}": its subcommands are not listed`);
      return undefined;
    }
    const { options, unclear } = findOptions(help.lines);
    if (unclear > 0)
      this.leftOut.push(
        `${unclear} ${unclear === 1 ? 'option' : 'options'} of "${shown}" that could not be understood`,
      );
    return { description: help.about, parts: partsOf(options, usage?.positionals ?? []), isSilent: false };
  }

  private async readAll(
    words: readonly string[],
    listed: readonly { readonly name: string; readonly description: string }[],
    level: number,
  ): Promise<ToolSubcommand[]> {
    const waiting = [...listed.entries()];
    const places: (ToolSubcommand | undefined)[] = listed.map(() => undefined);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, { name, description }] = next;
        if (this.texts >= this.limits.mostTexts) {
          this.leftOut.push(
            `"${[basename(this.command), ...words, name].join(' ')}": at most ${this.limits.mostTexts} help texts are read`,
          );
          continue;
        }
        const read = await this.read([...words, name], level + 1);
        if (read === undefined) continue;
        const about = description === '' ? read.description : description;
        places[place] = {
          name,
          description: about === '' ? `The subcommand ${name}.` : about,
          ...read.parts,
        };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return places.filter((subcommand) => subcommand !== undefined);
  }
}

function partsOf(
  options: readonly ToolOption[],
  positionals: readonly ToolPositional[],
): ReadCommand['parts'] {
  const taken = new Set(options.map(({ name }) => inputKey(name)));
  // `tar --file ARCHIVE FILE…`: an option and an argument with the same name.
  const named = positionals.map((positional) =>
    taken.has(inputKey(positional.name))
      ? { ...positional, name: `${positional.name}-argument` }
      : positional,
  );
  return {
    ...(options.length === 0 ? {} : { options: [...options] }),
    ...(named.length === 0 ? {} : { positional_args: named }),
  };
}

function toolName(command: string): string {
  const name = basename(command).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return oneLine([name]).slice(0, LONGEST_TOOL_NAME);
}

/** A draft with more problems was not understood. */
const MOST_REMOVALS = 500;

/**
 * The file without options, arguments and subcommands that break a rule, such as duplicate names.
 * @throws DeskterityError TOOL_INVALID if the rest is not a valid tool
 */
function withoutInvalidParts(tool: ToolFile): {
  readonly tool: ToolFile;
  readonly removed: readonly string[];
} {
  const removed: string[] = [];
  let current: unknown = tool;
  for (let count = 0; count < MOST_REMOVALS; count++) {
    const parsed = ToolFile.safeParse(current);
    const [issue] = parsed.success ? toolFileIssues(parsed.data) : parsed.error.issues;
    if (issue === undefined && parsed.success) return { tool: parsed.data, removed };
    const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? key : String(key)));
    // The innermost list item that contains the problem.
    const at = path.findLastIndex((key) => typeof key === 'number');
    if (at === -1) break;
    removed.push(`${path.slice(0, at + 1).join('/')}: ${issue?.message ?? 'not valid'}`);
    current = without(current, path.slice(0, at + 1));
  }
  throw new DeskterityError(
    'TOOL_INVALID',
    `The help of ${tool.name} could not be turned into a tool file.`,
    {
      suggestion: `Write the file by hand after the schema: ${mentionCommand('tools schema')}.`,
    },
  );
}

function without(value: unknown, [key, ...deeper]: readonly (string | number)[]): unknown {
  if (Array.isArray(value))
    return deeper.length === 0
      ? value.filter((_, index) => index !== key)
      : value.map((item, index) => (index === key ? without(item, deeper) : item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? without(inner, deeper) : inner,
  ]);
  // Drop lists that are now empty.
  return Object.fromEntries(entries.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)));
}
