import { headingOf, linesBelow, oneLine } from './help-text.ts';

/** A subcommand that a help text lists. */
export interface ListedCommand {
  readonly name: string;
  /** Empty if the text has none. */
  readonly description: string;
}

/** Commands about the program itself, or for shell completion. */
const NOT_OFFERED = new Set(['help', 'completion', 'completions', 'version']);

const OTHER_SECTIONS = /option|flag|topic|environment|example|argument|usage|learn|alias|config/i;

const ROW = /^(\s+)([a-z][a-z0-9-]*)((?:,\s?[a-z0-9-]+)*):?(?:\s{2,}|\s+-\s+)(\S.*)$/;

/**
 * The subcommands of a help text.
 * @param isExpected the usage includes a command, so a list without a heading contains commands
 */
export function findSubcommands(lines: readonly string[], isExpected: boolean): ListedCommand[] {
  const found = new Map<string, ListedCommand>();
  let section: 'commands' | 'other' | 'unknown' = 'unknown';
  for (const [index, line] of lines.entries()) {
    const heading = headingOf(line);
    if (heading !== undefined && !heading.startsWith('{')) {
      section = /\b(?:sub-?)?commands?\b/i.test(heading)
        ? 'commands'
        : OTHER_SECTIONS.test(heading)
          ? 'other'
          : 'unknown';
      continue;
    }
    // argparse lists them under arguments, below their names in braces.
    if (/^\s+\{[\w,-]+\}/.test(line)) section = 'commands';
    if (section === 'other' || (section === 'unknown' && !isExpected)) continue;
    for (const command of commandsOf(line, lines, index, section === 'commands'))
      if (!NOT_OFFERED.has(command.name) && !found.has(command.name)) found.set(command.name, command);
  }
  return [...found.values()];
}

function commandsOf(
  line: string,
  lines: readonly string[],
  index: number,
  isCertain: boolean,
): ListedCommand[] {
  const [, indent = '', name, , text = ''] = ROW.exec(line) ?? [];
  // Continuation lines of a description are indented further than any name.
  if (name !== undefined)
    return [{ name, description: oneLine([text, ...linesBelow(lines, index, indent.length + 6)]) }];
  // npm: only names, separated by commas.
  if (isCertain && /^\s+[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)+,?$/.test(line))
    return line.split(',').flatMap((part) => {
      const bare = part.trim();
      return bare === '' ? [] : [{ name: bare, description: '' }];
    });
  return [];
}
