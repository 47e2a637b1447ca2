import { z } from 'zod';
import type { Decision } from '../../model/policy/verdict.ts';
import { Patterns } from '../rules/patterns.ts';
import type { Rule } from '../rules/rule.ts';
import { LIFTABLE } from '../rules/default-denied.ts';
import type { FollowedPaths } from './followed-paths.ts';

const MOST_PATTERNS = 1000;
export const Pattern = z.string().trim().min(1).max(256);
const PatternList = z.array(Pattern).max(MOST_PATTERNS).default([]);
export const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^(?:\/|[A-Za-z]:[\\/])/, 'must be an absolute path');
export const Folders = z.array(AbsolutePath).max(MOST_PATTERNS).default([]);

const NOT_LIFTABLE = 'must be an absolute path, or a pattern or group of the built-in lists';

function isLiftable(text: string): boolean {
  return AbsolutePath.safeParse(text).success || LIFTABLE.has(text);
}

export const Lists = z.strictObject({ allowed: PatternList, confirm: PatternList, denied: PatternList });
export const TerminalLists = z.strictObject({ allowed: Folders, confirm: Folders, denied: Folders });
export const ApplicationLists = z.strictObject({
  ...Lists.shape,
  except: z.array(Pattern.refine(isLiftable, NOT_LIFTABLE)).max(MOST_PATTERNS).default([]),
});
export const NO_LISTS = { allowed: [], confirm: [], denied: [] };

export const DECISION_OF: Readonly<Record<'allowed' | 'confirm' | 'denied', Decision>> = {
  allowed: 'allow',
  confirm: 'confirm',
  denied: 'deny',
};

type Given = z.output<typeof Lists>;

/** Each list as one rule. */
export function listRules(
  source: string,
  kinds: Readonly<Record<'applications' | 'commands' | 'tools' | 'terminals', Given>>,
  paths: FollowedPaths,
): Rule[] {
  const rules: Rule[] = [];
  for (const kind of ['applications', 'commands', 'tools', 'terminals'] as const)
    for (const list of ['denied', 'confirm', 'allowed'] as const) {
      const shown = kinds[kind][list];
      if (shown.length === 0) continue;
      rules.push({
        decision: DECISION_OF[list],
        name: `${kind}.${list}`,
        source,
        shown,
        ...aboutList(kind, shown, { paths, isAllowing: list === 'allowed' }),
      });
    }
  return rules;
}

export function aboutList(
  kind: 'applications' | 'commands' | 'tools' | 'terminals',
  patterns: readonly string[],
  { paths, isAllowing }: { readonly paths: FollowedPaths; readonly isAllowing: boolean },
): Pick<Rule, 'application' | 'commands' | 'tools' | 'terminals'> {
  if (kind === 'terminals') return { terminals: patterns.flatMap((folder) => paths.namesOf(folder)) };
  if (kind === 'applications') return { application: { any: programsIn(patterns, paths, isAllowing) } };
  const prepared = new Patterns(patterns);
  return kind === 'commands' ? { commands: prepared } : { tools: prepared };
}

/** Patterns of applications; the kernel tells the file behind a link. */
export function programsIn(patterns: readonly string[], paths: FollowedPaths, isAllowing: boolean): Patterns {
  return new Patterns(patterns, (one) => (isAllowing ? paths.namesOf(one) : paths.namesToForbid(one)));
}
