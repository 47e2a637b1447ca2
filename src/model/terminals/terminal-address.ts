/** The id of a terminal as a desktop, of its application and of its only window; never reused for another terminal. */
export function terminalAddress(terminalId: string): string {
  return `terminal:${terminalId}`;
}
