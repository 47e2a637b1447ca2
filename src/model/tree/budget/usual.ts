/**
 * The usual size of an answer in tokens of its outline; in JSON it has the same elements. A part that was asked for may be larger, and what is off
 * screen is much.
 */
export const USUAL_TOKENS = 1000;
export const USUAL_PART_TOKENS = 2000;
export const USUAL_WHOLE_TOKENS = 4000;
