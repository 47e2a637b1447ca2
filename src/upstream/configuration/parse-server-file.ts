import type { z } from 'zod';
import { isRecord } from '../../model/is-record.ts';
import { parseJson } from '../../model/parse-json.ts';
import { nearest } from '../../model/text/nearest.ts';
import { hidingIn, quoteClipped } from '../../model/text/untrusted-text.ts';
import {
  MOST_SERVERS,
  ProgramEntry,
  SERVER_KEYS,
  SERVER_NAME,
  WebEntry,
} from '../../model/tools/server-file.ts';

/** One server as its file declares it. */
export interface DeclaredServer {
  readonly name: string;
  readonly entry: ProgramEntry | WebEntry | undefined;
  /** Why it cannot be used, as a phrase. */
  readonly problem?: string | undefined;
}

export interface ParsedServerFile {
  readonly servers: readonly DeclaredServer[];
  /** What else is wrong, as sentences without full stop. */
  readonly problems: readonly string[];
  /** Nothing of the file can be used. */
  readonly isInvalid: boolean;
}

/** The two keys that clients use for their servers. */
const LISTS = ['servers', 'mcpServers'] as const;
/** Other top-level keys of clients, which concern only them. */
const OTHER_KEYS = new Set<string>([...LISTS, '$schema', 'inputs']);
const MOST_UNKNOWN = 5;

/** Reads a file of MCP servers. Never throws because of its content. */
export function parseServerFile(bytes: Uint8Array): ParsedServerFile {
  const data = parsed(bytes);
  if (data === undefined) return invalid('it is not valid JSON in UTF-8');
  if (!isRecord(data)) return invalid('it is not a JSON object');
  const hidden = hidingIn(JSON.stringify(data));
  // A person who trusts the file has to see all of it.
  if (hidden !== undefined) return invalid(`it contains the hidden character ${hidden}`);
  const problems: string[] = [];
  const unknown = Object.keys(data).filter((key) => !OTHER_KEYS.has(key));
  problems.push(...unknownKeys(unknown, [...OTHER_KEYS], ''));
  const servers = new Map<string, DeclaredServer>();
  for (const list of LISTS) {
    const declared = data[list];
    if (declared === undefined) continue;
    if (!isRecord(declared)) {
      problems.push(`${list} is not an object`);
      continue;
    }
    for (const [name, entry] of Object.entries(declared)) {
      if (servers.size >= MOST_SERVERS) {
        problems.push(`it has more than ${MOST_SERVERS} servers; the others are not used`);
        break;
      }
      if (servers.has(name)) problems.push(`${quoteClipped(name)} is in servers and in mcpServers`);
      else if (SERVER_NAME.test(name)) servers.set(name, declaredServer(name, entry, problems));
      else
        problems.push(
          `${quoteClipped(name)} is not a name for a server: use at most 32 letters, digits, - and _, and no __`,
        );
    }
  }
  if (LISTS.every((list) => data[list] === undefined)) problems.push('it has neither servers nor mcpServers');
  return { servers: [...servers.values()], problems, isInvalid: false };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function invalid(problem: string): ParsedServerFile {
  return { servers: [], problems: [problem], isInvalid: true };
}

function declaredServer(name: string, entry: unknown, problems: string[]): DeclaredServer {
  const broken = (problem: string): DeclaredServer => ({ name, entry: undefined, problem });
  if (!isRecord(entry)) return broken('it is not an object');
  const [isProgram, isWeb] = [Object.hasOwn(entry, 'command'), Object.hasOwn(entry, 'url')];
  if (isProgram && isWeb) return broken('it has both command and url');
  if (!isProgram && !isWeb) return broken('it has neither command nor url');
  const known = isProgram ? SERVER_KEYS.program : SERVER_KEYS.web;
  const unknown = Object.keys(entry).filter((key) => !known.includes(key));
  problems.push(...unknownKeys(unknown, known, ` of the server ${name}`));
  const result = isProgram ? ProgramEntry.safeParse(entry) : WebEntry.safeParse(entry);
  return result.success ? { name, entry: result.data } : broken(issueOf(result.error));
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is not valid';
  const key = issue.path.map(String).join('.');
  return `${quoteClipped(key)} is not valid: ${issue.message}`;
}

/** They are not an error: the files of other clients have keys that concern only them. */
function unknownKeys(unknown: readonly string[], known: readonly string[], where: string): string[] {
  const told = unknown.slice(0, MOST_UNKNOWN).map((key) => {
    const close = nearest(key, known);
    return `the key ${quoteClipped(key)}${where} is not used${close === undefined ? '' : `; did you mean ${close}?`}`;
  });
  const more = unknown.length - told.length;
  return more > 0 ? [...told, `${more} more keys${where} are not used`] : told;
}
