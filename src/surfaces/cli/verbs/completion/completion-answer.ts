import type { Manifest } from '../../arguments/manifest.ts';
import type { Manual } from '../../printing/manual.ts';
import { writeAll, type OutputStream } from '../../printing/output.ts';
import { offerFor, type Candidate } from './completion-candidates.ts';
import { liveAnswers, type LiveAnswers } from './completion-live.ts';
import { positionOf } from './completion-position.ts';
import { quoteForBash, quoteForPowerShell, readBashLine } from './completion-quoting.ts';

export interface CompletionParts {
  /** The arguments after `__complete`; see `completion.ts`. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  readonly manual: () => Promise<Manual>;
  readonly stdout: OutputStream;
  readonly live?: (session: string) => LiveAnswers;
}

/**
 * Answers a completion script: `:files` or `:values` on the first line, then a candidate per line, its description after a tab.
 * On an error it answers nothing, as a message would disturb the command line.
 */
export async function answerCompletion(parts: CompletionParts): Promise<number> {
  try {
    await writeAll(parts.stdout, await answer(parts));
    return 0;
  } catch {
    return 1;
  }
}

async function answer(parts: CompletionParts): Promise<string> {
  const [shell, ...given] = parts.argv;
  // Every argument starts with "=", because some shells drop empty ones.
  const [first = '', ...others] = given.map((argument) => argument.replace(/^=/, ''));
  switch (shell) {
    case 'bash':
      return answerBash(parts, first, others[0] ?? '', others[1] ?? '');
    case 'zsh':
    case 'fish':
      return print(await offer(parts, others, first), ({ text, about }) => [text, about]);
    case 'powershell':
      return print(await offer(parts, others, first), ({ text, about }) => [quoteForPowerShell(text), about]);
    default:
      return '';
  }
}

async function answerBash(
  parts: CompletionParts,
  line: string,
  replaced: string,
  keyCode: string,
): Promise<string> {
  const { words, current, context, kept } = readBashLine(line, replaced);
  const found = await offer(parts, words, current);
  if (found.kind === 'files') return print(found, () => []);
  const matching = startingWith(current, found.candidates).filter(({ text }) => text.startsWith(kept));
  // COMP_TYPE 63 ("?") only lists the candidates, so their descriptions can be shown.
  const isShown = keyCode === '63' && matching.length > 1;
  const widest = Math.max(0, ...matching.map(({ text }) => text.length));
  return print({ kind: 'values', candidates: matching }, ({ text, about }) => {
    if (isShown && about !== '') return [`${text.padEnd(widest)}  (${about})`];
    const quoted = quoteForBash(text.slice(kept.length), context);
    return quoted === undefined ? [] : [quoted];
  });
}

/** Bash does not filter. A candidate in another case must be the only one: several could share a prefix shorter than the typed text. */
function startingWith(current: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const exact = candidates.filter(({ text }) => text.startsWith(current));
  if (exact.length > 0) return exact;
  const lowered = current.toLowerCase();
  const loose = candidates.filter(({ text }) => text.toLowerCase().startsWith(lowered));
  return loose.length === 1 ? loose : [];
}

async function offer(parts: CompletionParts, words: readonly string[], current: string) {
  const { manifest, manual, environment } = parts;
  const { expected, session: given } = positionOf(words, current, manifest);
  const session = given ?? (environment['DESKTERITY_SESSION'] || 'default');
  const live = (parts.live ?? ((name: string) => liveAnswers(environment, manifest, name)))(session);
  return offerFor(expected, { manifest, manual, environment, live, current });
}

function print(
  found: Awaited<ReturnType<typeof offer>>,
  columns: (candidate: Candidate) => readonly string[],
): string {
  if (found.kind === 'files') return ':files\n';
  const lines = found.candidates
    .map((candidate) => columns(candidate))
    .filter(([text]) => text !== undefined);
  return [':values', ...lines.map((line) => line.filter((part) => part !== '').join('\t')), ''].join('\n');
}
