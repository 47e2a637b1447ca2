/** Longest a command-line tool may run: a day. */
export const LONGEST_RUN_SECONDS = 86_400;

/** Time a command-line tool is given where nobody says anything. */
export const USUAL_RUN_SECONDS = 600;
