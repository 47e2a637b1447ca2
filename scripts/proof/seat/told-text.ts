/** Whether a text is an earlier one with something inserted at one place. */
export function isInserted(inserted: string, before: string, now: string): boolean {
  if (now.length !== before.length + inserted.length) return false;
  return Array.from({ length: before.length + 1 }, (_, at) => at).some(
    (at) => before.slice(0, at) + inserted + before.slice(at) === now,
  );
}

/** Whether a key that deletes what is selected has deleted at least half of `marked`: without a selection, it deletes one letter. */
export function isDeleted(marked: string, before: string, now: string): boolean {
  return before.length - now.length >= marked.length / 2;
}

/** Whether a view has moved the way that the wheel was turned. What begins with no number has not. */
export function hasScrolled(notches: number, before: string, now: string): boolean {
  return (Number.parseFloat(now) - Number.parseFloat(before)) * notches > 0;
}

/** Where what arrived first differs from what was typed, in words. */
export function firstDifference(typed: string, text: string): string {
  let at = 0;
  while (at < text.length && typed[at] === text[at]) at++;
  return `${JSON.stringify(typed.slice(Math.max(0, at - 3), at + 8))} became ${JSON.stringify(text.slice(Math.max(0, at - 3), at + 8))}`;
}
