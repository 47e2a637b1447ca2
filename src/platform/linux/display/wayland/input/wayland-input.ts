import { liveDeadline } from '../../../../../model/live-deadline.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { InputLease, InputPort, Point, StopState } from '../../../../../ports/input.ts';
import { unsupported } from '../../../failures.ts';
import { LeaseQueue } from '../../input/lease-queue.ts';
import type { HolderName } from '../../lease-errors.ts';
import { withinDeadline } from '../wire/wayland-errors.ts';
import type { InputDevices, OpenDevices } from './devices.ts';
import type { LeaseFile } from './lease-file.ts';
import { OpenLease } from './open-lease.ts';
import { WaylandInputLease } from './wayland-input-lease.ts';

/** One attempt serves all waiting callers, whatever their deadlines. */
const CONNECT_MS = 10_000;

/** Keyboard and pointer of a Wayland display. */
export class WaylandInput implements InputPort {
  readonly #open: OpenDevices;
  readonly #lock: LeaseFile;
  readonly #queue = new LeaseQueue<OpenLease>((...lease) => this.#begin(...lease));
  #opening: Promise<InputDevices> | undefined;
  #live: InputDevices | undefined;
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
    const devices = await this.#devicesWithin(options);
    await devices.findPointer?.(options);
    const { pointer } = devices;
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
    const options = liveDeadline(call, performance);
    const devices = await this.#devicesWithin(options);
    const lease = await this.#queue.take(holder, options);
    await devices.findPointer?.(options).catch(() => undefined);
    return new WaylandInputLease(lease.retain(), lease.devices);
  }

  release(holder?: string): Promise<readonly string[]> {
    return this.#queue.release(holder);
  }

  stop(state: StopState): Promise<void> {
    return this.#queue.stop(state);
  }

  resume(): void {
    this.#queue.resume();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.release();
    (await this.#opening?.catch(() => undefined))?.close();
  }

  #devicesWithin(options: CallOptions): Promise<InputDevices> {
    return withinDeadline(this.devices(), 'this desktop', 'preparing keyboard and pointer', options);
  }

  async #begin(
    holder: string,
    options: CallOptions,
    onEnd: (lease: OpenLease) => void,
  ): Promise<{ readonly lease: OpenLease } | { readonly other: HolderName }> {
    const devices = await this.#devicesWithin(options);
    const other = this.#lock.tryTake(holder);
    if (other) return { other };
    devices.releaseLeftOver();
    const lease = new OpenLease(devices, holder, (ended) => {
      this.#lock.release();
      onEnd(ended);
    });
    return { lease };
  }
}
