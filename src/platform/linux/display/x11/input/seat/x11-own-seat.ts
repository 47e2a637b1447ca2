import { liveDeadline } from '../../../../../../model/live-deadline.ts';
import { mentionParameter } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { OwnSeat } from '../../../display.ts';
import type { ServerClock } from '../../server-clock.ts';
import { windowIdOf, windowOf } from '../../windows/window-id.ts';
import { inputLineage } from '../../windows/window-list.ts';
import { windowNotFound } from '../../x11-errors.ts';
import { VIEWABLE } from '../../x11-library.ts';
import type { InputConnections, OwnSeatParts } from '../input-connection.ts';
import { X11Input } from '../x11-input.ts';

/** A keyboard and a pointer of our own on an X display. They are made when they are first needed. */
export class X11OwnSeat implements OwnSeat {
  readonly input: X11Input;
  readonly #connections: InputConnections;

  constructor(connections: InputConnections, clock: ServerClock) {
    this.#connections = connections;
    this.input = new X11Input(connections, clock);
  }

  async receivers(options: CallOptions): Promise<ReadonlySet<string>> {
    // Before it is used, it has no focus, and asking is no reason to make it.
    const { live } = this.#connections;
    if (live === undefined) return new Set();
    const lineage = await live.wire.within(
      inputLineage(live.wire),
      'reading the focus of our keyboard',
      options,
    );
    return new Set(lineage.map((window) => windowIdOf(window)));
  }

  focus(id: string, call: CallOptions): Promise<{ readonly via: string }> {
    return this.#call('directing our keyboard to a window', call, async ({ keeper }, wire, signal) => {
      const window = windowOf(id);
      const attributes = await wire.tryCall('GetWindowAttributes', window);
      if (attributes === undefined) throw windowNotFound(window);
      if (attributes.mapState !== VIEWABLE) throw notShown();
      await keeper.focus(window, signal);
      return { via: 'x11:XISetFocus' };
    });
  }

  keepingFocus<T>(work: () => Promise<T>, call: CallOptions): Promise<T> {
    return this.#call('keeping the focus of the user', call, ({ keeper }, _wire, signal) =>
      keeper.keepFromAll(work, signal),
    );
  }

  /** Ends the lease, and removes the devices. */
  async close(): Promise<void> {
    await this.input.release();
    await this.#connections.close();
  }

  async #call<T>(
    doing: string,
    call: CallOptions,
    work: (seat: OwnSeatParts, wire: OwnSeatParts['shared']['wire'], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    const { seat, wire } = await this.#connections.get(options);
    if (seat === undefined) throw new Error('the connection has no seat of its own');
    const late = AbortSignal.timeout(Math.max(1, Math.round(options.deadlineMs)));
    const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
    return wire.within(work(seat, wire, signal), doing, options);
  }
}

function notShown(): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    'The window is minimized or on another workspace, and showing it would disturb the user.',
    {
      suggestion: `Show it with the user's own seat: ${mentionParameter('seat', 'shared')}.`,
      delivered: false,
    },
  );
}
