import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { X11Wire } from '../../wire.ts';
import type { DevicePair } from './device-bytes.ts';
import { DeviceRequests } from './device-requests.ts';
import { removeSeat } from './remove-seat.ts';
import { mayBeRemoved } from './park-seat.ts';
import { claim } from './seat-claim.ts';
import { seatName, seatsAmong, type FoundSeat } from './seat-name.ts';

const ALL_DEVICES = 0;

/**
 * A keyboard and a pointer of our own beside the user's: a second pair of master devices. Core requests and XTEST events of its connection concern it,
 * and nothing that they do moves the user's pointer, focus or modifiers.
 */
export class OwnDevices implements DevicePair {
  readonly pointer: number;
  readonly keyboard: number;
  readonly requests: DeviceRequests;
  readonly #wire: X11Wire;
  #isRemoved = false;
  #isLeaving = false;

  private constructor({ pointer, keyboard }: DevicePair, requests: DeviceRequests, wire: X11Wire) {
    this.pointer = pointer;
    this.keyboard = keyboard;
    this.requests = requests;
    this.#wire = wire;
  }

  /**
   * Makes them, or takes over what another process left, and makes them those of this connection.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the server cannot
   */
  static async create(wire: X11Wire): Promise<OwnDevices> {
    const requests = await DeviceRequests.open(wire);
    const pair = (await takeParked(wire, requests)) ?? (await addSeat(wire, requests));
    const devices = new OwnDevices(pair, requests, wire);
    try {
      await requests.setClientPointer(pair.pointer);
      await devices.#endWithSeat(wire);
    } catch (error) {
      await devices.remove();
      throw error;
    }
    return devices;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  async remove(): Promise<void> {
    this.#isLeaving = true;
    if (!this.#isRemoved) this.#isRemoved = await removeSeat(this.#wire, this.requests, this);
  }

  /** Whoever removes the devices ends the connection: what it sent afterwards would move the user's own. */
  async #endWithSeat(wire: X11Wire): Promise<void> {
    wire.onEvent(({ name }) => {
      if (name !== 'XIHierarchyChanged' || this.#isLeaving) return;
      this.#loseIfGone(wire).catch(() => undefined);
    });
    const xinput = await wire.extension('xinput');
    wire.send(() => {
      xinput?.XISelectEvents(wire.root, [{ deviceId: ALL_DEVICES, mask: ['HierarchyChanged'] }]);
    });
  }

  async #loseIfGone(wire: X11Wire): Promise<void> {
    const masters = await this.requests.masters();
    if (masters.some(({ deviceId }) => deviceId === this.pointer)) return;
    this.#isRemoved = true;
    wire.lose('the keyboard and pointer of our own were removed');
  }
}

/** A seat that its process could not remove, see {@link parkSeat}. */
async function takeParked(wire: X11Wire, requests: DeviceRequests): Promise<FoundSeat | undefined> {
  if (await mayBeRemoved(wire)) return undefined;
  for (const seat of seatsAmong(await requests.masters())) if (await claim(wire, seat)) return seat;
  return undefined;
}

async function addSeat(wire: X11Wire, requests: DeviceRequests): Promise<FoundSeat> {
  for (;;) {
    // The server gives the ids of a connection that ended to a later one.
    const name = seatName(wire.allocateId());
    const isTaken = seatsAmong(await requests.masters()).some((seat) => seat.name === name);
    if (isTaken || !(await claim(wire, { name }))) continue;
    await requests.addMaster(name);
    const made = seatsAmong(await requests.masters()).find((seat) => seat.name === name);
    if (made === undefined) throw notMade();
    return made;
  }
}

function notMade(): DeskterityError {
  return new DeskterityError(
    'INTERNAL',
    'The X server did not list the keyboard and pointer that it was asked for.',
    {
      suggestion: 'Repeat the command; if it fails again, report it.',
      retryable: true,
      delivered: false,
    },
  );
}
