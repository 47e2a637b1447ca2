import type { Reached, RuledCommand } from '../../model/policy/ruled-command.ts';
import type { Decision } from '../../model/policy/verdict.ts';
import { Mistake } from './mistake.ts';

/** What a rule requires besides the command. */
export interface RuleAbout {
  readonly decision: Decision;
  readonly reached?: Reached | undefined;
}

interface Reason {
  /** What the command does, so that the sentence begins with its name. */
  readonly why: string;
  readonly fix: string;
}

const REACHES_NONE: Readonly<Record<Reached, Reason>> = {
  application: {
    why: 'reaches no application',
    fix: 'Name a command that does, or the command or the application alone',
  },
  element: { why: 'acts on no element', fix: 'Name commands that act, such as "click", or no command' },
  terminal: {
    why: 'reaches no terminal',
    fix: 'Name a command that does, or the command or the terminal alone',
  },
  tool: { why: 'runs no tool', fix: 'Name "run-tool", "tools call" or "sandboxed-shell", or no command' },
};

/** Reading is asked about only where a command is all that a rule is about: what it reads, it finds out on the way. */
const READS_UNASKED: Reason = {
  why: 'only reads, and nobody is asked about what it reads',
  fix: 'Write decision = "deny", or a rule about the command alone, which asks each time',
};

/**
 * Requires that a rule can ever be about one of the commands that a word of it names.
 * @throws Mistake if it never can: such a rule protects nothing
 */
export function requireApplicable(word: string, commands: readonly RuledCommand[], about: RuleAbout): void {
  const reasons = commands.map((command) => whyNever(command, about));
  const [first] = reasons;
  if (first === undefined || reasons.includes(undefined)) return;
  throw new Mistake(`it would do nothing: ${JSON.stringify(word)} ${first.why}`, first.fix);
}

function whyNever(command: RuledCommand, { decision, reached }: RuleAbout): Reason | undefined {
  // What no rule judges is allowed in any case.
  if (decision === 'allow') return undefined;
  const { unjudged, isReadOnly, isOfPerson, reaches } = command;
  if (unjudged !== undefined) return { why: unjudged, fix: 'Remove it from the rule' };
  if (decision === 'confirm' && isOfPerson === true)
    return { why: 'asks nobody, because a person runs it', fix: 'Write decision = "deny"' };
  if (reached === undefined) return undefined;
  if (!reaches.has(reached)) return REACHES_NONE[reached];
  return isReadOnly && decision === 'confirm' ? READS_UNASKED : undefined;
}

/**
 * Requires that an approval of commands can matter: what reaches something else is approved by that.
 * @throws Mistake
 */
export function requireApprovable(word: string, commands: readonly RuledCommand[], approval: string): void {
  const [first] = commands;
  if (first === undefined || commands.some(({ reach, isReadOnly }) => reach === 'other' || isReadOnly))
    return;
  throw new Mistake(
    `unattended.${approval}.commands would do nothing: ${JSON.stringify(word)} reaches ${first.reach}`,
    `Name those in unattended.${approval}.${first.reach} instead`,
  );
}
