/** Longest a command-line tool may run: a day. */
export const LONGEST_RUN_SECONDS = 86_400;

/** Default time limit of a command-line tool. */
export const USUAL_RUN_SECONDS = 600;
