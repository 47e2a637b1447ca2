import type { Place } from '../../harness.ts';
import { swayWitness } from './sway-witness.ts';
import { x11Witness } from './x11-witness.ts';

/** What a display says of a window, without the program under test. Its place is that of what people see of it. */
export interface WindowFacts {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isMinimized: boolean;
  readonly isMaximized: boolean;
  readonly isActive: boolean;
}

/** A person at the display and what it shows, by programs that know nothing of ours. Windows are named as `list-windows` names them. */
export interface Witness {
  /** What ids of windows begin with. */
  readonly prefix: 'x11:' | 'sway:';
  /** Brings the newest window whose title contains this to the front, and gives it the keyboard. */
  activate(title: string): Promise<void>;
  /** Keys as xdotool names them, such as `ctrl+n`, one after the other. */
  press(...keys: readonly string[]): Promise<void>;
  /** Moves the pointer there and presses its first button. */
  clickAt(x: number, y: number): Promise<void>;
  /** Moves the pointer to where no window of the tests is. */
  parkPointer(): Promise<void>;
  /** @throws Error if there is no such window */
  facts(id: string): Promise<WindowFacts>;
  hasWindow(id: string): Promise<boolean>;
}

export function witnessOf(place: Place): Witness {
  return place.desktop.environment['SWAYSOCK'] === undefined ? x11Witness(place) : swayWitness(place);
}
