import { isDestructiveName, isMenuTitle } from './words.ts';

/** What is known about a tool of another server. */
export interface ForeignTool {
  /** As its server names it: `deleteIssue` or `delete_issue`. */
  readonly ownName: string;
  /** The annotation `destructiveHint`; absent if there is none. */
  readonly destructiveHint?: boolean | undefined;
}

/**
 * Why a tool of another server may lose something, as a phrase; `undefined` if nothing says so. A server can say that its tool does, but not that it does
 * not: the name counts whatever the annotations say. A tool without any of the two is not asked about, although the protocol takes it for destructive:
 * most servers annotate nothing, and people who are asked about everything agree to everything.
 */
export function whyDestructiveTool({ ownName, destructiveHint }: ForeignTool): string | undefined {
  if (destructiveHint === true) return 'its server says that it may destroy something';
  const words = wordsOf(ownName);
  // What is called that as a tool arranges source code.
  if (isMenuTitle(words) || !isDestructiveName(words)) return undefined;
  return 'its name says that something is lost, sent or paid';
}

const BETWEEN_WORDS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|[^\p{L}\p{N}']+/gu;

function wordsOf(identifier: string): string {
  return identifier.replaceAll(BETWEEN_WORDS, ' ').trim();
}
