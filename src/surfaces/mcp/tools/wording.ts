import type { ToolFacts } from '../../../app/tool-facts.ts';

/** Of our own program: `; exit code 1 means no`, `TIMEOUT (exit code 7)`. That of an operation stays. */
const EXIT_CODE = /; exit code \d+ (?:means|when)[^.]*|(?<=[A-Z]) \(exit code \d+\)/g;
/** Tools have neither: what they take is in their schemas, and their text is an outline. */
const HELP = /Run "desk [a-z- ]+ --help" to see what it takes\./g;
const TAKES = /\b([a-z][a-z- ]*) does not take\b/g;
const FORMAT = /, or with --format outline\b/g;

/**
 * Our own texts speak of the command line: `run "desk snapshot --app X"`, `--max-depth`. This is the same for somebody who has tools:
 * `desktop_snapshot`, `max_depth`. What is not offered to this client stays a command line.
 */
export class Wording {
  private readonly tools: ReadonlyMap<string, string>;
  private readonly keys: ReadonlyMap<string, string>;
  private readonly commands: RegExp;

  /** `others`: tools that do what a command does, by its name; they come before those that are offered. */
  constructor(offered: readonly ToolFacts[], others: Readonly<Record<string, string>> = {}) {
    this.tools = new Map([
      ...offered.map(({ command, tool }) => [command, tool] as const),
      ...Object.entries(others),
    ]);
    const labels = offered.flatMap((facts) => facts.labels);
    this.keys = new Map([['--session', 'session'], ...labels.map(({ key, label }) => [label, key] as const)]);
    const names = [...this.tools.keys()].toSorted((a, b) => b.length - a.length);
    this.commands = new RegExp(String.raw`("?)\bdesk (${names.join('|')})\b(?![-\w])`, 'g');
  }

  /** `text` in the words of the tool that is spoken of: its own parameters first. */
  of(text: string, facts?: ToolFacts): string {
    const own = new Map(facts?.labels.map(({ key, label }) => [label, key]));
    return withoutPictureFile(text, facts?.pictureFile)
      .replaceAll(EXIT_CODE, '')
      .replaceAll(HELP, 'The input schema of the tool says what it takes.')
      .replaceAll(FORMAT, '')
      .replaceAll(TAKES, (sentence, name: string) =>
        name === facts?.command ? `${facts.tool} does not take` : sentence,
      )
      .replaceAll(
        this.commands,
        (_, quoted: string, name: string) => `${quoted}${this.tools.get(name) ?? name}`,
      )
      .replaceAll(/--[a-z][a-z0-9-]*/g, (flag) => own.get(flag) ?? this.keys.get(flag) ?? flag)
      .replaceAll(/<[a-z_]+>/g, (label) => own.get(label) ?? label);
  }
}

/** The command takes a file to write to, the tool does not. */
function withoutPictureFile(text: string, key: string | undefined): string {
  if (key === undefined) return text;
  return text
    .replace(`Did you mean ${key}?`, 'Remove it and try again.')
    .replace(/(?<=; it takes )[a-z_]+(?:, [a-z_]+)*/, (list) =>
      list
        .split(', ')
        .filter((name) => name !== key)
        .join(', '),
    );
}
