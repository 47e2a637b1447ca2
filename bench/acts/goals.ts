/** The goals of `bench act`, as data: what is printed as met or not met is judged by these alone. */

/** Milliseconds within which a press is confirmed, p50. GTK 4 animates each press for 250 ms itself. */
export const PRESS_GOAL_MS: Readonly<Record<string, number>> = {
  gtk3: 60,
  gtk4: 300,
  qt5: 150,
  qt6: 150,
  libreoffice: 60,
  firefox: 60,
  chromium: 60,
};

/** For values that accessibility sets. Those that need the keyboard are reported without a goal. */
export const SET_VALUE_GOAL_MS = 60;

/** A cell of Calc is a number or a word; both are set by name. */
export const CELL_GOAL_MS = 300;

/** The time of a press as a share of cua-driver's on the same window. */
export const PRESS_BESIDE_PEER = 0.4;
export const NOT_BESIDE_PEER: readonly string[] = ['gtk4'];

/** KCalc: 7 × 6, four keys and one reading. */
export const SUM_GOAL_MS = 1000;
export const SUM_BESIDE_PEER = 0.3;
