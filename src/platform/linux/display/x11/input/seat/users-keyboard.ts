import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { USERS, type DeviceRequests } from './device-requests.ts';

/** However long anything takes, the keyboard is not frozen for longer. */
export const FROZEN_MS = 600;
const RETRY_MS = 10;

/** Lets the keyboard go on; later calls do nothing. */
export type Thaw = () => Promise<void>;

/**
 * The user's keyboard, frozen for as long as anybody here needs it: what they type is kept by the server, and goes where their focus is afterwards.
 * The freeze ends with our connection, so the end of this process cannot leave the keyboard frozen.
 */
export class UsersKeyboard {
  readonly #requests: Pick<DeviceRequests, 'freeze' | 'thaw'>;
  #needed = 0;
  #isFrozen = false;
  #limit: NodeJS.Timeout | undefined;

  constructor(requests: Pick<DeviceRequests, 'freeze' | 'thaw'>) {
    this.#requests = requests;
  }

  /**
   * Another program may have the keyboard for a while: an open menu, a window manager that switches windows.
   * @param signal once aborted, nobody waits for that any more
   * @throws DeskterityError CONFLICT
   */
  async freeze(signal: AbortSignal): Promise<Thaw> {
    let isNeeded = true;
    this.#needed += 1;
    const thaw = async (): Promise<void> => {
      if (!isNeeded) return;
      isNeeded = false;
      this.#needed -= 1;
      if (this.#needed === 0) await this.#thaw();
    };
    try {
      while (!this.#isFrozen) {
        if (signal.aborted) throw keyboardTaken();
        if (await this.#requests.freeze(USERS.keyboard)) this.#begin();
        else await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
      return thaw;
    } catch (error) {
      await thaw();
      throw error;
    }
  }

  #begin(): void {
    clearTimeout(this.#limit);
    this.#isFrozen = true;
    this.#limit = setTimeout(() => void this.#thaw(), FROZEN_MS);
  }

  async #thaw(): Promise<void> {
    clearTimeout(this.#limit);
    this.#isFrozen = false;
    await this.#requests.thaw(USERS.keyboard).catch(() => undefined);
  }
}

function keyboardTaken(): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    "Another program has taken the user's keyboard, as an open menu does, so their focus could not be kept.",
    { suggestion: 'Repeat the command when the menu is closed.', retryable: true, delivered: false },
  );
}
