import { mentionCommand } from '../../model/text/mention.ts';
import { ToolFile } from '../../model/tools/tool-file.ts';
import type { ToolFileIssue } from '../../model/tools/tool-file-issue.ts';
import { toolFileIssues } from '../../model/tools/tool-file-rules.ts';
import { clip, hidingIn, quote } from '../../model/text/untrusted-text.ts';
import type { DocumentsPort, PlacedMember, PlacedValue, TextPlace } from '../../ports/documents.ts';
import { explainIssue } from './explain-issue.ts';
import { pointerTo } from './problem.ts';
import type { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';
import { ownSequenceIssues } from '../run/sequences.ts';

/** Largest tool file that is read. */
export const LARGEST_TOOL_FILE_BYTES = 256 * 1024;

/** Deeper than any tool file. */
const DEEPEST = 100;

/** Problems reported per file. */
const MOST_PROBLEMS = 50;

/** Longest excerpt of a file in a message. */
const LONGEST_SHOWN = 60;

export interface ToolFileSource {
  /** Named in messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

export type ParsedToolFile =
  | { readonly tool: ToolFile; readonly problems?: undefined; readonly placeOf: PlaceOf }
  | {
      readonly tool?: undefined;
      /** At least one, in the order of the file. */
      readonly problems: readonly ToolFileProblem[];
      /** The tool name in the file, if it can be determined. */
      readonly name: string | undefined;
    };

/** The place of a value in its file, or of its nearest existing parent. */
export type PlaceOf = (path: readonly PropertyKey[]) => TextPlace;

/** Parses a tool file. Returns problems for any invalid input. */
export function parseToolFile(
  source: ToolFileSource,
  documents: Pick<DocumentsPort, 'read'>,
): ParsedToolFile {
  const { file, bytes } = source;
  const whole = (message: string, suggestion: string, place: TextPlace = START): ParsedToolFile => ({
    problems: [{ file, ...place, pointer: '', message, suggestion }],
    name: undefined,
  });
  if (bytes.length > LARGEST_TOOL_FILE_BYTES)
    return whole(
      `the file is ${bytes.length} bytes long; at most ${LARGEST_TOOL_FILE_BYTES} are read`,
      'Split it into several tool files.',
    );
  const text = decode(bytes);
  if (text === undefined) return whole('the file is not UTF-8', 'Save it as UTF-8.');
  const reading = documents.read(text);
  if (reading.problem !== undefined) {
    const { reason, line, column } = reading.problem;
    return whole(
      `this is not JSON: ${reason}`,
      'Correct it; JSON allows no comments and no comma after the last item.',
      {
        line,
        column,
      },
    );
  }
  const { root } = reading;
  if (root?.kind !== 'object')
    return whole(
      root === undefined ? 'the file is empty' : 'a tool file must be a JSON object',
      `Run ${mentionCommand('tools init', { command: 'COMMAND' })} to create a draft.`,
      root?.place,
    );
  const strange = hostileParts(file, root);
  const name = nameOf(root);
  if (strange.length > 0) return { problems: strange.slice(0, MOST_PROBLEMS), name };
  return check(source, root, name);
}

const START: TextPlace = { line: 1, column: 1 };

function check({ file }: ToolFileSource, root: PlacedValue, name: string | undefined): ParsedToolFile {
  const placeOf: PlaceOf = (path) => locate(root, path).place;
  const inFile = ({ path, message, suggestion }: ToolFileIssue, place = placeOf(path)): ToolFileProblem => ({
    file,
    ...place,
    pointer: pointerTo(path),
    message,
    suggestion,
  });
  const parsed = ToolFile.safeParse(plain(root));
  if (!parsed.success) {
    const problems: ToolFileProblem[] = [];
    for (const issue of parsed.error.issues) {
      const left = MOST_PROBLEMS - problems.length;
      if (left <= 0) break;
      for (const found of explainIssue(issue, (path) => shownAt(root, path), left))
        problems.push(inFile(found, found.isKey ? keyPlace(root, found.path) : undefined));
    }
    return { problems: inOrder(problems), name };
  }
  const rules = toolFileIssues(parsed.data);
  // Sequences are checked only if all names are valid.
  const issues = rules.length > 0 ? rules : ownSequenceIssues(parsed.data);
  return issues.length === 0
    ? { tool: parsed.data, placeOf }
    : { problems: inOrder(issues.map((issue) => inFile(issue))), name };
}

function inOrder(problems: readonly ToolFileProblem[]): ToolFileProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, MOST_PROBLEMS);
}

