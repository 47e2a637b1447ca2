import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import { DeskterityError, type Candidate } from '../../../model/effects/errors.ts';
import { printLocator, type Locator } from '../../../model/refs/locator.ts';
import { clip, quoteClipped } from '../../../model/text/untrusted-text.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { withinOf, type SearchEntry } from '../../tree/search/entries.ts';
import type { Selection } from './select.ts';
import { roundedScore } from './suggest.ts';

const LONGEST_NAME = 120;
const LONGEST_LOCATOR = 300;

interface Given {
  readonly entry: SearchEntry;
  readonly ref: string;
}

/** Several elements match. */
export function ambiguous(locator: Locator, count: number, given: readonly Given[]): DeskterityError {
  const [container, ...others] = given.map(({ entry }) => withinOf(entry).at(-1));
  const isDistinctive = container !== undefined && others.some((other) => other !== container);
  return new DeskterityError('AMBIGUOUS_TARGET', `${count} elements match ${shown(locator)}.`, {
    suggestion: `Use the reference of the one you mean, name its container${isDistinctive ? ` (${inside(container)})` : ''}, or take one by its position: [nth=1].`,
    candidates: given.map(({ entry, ref }, index) => ({
      ...toCandidate(entry, ref),
      detail: [`[nth=${index + 1}]`, ...withinOf(entry).slice(-2)].join(' in '),
    })),
    delivered: false,
  });
}

/** `listitem "Inbox"` as the beginning of a locator; of a name that was cut off, its beginning is enough. */
function inside(container: string): string {
  const [role = '', ...name] = container.split(' ');
  const quoted = name.join(' ');
  const isCut = quoted.endsWith('…"');
  return `role:${role}[name${isCut ? '*' : ''}=${isCut ? quoted.replace(/…"$/, '"') : quoted}] >> …`;
}

/** Nothing matches in a tree that was read completely. */
export function missing(
  about: {
    readonly locator: Locator;
    readonly selection: Selection;
    readonly window: DesktopWindow;
    /** Whether `heal` would use the first suggestion. */
    readonly isHealable: boolean;
  },
  suggestions: readonly (Given & { readonly score: number; readonly locator: string })[],
): DeskterityError {
  const { locator, selection, window, isHealable } = about;
  const { failedAt = 0, counted } = selection;
  const steps = locator.steps.slice(0, failedAt + 1);
  const what = shown(failedAt === locator.steps.length - 1 ? locator : { ...locator, steps });
  const elsewhere =
    locator.window === undefined
      ? ' To search in another window, begin with app:"NAME" >> or window:"TITLE" >>.'
      : '';
  const place = `in ${quoteClipped(window.title)} of ${quoteClipped(window.appName)}`;
  return new DeskterityError(
    'ELEMENT_NOT_FOUND',
    counted === undefined
      ? `Nothing matches ${what} ${place}.`
      : `Only ${counted} ${counted === 1 ? 'element matches' : 'elements match'} ${what} ${place} if its position is ignored.`,
    {
      suggestion: isHealable
        ? `The first candidate is most likely what you mean: use its reference or its locator, or repeat with ${mentionParameter('heal')}.`
        : suggestions.length > 0
          ? `If a candidate is what you mean, use its reference or its locator.${elsewhere}`
          : `See what is there with ${mentionCommand('snapshot')}.${elsewhere}`,
      candidates: suggestions.map(({ entry, ref, score, locator: healed }) => ({
        ...toCandidate(entry, ref),
        detail: `score ${roundedScore(score)}: ${clip(healed, LONGEST_LOCATOR)}`,
      })),
      retryable: true,
    },
  );
}

/** Whether exactly one element matches is unknown because a part of the tree is. `given`: the one that matches, or the candidates. */
export function inPart(
  locator: Locator,
  reasons: readonly string[],
  given: readonly Given[],
  isMatch = false,
): DeskterityError {
  const seen = isMatch ? 'in that part one element matches' : 'nothing in that part matches';
  return new DeskterityError(
    'TREE_TIMEOUT',
    `The window could only be read in part (${reasons.join('; ')}): ${seen} ${shown(locator)}, and the rest is unknown.`,
    {
      suggestion:
        given.length === 0
          ? `Raise ${mentionParameter('timeout_ms')}, or look at a part with ${mentionCommand('snapshot', { root: 'REF' })}.`
          : `If the candidate is what you mean, use its reference; else raise ${mentionParameter('timeout_ms')}.`,
      candidates: given.map(({ entry, ref }) => toCandidate(entry, ref)),
      retryable: true,
    },
  );
}

function shown(locator: Locator): string {
  return clip(printLocator(locator), LONGEST_LOCATOR);
}

function toCandidate({ node }: SearchEntry, ref: string): Candidate {
  return {
    ref,
    role: node.role,
    ...(node.name === undefined ? {} : { name: clip(node.name, LONGEST_NAME) }),
  };
}
