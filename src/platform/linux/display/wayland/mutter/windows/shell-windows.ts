import type { FocusedWindow } from '../../input/devices.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { Point } from '../../../../../../ports/input.ts';
import type { DisplayWindows } from '../../../display.ts';

/** The windows of GNOME Shell, whichever way they are found. */
export interface ShellWindows extends DisplayWindows {
  /** The window that has the keyboard focus. */
  focused(options: CallOptions): Promise<FocusedWindow | undefined>;
  /**
   * What a press at a point would reach, in words that change when it does.
   * @throws DeskterityError NOT_ACTIONABLE where a denied application could be
   */
  ownerAt(point: Point, options: CallOptions): Promise<string>;
}
