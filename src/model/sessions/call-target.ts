/** What of its input says whether a call is about the desktop or about a terminal. */
export interface CallTarget {
  /** A terminal by its ref, its id or its tag. */
  readonly terminal?: string | undefined;
  /** What may be refs: elements and windows of terminals know where they are. */
  readonly targets?: readonly (string | undefined)[] | undefined;
  /** The cursor of an earlier answer: what was read at that time is what the call is about. */
  readonly since?: string | undefined;
}
