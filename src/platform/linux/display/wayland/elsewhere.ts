import { startingVariable } from '../../process/facts.ts';

/** Whether a program was started on another Wayland display. */
export function isOnOtherDisplay(pid: number, display: string): boolean {
  const theirs = startingVariable(pid, 'WAYLAND_DISPLAY');
  return theirs !== undefined && theirs !== '' && !theirs.endsWith(display);
}
