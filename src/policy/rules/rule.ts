import type { Concern, Decision } from '../../model/policy/verdict.ts';
import type { Role } from '../../model/tree/role.ts';
import type { Patterns } from './patterns.ts';
import type { SafeExpression } from './safe-expression.ts';

/** Which applications a rule is about. All that is given must match. */
export interface ApplicationMatch {
  /** What it calls itself, its program or the path of that. */
  readonly any?: Patterns | undefined;
  /** What it calls itself, as {@link plain}. */
  readonly name?: string | undefined;
  /** Without `.desktop`, as {@link plain}. */
  readonly desktopFile?: string | undefined;
  /** Absolute paths of one file, and what else the program that it starts is called. */
  readonly executable?: readonly string[] | undefined;
  readonly expression?: SafeExpression | undefined;
}

/** Which texts of an element a rule is about, each as {@link plain}. */
export interface TextMatch {
  readonly of: 'name' | 'description' | 'either';
  readonly matches: (text: string) => boolean;
}

export interface ElementMatch {
  readonly role?: Role | undefined;
  readonly texts: readonly TextMatch[];
  /** Part of the title of its window, as {@link plain}. */
  readonly window?: string | undefined;
}

/** One rule. What it does not mention does not matter; everything that it mentions must match. */
export interface Rule {
  readonly decision: Decision;
  /** What it is called in verdicts: `applications.denied` or `rule 3`. */
  readonly name: string;
  /** The file or variable. */
  readonly source: string;
  /** In the user's words. */
  readonly reason?: string | undefined;
  readonly application?: ApplicationMatch | undefined;
  readonly commands?: Patterns | undefined;
  readonly tools?: Patterns | undefined;
  /** Absolute paths of folders, in or below which the project of a terminal is. */
  readonly terminals?: readonly string[] | undefined;
  readonly element?: ElementMatch | undefined;
  /** For people. */
  readonly shown: readonly string[];
}

/** The part of a request that is known last of what a rule is about. */
export function concernOf({ application, terminals, element }: Rule): Concern {
  if (element !== undefined) return 'element';
  if (application !== undefined) return 'application';
  return terminals === undefined ? 'command' : 'terminal';
}
