import { basename, join } from 'node:path';
import { errorCode } from '../../model/error-code.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ToolFile } from '../../model/tools/tool-file.ts';
import { quote, reveal } from '../../model/text/untrusted-text.ts';
import type { DocumentsPort } from '../../ports/documents.ts';
import type { FilesPort, FoldersPort } from '../../ports/files.ts';
import { LARGEST_TOOL_FILE_BYTES, parseToolFile } from './parse-tool-file.ts';
import type { PlaceOf, ParsedToolFile } from './parse-tool-file.ts';
import type { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';
import type { ToolFolder } from '../tool-entries.ts';
import { contentHash } from './trust.ts';

/** Most tool files of one folder. */
const MOST_FILES = 200;

/** Limit for all tool files of one folder, as anyone who can write there could slow us down. */
const MOST_FOLDER_BYTES = 4 * 1024 * 1024;

/** The sources of tool files. */
export interface ScanParts {
  readonly folders: FoldersPort;
  readonly files: Pick<FilesPort, 'find'>;
  readonly documents: Pick<DocumentsPort, 'read'>;
  /** Cache of parsed files; default none. */
  readonly parsed?: ParsedFiles | undefined;
}

/** A tool file on its own. */
export interface ScannedFile {
  readonly path: string;
  readonly folder: string;
  readonly origin: ToolFolder['origin'];
  readonly name: string;
  readonly sha256: string | undefined;
  readonly bytes: number;
  readonly tool: ToolFile | undefined;
  readonly placeOf: PlaceOf;
  readonly problems: readonly ToolFileProblem[];
}

/** Reads all tool files in folders. Never throws because of their content. */
export async function scanToolFiles(
  folders: readonly ToolFolder[],
  parts: ScanParts,
): Promise<{ readonly files: readonly ScannedFile[]; readonly problems: readonly string[] }> {
  const files: ScannedFile[] = [];
  const problems: string[] = [];
  for (const folder of folders) {
    const names = await parts.folders.list(folder.path).catch((error: unknown) => {
      const code = errorCode(error) ?? String(error);
      problems.push(`the folder ${reveal(folder.path)} cannot be read (${code})`);
      return [];
    });
    if (names === undefined && folder.isNamed === true)
      problems.push(`the folder ${reveal(folder.path)} does not exist`);
    const toolFiles = (names ?? []).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    if (toolFiles.length > MOST_FILES)
      problems.push(
        `the folder ${reveal(folder.path)} has ${toolFiles.length} tool files; only the first ${MOST_FILES} are read`,
      );
    let bytes = 0;
    for (const name of toolFiles.slice(0, MOST_FILES)) {
      if (bytes > MOST_FOLDER_BYTES) {
        problems.push(
          `the tool files of ${reveal(folder.path)} are larger than ${MOST_FOLDER_BYTES} bytes in total; ${reveal(name)} and later ones are not read`,
        );
        break;
      }
      const scanned = await scanFile(join(folder.path, name), folder, parts);
      if (scanned === undefined) continue;
      bytes += scanned.bytes;
      files.push(scanned);
    }
  }
  return { files, problems };
}

/** Reads a single file; `undefined` if it does not exist. */
async function scanFile(
  path: string,
  folder: ToolFolder,
  parts: ScanParts,
): Promise<ScannedFile | undefined> {
  const read = await parts.folders.readBounded(path, LARGEST_TOOL_FILE_BYTES);
  if (read === undefined) return undefined;
  // Trust applies to the real file, whatever links lead to it.
  const real = (await parts.files.find(path).catch(() => undefined))?.path ?? path;
  const invalid = {
    path: real,
    folder: folder.path,
    origin: folder.origin,
    name: basename(path, '.json'),
    sha256: undefined,
    bytes: 0,
    tool: undefined,
    placeOf: () => START,
  };
  if (read.problem !== undefined) {
    const suggestion = 'Replace it with a readable file of at most 256 KiB, or remove it.';
    const message = `it ${read.problem}`;
    return { ...invalid, problems: [{ file: path, ...START, pointer: '', message, suggestion }] };
  }
  const content = { sha256: contentHash(read.bytes), bytes: read.bytes.length };
  const parse = () => parseToolFile({ file: path, bytes: read.bytes }, parts.documents);
  const parsed = parts.parsed?.of(path, content.sha256, parse) ?? parse();
  if (parsed.problems !== undefined)
    return { ...invalid, ...content, name: parsed.name ?? invalid.name, problems: parsed.problems };
  const { tool, placeOf } = parsed;
  return { ...invalid, ...content, name: tool.name, tool, placeOf, problems: [] };
}

/** Reads a file named by the user. @throws DeskterityError INVALID_ARGUMENT if it does not exist */
export async function requireFile(path: string, parts: ScanParts): Promise<ScannedFile> {
  const scanned = await scanFile(path, { path: '', origin: 'project' }, parts);
  if (scanned !== undefined) return scanned;
  throw new DeskterityError('INVALID_ARGUMENT', `${quote(path)} does not exist.`, {
    suggestion: 'Pass the path of a tool file, such as .deskterity/tools/git.json.',
  });
}

const START = { line: 1, column: 1 } as const;

/** A limit, as anyone who can write tool files could fill the memory. */
const MOST_KEPT = 200;

/** A cache of parsed tool files. All files are read for each call, but few change in between. */
export class ParsedFiles {
  private readonly kept = new Map<string, ParsedToolFile>();

  /** The cached result for this content and path, otherwise that of `parse`. */
  of(file: string, sha256: string, parse: () => ParsedToolFile): ParsedToolFile {
    const key = `${sha256} ${file}`;
    const parsed = this.kept.get(key) ?? parse();
    this.kept.delete(key);
    this.kept.set(key, parsed);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return parsed;
  }
}
