import { GLOBAL_FLAGS } from '../../arguments/globals.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from '../../arguments/manifest.ts';
import { flagsAfter } from '../../arguments/parse.ts';
import { looksLikeFlag } from '../../arguments/scan.ts';

/** What is expected at the end of a command line. */
export type Expected =
  /** A word of a command's name, after these. */
  | { readonly kind: 'command'; readonly after: readonly string[] }
  | {
      readonly kind: 'flag';
      readonly command: ManifestCommand | undefined;
      readonly flags: readonly ManifestParameter[];
    }
  /** `before` is the part of the word before the value: `--app=`. */
  | {
      readonly kind: 'value';
      readonly command: ManifestCommand | undefined;
      readonly parameter: ManifestParameter;
      readonly before: string;
    }
  | { readonly kind: 'file' }
  | { readonly kind: 'nothing' };

export interface Position {
  readonly expected: Expected;
  /** The value of --session. */
  readonly session: string | undefined;
}

/** Determines what is being typed. `words` lie between the program's name and `current`, which is cut at the cursor. */
export function positionOf(words: readonly string[], current: string, manifest: Manifest): Position {
  const parser = new LenientParser(manifest);
  for (const word of words) parser.take(word);
  return { expected: parser.expected(current), session: parser.session };
}

/** A lenient parser of an unfinished, possibly invalid line. */
class LenientParser {
  session: string | undefined;
  private readonly manifest: Manifest;
  private command: ManifestCommand | undefined;
  private name: string[] = [];
  private bareCount = 0;
  private readonly used = new Set<string>();
  /** The flag whose value comes next. */
  private pending: ManifestParameter | undefined;
  private isAfterDashes = false;
  private isLost = false;
  private isHelp = false;

  constructor(manifest: Manifest) {
    this.manifest = manifest;
  }

  take(word: string): void {
    if (this.pending !== undefined) {
      this.note(this.pending, word);
      this.pending = undefined;
    } else if (this.isAfterDashes) this.bareCount += 1;
    else if (word === '--') this.isAfterDashes = true;
    else if (looksLikeFlag(word)) this.takeFlag(word);
    else if (this.command === undefined) this.takeName(word);
    else this.bareCount += 1;
  }

  expected(current: string): Expected {
    if (this.isLost) return { kind: 'nothing' };
    if (this.pending !== undefined) return this.value(this.pending, '');
    if (this.isAfterDashes) {
      if (this.command === undefined) return { kind: 'nothing' };
      return this.command.rest === undefined ? this.positional() : { kind: 'file' };
    }
    if (looksLikeFlag(current) || current === '-') return this.flagOrValue(current);
    if (this.command === undefined) return { kind: 'command', after: this.name };
    return this.isHelp ? { kind: 'nothing' } : this.positional();
  }

  private positional(): Expected {
    const first = this.bareCount === 0 ? this.command?.bare : undefined;
    const key = this.command?.positionals?.[this.bareCount] ?? first;
    const parameter = this.command?.parameters.find((candidate) => candidate.key === key);
    if (parameter !== undefined) return this.value(parameter, '');
    return this.isAfterDashes ? { kind: 'nothing' } : this.unusedFlags();
  }

  private flagOrValue(current: string): Expected {
    const equals = current.indexOf('=');
    if (equals === -1) return this.unusedFlags();
    const parameter = this.flags().find(({ flag }) => `--${flag}` === current.slice(0, equals));
    return parameter === undefined
      ? { kind: 'nothing' }
      : this.value(parameter, current.slice(0, equals + 1));
  }

  private value(parameter: ManifestParameter, before: string): Expected {
    return { kind: 'value', command: this.command, parameter, before };
  }

  private takeFlag(word: string): void {
    const equals = word.indexOf('=');
    const parameter = word.startsWith('--')
      ? this.flags().find(({ flag }) => `--${flag}` === (equals === -1 ? word : word.slice(0, equals)))
      : this.flags().find(({ short }) => short === word.at(-1));
    if (parameter === undefined) return;
    this.used.add(parameter.key);
    if (equals !== -1) this.note(parameter, word.slice(equals + 1));
    else if (parameter.type !== 'boolean') this.pending = parameter;
  }

  private note(parameter: ManifestParameter, value: string): void {
    if (parameter.key === 'session') this.session = value;
  }

  private takeName(word: string): void {
    if (word === 'help' && this.name.length === 0 && !this.isHelp) {
      this.isHelp = true;
      return;
    }
    this.name = [...this.name, word];
    const name = this.name.join(' ');
    const names = this.manifest.commands.flatMap((command) =>
      [command.name, ...(command.aliases ?? [])].map((known) => ({ known, command })),
    );
    if (names.some(({ known }) => known.startsWith(`${name} `))) return;
    this.command = names.find(({ known }) => known === name)?.command;
    this.isLost = this.command === undefined;
  }

  private flags(): readonly ManifestParameter[] {
    return this.command === undefined ? GLOBAL_FLAGS : flagsAfter(this.command);
  }

  private unusedFlags(): Expected {
    const flags = this.flags().filter(({ key, type }) => type === 'strings' || !this.used.has(key));
    return { kind: 'flag', command: this.command, flags };
  }
}
