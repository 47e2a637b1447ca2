import { setTimeout as sleep } from 'node:timers/promises';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { InputLease, InputPort, Point, StopState } from '../../../../../ports/input.ts';
import { cancelled, unsupported } from '../../../failures.ts';
import { isRefused, releasedElsewhere, stopped, taken, type HolderName } from '../../lease-errors.ts';
import { withinDeadline } from '../wire/wayland-errors.ts';
import type { InputDevices, OpenDevices } from './devices.ts';
import type { LeaseFile } from './lease-file.ts';
import { OpenLease } from './open-lease.ts';
import { WaylandInputLease } from './wayland-input-lease.ts';

const RETRY_MS = 20;
/** One attempt serves all waiting callers, whatever their deadlines. */
const CONNECT_MS = 10_000;

/** Keyboard and pointer of a Wayland display. */
export class WaylandInput implements InputPort {
  readonly #open: OpenDevices;
  readonly #lock: LeaseFile;
  /** Waiting callers, served in order. */
  readonly #waiting: object[] = [];
  #opening: Promise<InputDevices> | undefined;
  #live: InputDevices | undefined;
  #lease: OpenLease | undefined;
  #stopped: StopState | undefined;
  #isClosed = false;

  constructor(open: OpenDevices, lock: LeaseFile) {
    this.#open = open;
    this.#lock = lock;
  }

  /** The devices, which are opened on first use and again after a loss. @throws DeskterityError */
  async devices(): Promise<InputDevices> {
    const current = this.#opening;
    const known = current && (await current.catch(() => undefined));
    // Callers that waited for the same ones open new ones only once.
    if (this.#opening === current && (known === undefined || known.isLost))
      this.#opening = this.#open({ deadlineMs: CONNECT_MS });
    const devices = await (this.#opening ?? this.#open({ deadlineMs: CONNECT_MS }));
    this.#live = devices;
    if (this.#isClosed) devices.close();
    return devices;
  }

  /** Where we last put the pointer. */
  get lastPointer(): Point | undefined {
    return this.#live?.isLost === false ? this.#live.pointer : undefined;
  }

  async pointer(options: CallOptions): Promise<Point> {
    const { pointer } = await this.#devicesWithin(options);
    if (pointer !== undefined) return pointer;
    throw unsupported(
      'Wayland does not tell where the pointer is before Deskterity has moved it.',
      `Move it to a place first: ${mentionCommand('mouse move', { x: 640, y: 360 })}.`,
    );
  }

  /** Wayland shows clients only input that is meant for them. */
  async reportsUserInput(): Promise<boolean> {
    return false;
  }

  async take(holder: string, call: CallOptions): Promise<InputLease> {
    const end = performance.now() + call.deadlineMs;
    const options = liveDeadline(call, performance);
    const devices = await this.#devicesWithin(options);
    const ticket = {};
    this.#waiting.push(ticket);
    try {
      for (;;) {
        const outcome = this.#tryTake(ticket, holder, devices);
        if (outcome instanceof OpenLease) return new WaylandInputLease(outcome.retain(), devices);
        if (performance.now() + RETRY_MS > end) throw taken(outcome);
        await sleep(RETRY_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
          throw cancelled('Cancelled while waiting for keyboard and pointer.', {
            delivered: false,
            cause: error,
          });
        });
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(ticket), 1);
    }
  }

  async release(holder?: string): Promise<readonly string[]> {
    const lease = this.#lease;
    if (lease === undefined || (holder !== undefined && holder !== lease.holder)) return [];
    return lease.end(releasedElsewhere());
  }

  /** Ends the current lease immediately and refuses new ones until {@link resume}, except that of a person who has taken over. */
  async stop(state: StopState): Promise<void> {
    this.#stopped = state;
    if (this.#lease !== undefined && isRefused(this.#lease.holder, state))
      await this.#lease.end(stopped(state));
  }

  resume(): void {
    this.#stopped = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.release();
    (await this.#opening?.catch(() => undefined))?.close();
  }

  #devicesWithin(options: CallOptions): Promise<InputDevices> {
    return withinDeadline(this.devices(), 'this desktop', 'preparing keyboard and pointer', options);
  }

  #tryTake(ticket: object, holder: string, devices: InputDevices): OpenLease | HolderName {
    if (this.#stopped && isRefused(holder, this.#stopped)) throw stopped(this.#stopped);
    const current = this.#lease;
    if (current) return current.holder === holder && !current.isOver ? current : { holder: current.holder };
    if (this.#waiting[0] !== ticket) return {};
    const other = this.#lock.tryTake(holder);
    if (other) return other;
    devices.releaseLeftOver();
    const lease = new OpenLease(devices, holder, (ended) => {
      this.#lock.release();
      if (this.#lease === ended) this.#lease = undefined;
    });
    this.#lease = lease;
    return lease;
  }
}
