import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { REPLACE } from '../../properties.ts';
import type { X11Wire } from '../../wire.ts';
import type { DevicePair } from './device-bytes.ts';
import { DeviceRequests } from './device-requests.ts';
import { removeSeat } from './remove-seat.ts';
import { seatName, seatsAmong } from './seat-name.ts';

const ALL_DEVICES = 0;

/**
 * A keyboard and a pointer of our own beside the user's: a second pair of master devices. Core requests and XTEST events of its connection concern it,
 * and nothing that they do moves the user's pointer, focus or modifiers.
 */
export class OwnDevices implements DevicePair {
  readonly pointer: number;
  readonly keyboard: number;
  readonly requests: DeviceRequests;
  #isRemoved = false;
  #isLeaving = false;

  private constructor({ pointer, keyboard }: DevicePair, requests: DeviceRequests) {
    this.pointer = pointer;
    this.keyboard = keyboard;
    this.requests = requests;
  }

  /**
   * Makes them, and makes them those of this connection.
   * @param window of this connection, which tells other processes that the owner is there
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the server cannot
   */
  static async create(wire: X11Wire, window: number): Promise<OwnDevices> {
    const requests = await DeviceRequests.open(wire);
    const name = seatName(window);
    const text = wire.atom('UTF8_STRING');
    const owner = wire.atom('_DESKTERITY_SEAT');
    await wire.call('ChangeProperty', REPLACE, window, owner, text, 8, Buffer.from(name));
    await requests.addMaster(name);
    const pair = seatsAmong(await requests.masters()).find((seat) => seat.window === window);
    if (pair === undefined) throw notMade();
    const devices = new OwnDevices(pair, requests);
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
    if (!this.#isRemoved) this.#isRemoved = await removeSeat(this.requests, this);
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
