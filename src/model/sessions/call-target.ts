/** The input that decides whether a call is about the desktop or about a terminal. */
export interface CallTarget {
  /** A terminal by its ref, its id or its tag. */
  readonly terminal?: string | undefined;
  /** Possible refs: those of elements and windows of terminals lead to their terminal. */
  readonly targets?: readonly (string | undefined)[] | undefined;
  /** The cursor of an earlier answer: the call is about what was read then. */
  readonly since?: string | undefined;
}
