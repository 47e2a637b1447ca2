import type { ProgramsPort } from '../../ports/programs.ts';
import { headingOf, helpLines, oneLine } from './help-text.ts';

export type HelpRunner = ProgramsPort['run'];

export interface CommandHelp {
  readonly lines: readonly string[];
  /** The program's description of itself; may be empty. */
  readonly about: string;
}

const HELP_TIMEOUT_MS = 10_000;

/**
 * Reads the help text of a command. Alternatives to `--help` are only tried if the program documents them, as `-h` may mean something else.
 * @param root help of the program, for a subcommand
 */
export async function readHelp(
  command: string,
  words: readonly string[],
  run: HelpRunner,
  root: CommandHelp | undefined,
): Promise<CommandHelp | undefined> {
  const rootText = root?.lines.join('\n') ?? '';
  const knowsShort = /(?<![\w-])-h\b[^\n]{0,20}\b--help\b|(?<![\w-])-h\b[^\n]{0,40}help/i.test(rootText);
  const knowsWord = /\bhelp <?\[?(?:command|topic|subcommand|term)/i.test(rootText);
  const ways: (readonly string[])[] = [[...words, '--help']];
  if (words.length > 0 && knowsWord) ways.push(['help', ...words]);
  if (words.length > 0 && knowsShort) ways.push([...words, '-h']);
  let best: CommandHelp | undefined;
  for (const way of ways) {
    const { exitCode, stdout, stderr } = await run([command, ...way], { timeoutMs: HELP_TIMEOUT_MS });
    if (exitCode === undefined) continue;
    const text = stdout.trim().length >= stderr.trim().length ? stdout : stderr;
    const lines = helpLines(text);
    const hasUsage = lines.some((line) => /^\s*usage:?(?:\s|$)/i.test(line));
    const hasOptions = lines.some((line) => /^\s+-{1,2}[A-Za-z]/.test(line));
    // A manual page is not structured enough.
    const isManual = /^\s*\S+\(\d\w*\)\s/.test(lines.find((line) => line !== '') ?? '');
    if (isManual || (!hasUsage && (exitCode !== 0 || lines.every((line) => line === '')))) continue;
    const found = { lines, about: aboutIn(lines) };
    if (hasUsage && hasOptions) return found;
    if (best === undefined || lines.length > best.lines.length) best = found;
  }
  return best;
}

/** The first text before options and commands that is not usage, a heading or a list. */
function aboutIn(lines: readonly string[]): string {
  let isUsage = false;
  const about: string[] = [];
  for (const line of lines) {
    const text = line.trim();
    const heading = headingOf(line);
    if (/^usage\b/i.test(text)) {
      if (about.length > 0) break;
      isUsage = true;
    } else if (text === '' || heading !== undefined) {
      if (about.length > 0 || (heading !== undefined && !/usage|description|about/i.test(heading))) break;
      isUsage = text === '' ? false : isUsage;
    } else if (text.startsWith('-')) break;
    else {
      // Further usage lines are indented.
      if (isUsage && line.startsWith(' ')) continue;
      isUsage = false;
      if (about.length > 0 || isProse(line)) about.push(text);
    }
  }
  return oneLine(about);
}

/** Whether a line is a description, and not a version, an author, usage or a pointer to more help. */
function isProse(line: string): boolean {
  const text = line.trim();
  return (
    /^\s{0,2}\S/.test(line) &&
    /^[A-Za-z]/.test(text) &&
    text.split(/\s+/).length >= 2 &&
    !/^\S+ v?\d+\.\d|@|[<>[\]{}|]|\s{3,}|\bhelp\b|https?:/.test(text)
  );
}
