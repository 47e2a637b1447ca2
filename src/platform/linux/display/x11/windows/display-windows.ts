import { endIfLate } from '../../waiting.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../../ports/desktop/windows.ts';
import type { Point } from '../../../../../ports/input.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import { unsupported } from '../../../failures.ts';
import { startingVariable } from '../../../process/facts.ts';
import type {
  DisplayPlace,
  DisplayPointContent,
  DisplayPopup,
  DisplayWindow,
  DisplayWindowEvent,
  DisplayWindows,
} from '../../display.ts';
import type { ServerClock } from '../server-clock.ts';
import type { X11Wire } from '../wire.ts';
import { contentAt } from './point-content.ts';
import { windowIn, windowOf } from './window-id.ts';
import { listPopups, listWindows } from './window-list.ts';
import { controlWindow } from './window-requests.ts';
import { watchWindows } from './window-watch.ts';
import { readPlace, readUserTime } from './window.ts';

/** The windows of an X display. */
export class X11Windows implements DisplayWindows {
  readonly #wire: X11Wire;
  readonly #clock: ServerClock;

  constructor(wire: X11Wire, clock: ServerClock) {
    this.#wire = wire;
    this.#clock = clock;
  }

  list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    return this.#wire.within(listWindows(this.#wire), 'listing windows', options);
  }

  popups(options: CallOptions): Promise<readonly DisplayPopup[]> {
    return this.#wire.within(listPopups(this.#wire), 'listing popups', options);
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    const place = readPlace(this.#wire, windowOf(id));
    return this.#wire.within(place, 'reading the position of a window', options);
  }

  contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    return this.#wire.within(contentAt(this.#wire, point), 'finding the window at a point', options);
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    const window = windowIn(id);
    if (window === undefined) throw notOnDisplay();
    const control = controlWindow(this.#wire, window, request);
    return this.#wire.within(control, 'controlling a window', options);
  }

  async userTimeMs(id: string, options: CallOptions): Promise<number | undefined> {
    const reading = readUserTime(this.#wire, windowOf(id));
    const time = await this.#wire.within(reading, 'reading the user time of a window', options);
    return time === undefined ? undefined : this.#clock.milliseconds(time);
  }

  watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void> {
    return endIfLate(
      watchWindows(this.#wire, listener),
      (watching) => this.#wire.within(watching, 'watching windows', options),
      (stop) => stop(),
    );
  }

  isElsewhere(pid: number): boolean {
    const theirs = startingVariable(pid, 'DISPLAY');
    return (
      theirs !== undefined && theirs !== '' && displayNumber(theirs) !== displayNumber(this.#wire.display)
    );
  }
}

function displayNumber(display: string): string | undefined {
  return /:(\d+)(?:\.\d+)?$/.exec(display)?.[1];
}

/** Chromium draws bubbles and dialogs inside its window: only the tree has windows for them. */
function notOnDisplay(): DeskterityError {
  return unsupported(
    'The display has no such window: its application draws it inside another window, so it cannot be focused, moved or closed by itself.',
    `Act on its elements, or press keys without naming a window: they go to what ${mentionCommand('focused')} shows.`,
  );
}
