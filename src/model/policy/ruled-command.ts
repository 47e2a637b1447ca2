import type { Reach } from './verdict.ts';

/** What a command reaches itself. What its steps reach, they reach as commands of their own. */
export type Reached = 'application' | 'element' | 'terminal' | 'tool';

/** A command, as far as rules can be about it. */
export interface RuledCommand {
  readonly name: string;
  /** It changes nothing, whatever its input. */
  readonly isReadOnly: boolean;
  readonly reach: Reach;
  readonly reaches: ReadonlySet<Reached>;
  /** Why no rule judges it, as the end of a sentence about it. */
  readonly unjudged?: string | undefined;
  /** Whoever runs it is the person that would be asked. */
  readonly isOfPerson?: boolean | undefined;
}