/** UTF-8 with or without a byte order mark. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Valid JSON that could only be meant to deceive. */
function hostileParts(file: string, root: PlacedValue): ToolFileProblem[] {
  const found: ToolFileProblem[] = [];
  const report = (place: TextPlace, path: readonly PropertyKey[], message: string, suggestion: string) => {
    found.push({ file, ...place, pointer: pointerTo(path), message, suggestion });
  };
  const walk = (value: PlacedValue, path: readonly PropertyKey[]): void => {
    if (path.length > DEEPEST) {
      report(value.place, [], `values are nested more than ${DEEPEST} deep`, 'Remove levels.');
    } else if (value.kind === 'array') {
      for (const [index, item] of value.items.entries()) walk(item, [...path, index]);
    } else if (value.kind === 'scalar') {
      if (typeof value.value === 'string' && value.value.includes('\0'))
        report(
          value.place,
          path,
          'a string contains a NUL character, which commands cannot receive',
          'Remove it.',
        );
      const hiding = typeof value.value === 'string' ? hidingIn(value.value) : undefined;
      if (hiding !== undefined && hiding !== String.raw`\u{0}`)
        report(
          value.place,
          path,
          `a string contains ${hiding}, which hides its content`,
          'Remove it: a person who trusts the file must be able to see all of it.',
        );
    } else {
      const first = new Map<string, TextPlace>();
      for (const { name, place, value: inner } of value.members) {
        const inside = [...path, name];
        const earlier = first.get(name);
        if (earlier !== undefined)
          report(
            place,
            inside,
            `"${name.slice(0, 80)}" is already defined in line ${earlier.line}`,
            'Remove one of the two.',
          );
        else if (name === '__proto__' || name.includes('\0'))
          report(place, inside, `${JSON.stringify(name.slice(0, 80))} cannot be a key`, 'Remove it.');
        first.set(name, place);
        walk(inner, inside);
      }
    }
  };
  walk(root, []);
  return found;
}

function nameOf(root: PlacedValue): string | undefined {
  const { value } = locate(root, ['name']);
  const name = value?.kind === 'scalar' ? value.value : undefined;
  return typeof name === 'string' && /^[\w-]{1,64}$/.test(name) ? name : undefined;
}

interface Located {
  /** Of the value, or of its nearest existing parent. */
  readonly place: TextPlace;
  readonly value: PlacedValue | undefined;
}

function locate(root: PlacedValue, path: readonly PropertyKey[]): Located {
  let value = root;
  for (const key of path) {
    const inner = value.kind === 'array' ? value.items[Number(key)] : memberOf(value, key)?.value;
    if (inner === undefined) return { place: value.place, value: undefined };
    value = inner;
  }
  return { place: value.place, value };
}

function keyPlace(root: PlacedValue, path: readonly PropertyKey[]): TextPlace | undefined {
  const { value } = locate(root, path.slice(0, -1));
  return value === undefined ? undefined : memberOf(value, path.at(-1))?.place;
}

function memberOf(value: PlacedValue, key: PropertyKey | undefined): PlacedMember | undefined {
  return value.kind === 'object' ? value.members.find((member) => member.name === key) : undefined;
}

/** A value as shown in messages; `undefined` if there is none. */
function shownAt(root: PlacedValue, path: readonly PropertyKey[]): string | undefined {
  const { value } = locate(root, path);
  if (value === undefined) return undefined;
  if (value.kind !== 'scalar') return value.kind === 'array' ? 'a list' : 'an object';
  return typeof value.value === 'string' ? quote(clip(value.value, LONGEST_SHOWN)) : String(value.value);
}

function plain(value: PlacedValue): unknown {
  if (value.kind === 'scalar') return value.value;
  if (value.kind === 'array') return value.items.map((item) => plain(item));
  return Object.fromEntries(value.members.map((member) => [member.name, plain(member.value)]));
}
