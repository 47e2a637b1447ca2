import { projectHash } from '../session-key.ts';
import type { TerminalIdentity } from '../../model/terminals/session-name.ts';

/** What the title of a tab or window says about the session in it. */
export interface TitleFacts {
  /** SHA-256 in hexadecimal, or `NO_PROJECT`. */
  readonly projectHash: string;
  readonly tag: string;
  /** Such as `/dev/pts/3`; for people who look for a fault, no part of the identity. */
  readonly ttyPath: string;
  /** Of the process that has made the title. */
  readonly pid: number;
}

const PATTERN =
  /::TERMINATOR_SESSION::PROJECT_HASH=([0-9a-f]{64}|NO_PROJECT)::TAG=([^:\s]{1,4096})::TTY_PATH=([^:\s]{0,4096})::PID=(\d{1,10})::/;

/** The title by which a tab or window is found again. */
export function sessionTitle(
  identity: TerminalIdentity,
  { ttyPath, pid }: Pick<TitleFacts, 'ttyPath' | 'pid'>,
): string {
  const hash = projectHash(identity.projectPath);
  return `::TERMINATOR_SESSION::PROJECT_HASH=${hash}::TAG=${encode(identity.tag)}::TTY_PATH=${encode(ttyPath)}::PID=${pid}::`;
}

/** Of a title, which may have more before and behind; `undefined` where it is of no session. Anybody can set such a title. */
export function parseSessionTitle(title: string): TitleFacts | undefined {
  const [, hash, tag, ttyPath, pid] = PATTERN.exec(title) ?? [];
  if (hash === undefined || tag === undefined || ttyPath === undefined || pid === undefined) return undefined;
  const decodedTag = decode(tag);
  const decodedPath = decode(ttyPath);
  if (decodedTag === undefined || decodedPath === undefined) return undefined;
  return { projectHash: hash, tag: decodedTag, ttyPath: decodedPath, pid: Number(pid) };
}

/** Half a character, which no encoding has, is shown as one that is missing. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\u{FFFD}'));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
