import { isRecord } from '../is-record.ts';

/**
 * Our own texts (suggestions, messages, descriptions) name commands and parameters, and every surface spells those differently: `desk snapshot --app Files`,
 * `desktop_snapshot {"app":"Files"}`, `snapshot({ app: 'Files' })`. Inside the program such a name is a mention, structured data within the text; the surface that shows the
 * text spells it with {@link spellMentions}. A mention is JSON between two control characters, so a text remains a string everywhere.
 */
const OPEN = '\u0002';
const CLOSE = '\u0003';
// oxlint-disable-next-line eslint/no-control-regex -- these two characters are the marks
const MENTION = /\u0002([^\u0002\u0003]*)\u0003/g;

export type MentionedValue = string | number | boolean | readonly string[];
export type MentionedInput = Readonly<Record<string, MentionedValue>>;

/** How one surface spells what texts mention. */
export interface Speller {
  /** A complete call. */
  command(name: string, input: MentionedInput): string;
  /** A command by its name alone, as the subject of a sentence. */
  name(command: string): string;
  /** A parameter of the command that the text is about, or of the one named. */
  parameter(key: string, value: MentionedValue | undefined, command: string | undefined): string;
  /** A key of an answer. */
  key(key: string): string;
  /** A sentence that refers to the help of a command. */
  help(command: string): string;
  /** Words that only the command line needs, such as exit codes. */
  onCommandLine(words: string): string;
  /** A step that only a person can take, as an imperative such as `Install ffmpeg`; not yet spelled. */
  byPerson(step: string): string;
}

/** A command to run with this input, such as `mentionCommand('snapshot', { app: 'Files' })`. Capitals such as NAME are placeholders. */
export function mentionCommand(command: string, input: MentionedInput = {}): string {
  return mark({ kind: 'command', command, input });
}

/** A command by its name alone, as the subject of a sentence. */
export function mentionName(command: string): string {
  return mark({ kind: 'name', command });
}

/** A parameter by its key: of the command that the text is about, or of `command`. */
export function mentionParameter(key: string, value?: MentionedValue, command?: string): string {
  return mark({ kind: 'parameter', key, value, command });
}

/** A key of an answer. */
export function mentionKey(key: string): string {
  return mark({ kind: 'key', key });
}

/** A sentence that refers to the help of a command. */
export function mentionHelp(command: string): string {
  return mark({ kind: 'help', command });
}

/** Words that only the command line needs, with the blank or comma before them. */
export function onCommandLine(words: string): string {
  return mark({ kind: 'on_command_line', words });
}

/**
 * A step that only a person can take, such as installing something or starting this program with other flags: an imperative without a full stop.
 * A model is told to ask for it. May contain mentions.
 */
export function byPerson(step: string): string {
  return mark({ kind: 'by_person', step });
}

function hasMentions(text: string): boolean {
  return text.includes(OPEN);
}

/** The text as a surface shows it. Anything else between these control characters, as in an application's text, stays unchanged. */
export function spellMentions(text: string, speller: Speller): string {
  if (!hasMentions(text)) return text;
  return text.replaceAll(MENTION, (whole, json: string) => {
    const mention = parse(json);
    return mention === undefined ? whole : spell(mention, speller);
  });
}

/** Changes the text between mentions, for a text that is spelled later. */
export function changeBetweenMentions(text: string, change: (between: string) => string): string {
  let changed = '';
  let end = 0;
  for (const { 0: whole, 1: json = '', index } of text.matchAll(MENTION)) {
    if (parse(json) === undefined) continue;
    changed += change(text.slice(end, index)) + whole;
    end = index + whole.length;
  }
  return changed + change(text.slice(end));
}

/** {@link spellMentions} for every text in plain data. Returns the same object if there are no mentions. */
export function spellMentionsIn<T>(data: T, speller: Speller): T;
export function spellMentionsIn(data: unknown, speller: Speller): unknown {
  if (!mentionsIn(data)) return data;
  if (typeof data === 'string') return spellMentions(data, speller);
  if (Array.isArray(data)) return data.map((item: unknown) => spellMentionsIn(item, speller));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, spellMentionsIn(value, speller)]),
  );
}

function mentionsIn(data: unknown): boolean {
  if (typeof data === 'string') return hasMentions(data);
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value: unknown) => mentionsIn(value));
}

type Mention =
  | { readonly kind: 'command'; readonly command: string; readonly input: MentionedInput }
  | { readonly kind: 'name' | 'help'; readonly command: string }
  | {
      readonly kind: 'parameter';
      readonly key: string;
      readonly value?: MentionedValue | undefined;
      readonly command?: string | undefined;
    }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'by_person'; readonly step: string }
  | { readonly kind: 'on_command_line'; readonly words: string };

function mark(mention: Mention): string {
  return `${OPEN}${JSON.stringify(mention)}${CLOSE}`;
}

/** `undefined` for anything that {@link mark} has not written. Without zod, because the holder does not bundle it. */
function parse(json: string): Mention | undefined {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(data)) return undefined;
  const { kind, command, key, value, words, step, input } = data;
  if (kind === 'by_person') return typeof step === 'string' ? { kind, step } : undefined;
  if (kind === 'on_command_line') return typeof words === 'string' ? { kind, words } : undefined;
  if (kind === 'key') return typeof key === 'string' ? { kind, key } : undefined;
  if (kind === 'parameter') {
    const isWhole = typeof key === 'string' && (command === undefined || typeof command === 'string');
    return isWhole && (value === undefined || isValue(value)) ? { kind, key, value, command } : undefined;
  }
  if (typeof command !== 'string') return undefined;
  if (kind === 'name' || kind === 'help') return { kind, command };
  return kind === 'command' && isInput(input) ? { kind, command, input } : undefined;
}

function isInput(data: unknown): data is MentionedInput {
  return isRecord(data) && Object.values(data).every((value) => isValue(value));
}

function isValue(data: unknown): data is MentionedValue {
  if (Array.isArray(data)) return data.every((item) => typeof item === 'string');
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean';
}

function spell(mention: Mention, speller: Speller): string {
  switch (mention.kind) {
    case 'command':
      return speller.command(mention.command, mention.input);
    case 'name':
      return speller.name(mention.command);
    case 'key':
      return speller.key(mention.key);
    case 'help':
      return speller.help(mention.command);
    case 'by_person':
      return speller.byPerson(mention.step);
    case 'on_command_line':
      return speller.onCommandLine(mention.words);
    case 'parameter':
    default:
      return speller.parameter(mention.key, mention.value, mention.command);
  }
}
