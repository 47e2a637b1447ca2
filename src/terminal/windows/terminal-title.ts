import { projectHash } from '../session-key.ts';
import type { TerminalIdentity } from '../../model/terminals/session-name.ts';

/** What the title of a tab or window reveals about its session. */
export interface TitleFacts {
  /** SHA-256 in hexadecimal, or `NO_PROJECT`. */
  readonly projectHash: string;
  readonly tag: string;
  /** Such as `/dev/pts/3`; for troubleshooting, not part of the identity. */
  readonly ttyPath: string;
  /** Of the shell in the terminal. */
  readonly pid: number;
}

const PATTERN =
  /::TERMINATOR_SESSION::PROJECT_HASH=([0-9a-f]{64}|NO_PROJECT)::TAG=([^:\s]{1,4096})::TTY_PATH=([^:\s]{0,4096})::PID=(\d{1,10})::/;

/** The title that identifies a tab or window. */
export function sessionTitle(
  identity: TerminalIdentity,
  { ttyPath, pid }: Pick<TitleFacts, 'ttyPath' | 'pid'>,
): string {
  const hash = projectHash(identity.projectPath);
  return `::TERMINATOR_SESSION::PROJECT_HASH=${hash}::TAG=${encode(identity.tag)}::TTY_PATH=${encode(ttyPath)}::PID=${pid}::`;
}

/** Parses a title, which may have other text around it; `undefined` if it is not of a session. Anybody can set such a title. */
export function parseSessionTitle(title: string): TitleFacts | undefined {
  const [, hash, tag, ttyPath, pid] = PATTERN.exec(title) ?? [];
  if (hash === undefined || tag === undefined || ttyPath === undefined || pid === undefined) return undefined;
  const decodedTag = decode(tag);
  const decodedPath = decode(ttyPath);
  if (decodedTag === undefined || decodedPath === undefined) return undefined;
  return { projectHash: hash, tag: decodedTag, ttyPath: decodedPath, pid: Number(pid) };
}

/** Replaces lone surrogates, which cannot be encoded. */
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
