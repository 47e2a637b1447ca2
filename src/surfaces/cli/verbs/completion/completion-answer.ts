import type { Manifest } from '../../arguments/manifest.ts';
import type { Manual } from '../../printing/manual.ts';
import type { OutputStream } from '../../printing/output.ts';
import { writeAll } from '../../printing/output.ts';
import { offerFor } from './completion-candidates.ts';
import type { Candidate } from './completion-candidates.ts';
import { liveAnswers } from './completion-live.ts';
import type { LiveAnswers } from './completion-live.ts';
import { positionOf } from './completion-position.ts';
import { quoteForBash, quoteForPowerShell, readBashLine } from './completion-quoting.ts';

export interface CompletionParts {
  /** What follows `__complete`; see the scripts in `completion-scripts.ts`. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly manifest: Manifest;
  readonly manual: () => Promise<Manual>;
  readonly stdout: OutputStream;
  readonly live?: (session: string) => LiveAnswers;
}

/**
 * Answers a completion script: `:files` or `:values` on the first line, then a candidate on each, with its description behind a tab. Nobody
 * wants to read an error there: it answers nothing instead.
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
  // Every argument begins with "=", so that no shell drops an empty one.
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
  const fitting = beginningWith(current, found.candidates).filter(({ text }) => text.startsWith(kept));
  // 63 is "?", a list that is only shown: there is room for what the candidates are.
  const isShown = keyCode === '63' && fitting.length > 1;
  const widest = Math.max(0, ...fitting.map(({ text }) => text.length));
  return print({ kind: 'values', candidates: fitting }, ({ text, about }) => {
    if (isShown && about !== '') return [`${text.padEnd(widest)}  (${about})`];
    const quoted = quoteForBash(text.slice(kept.length), context);
    return quoted === undefined ? [] : [quoted];
  });
}

/** Bash leaves nothing out. In another case only what is the only one: the common beginning of several could be shorter than what was typed. */
function beginningWith(current: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const exact = candidates.filter(({ text }) => text.startsWith(current));
  if (exact.length > 0) return exact;
  const lowered = current.toLowerCase();
  const loose = candidates.filter(({ text }) => text.toLowerCase().startsWith(lowered));
  return loose.length === 1 ? loose : [];
}

async function offer(parts: CompletionParts, words: readonly string[], current: string) {
  const { manifest, manual, environment } = parts;
  const { wanted, session: asked } = positionOf(words, current, manifest);
  const session = asked ?? (environment['DESKTERITY_SESSION'] || 'default');
  const live = (parts.live ?? ((name: string) => liveAnswers(environment, name)))(session);
  return offerFor(wanted, { manifest, manual, environment, live, current });
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
