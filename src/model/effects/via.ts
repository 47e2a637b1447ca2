const BY_INPUT = /(?:^|; then )(?:pointer|keyboard):/;

/** `keyboard` or `pointer`, if that is how an act was done in the end. */
export function inputOf(via: string): 'keyboard' | 'pointer' | undefined {
  const last = via.split('; then ').at(-1) ?? '';
  if (last.startsWith('keyboard:')) return 'keyboard';
  return last.startsWith('pointer:') ? 'pointer' : undefined;
}

/** The `via` of an act that used a keyboard and a pointer of our own, if it used any. */
export function byOwnSeat(via: string): string {
  return usedInput(via) ? `${via} (own seat)` : via;
}

/** Whether an act, by the `via` of its receipt, used the keyboard or the pointer. */
export function usedInput(via: string): boolean {
  return BY_INPUT.test(via);
}
