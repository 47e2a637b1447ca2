import { z } from 'zod';
import { Mistake } from './mistake.ts';
import type { FollowedPaths } from './followed-paths.ts';
import { aboutList, Folders, Pattern } from './read-lists.ts';
import type { Rule } from '../rules/rule.ts';
import type { Approval } from '../rules/unattended.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than this, nobody remembers what was approved. */
const LONGEST_DAYS = 7;

const Time = z.union([z.date(), z.iso.datetime({ offset: true }).transform((text) => new Date(text))], {
  error: 'must be a date and time, such as 2026-11-30T06:00:00Z',
});
const Names = z.array(Pattern).max(1000).default([]);

export const UnattendedTable = z.strictObject({
  from: Time,
  until: Time,
  applications: Names,
  terminals: Folders,
  tools: Names,
  commands: Names,
});

/** @throws Mistake */
export function approvalOf(
  name: string,
  table: z.output<typeof UnattendedTable>,
  { source, paths }: { readonly source: string; readonly paths: FollowedPaths },
): Approval {
  const [from, until] = [table.from.getTime(), table.until.getTime()];
  if (!(from < until))
    throw new Mistake(`unattended.${name} ends before it begins`, 'Correct from and until');
  if (until - from > LONGEST_DAYS * DAY_MS)
    throw new Mistake(
      `unattended.${name} lasts longer than ${LONGEST_DAYS} days`,
      'Shorten it, and approve it anew when it has ended',
    );
  const ruleFor = (kind: 'applications' | 'terminals' | 'tools' | 'commands'): Rule => ({
    decision: 'allow',
    name: `unattended.${name}.${kind}`,
    source,
    shown: table[kind],
    ...aboutList(kind, table[kind], { paths, isAllowing: true }),
  });
  const lists = ['applications', 'terminals', 'tools', 'commands'] as const;
  return {
    name,
    from,
    until,
    applications: ruleFor('applications'),
    terminals: ruleFor('terminals'),
    tools: ruleFor('tools'),
    commands: ruleFor('commands'),
    shown: lists.map((kind) => ({ name: `unattended.${name}.${kind}`, source, patterns: table[kind] })),
  };
}
