/** What the desktop that a terminal is goes by, its application and its one window: names this terminal, and none before or after. */
export function terminalAddress(terminalId: string): string {
  return `terminal:${terminalId}`;
}
