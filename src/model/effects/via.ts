const BY_INPUT = /(?:^|; then )(?:pointer|keyboard):/;

/** `keyboard` or `pointer`, if that is how an act was done in the end. */
export function inputOf(via: string): 'keyboard' | 'pointer' | undefined {
  const last = via.split('; then ').at(-1) ?? '';
  if (last.startsWith('keyboard:')) return 'keyboard';
  return last.startsWith('pointer:') ? 'pointer' : undefined;
}

/** Whether an act, by the `via` of its receipt, used the keyboard or the pointer. */
export function usedInput(via: string): boolean {
  return BY_INPUT.test(via);
}
