import { lstat, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import { byPerson } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { BusError, Variant } from '../../../dbus/index.ts';
import { waitAtMost } from '../../waiting.ts';
import { readPng, type Picture } from '../../png-picture.ts';
import { asDeskterityError } from '../wire/wayland-errors.ts';
import { PortalRequests, type PortalAnswer } from './portal-requests.ts';

const SCREENSHOT = 'org.freedesktop.portal.Screenshot';
const MOST_BYTES = 512 * 1024 * 1024;

/** Pictures of the whole screen by the desktop portal, which may ask the person first. One at a time. */
export class ScreenshotPortal {
  readonly #environment: Environment;
  /** What to do where there is no such portal. */
  readonly #absent: () => DeskterityError;
  #connecting: Promise<PortalRequests> | undefined;
  /** Ends when the request before has been answered: two dialogs at once would confuse. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(environment: Environment, absent: () => DeskterityError) {
    this.#environment = environment;
    this.#absent = absent;
  }

  /** @throws DeskterityError PERM_DENIED if the person has denied it or not answered yet, ACTION_NOT_SUPPORTED, ACTION_FAILED */
  take(options: CallOptions): Promise<Picture> {
    let isLate = false;
    const taken = this.#last.then(() => {
      // Its caller has left.
      if (isLate || options.signal?.aborted === true) throw unanswered();
      return this.#take(options);
    });
    // A picture that comes too late shows another moment than the one that is asked for next: it is dropped, and so is its file.
    this.#last = taken.catch(() => undefined);
    return waitAtMost(taken, options, {
      doing: 'waiting for the portal',
      late: () => {
        isLate = true;
        return unanswered();
      },
      asError: asDeskterityError,
    });
  }

  close(): void {
    void this.#connecting?.then((requests) => requests.close()).catch(() => undefined);
    this.#connecting = undefined;
  }

  async #take(options: CallOptions): Promise<Picture> {
    const asked = {
      of: SCREENSHOT,
      member: 'Screenshot',
      facts: new Map([['interactive', new Variant('b', false)]]),
    };
    const ask = async (): Promise<PortalAnswer> => (await this.#requests(options)).ask(asked, options);
    let answer: PortalAnswer;
    try {
      answer = await ask().catch((error: unknown) => {
        // It has ended since the last picture, and another one may have begun.
        if (!isRefusal(error)) throw error;
        this.close();
        return ask();
      });
    } catch (error) {
      if (isRefusal(error)) throw this.#absent();
      throw error;
    }
    if (answer.outcome === 'denied') throw denied();
    const uri = answer.results.get('uri');
    const picture = answer.outcome === 'granted' ? await pictureAt(uri) : undefined;
    if (picture === undefined) throw failed();
    return picture;
  }

  #requests(options: CallOptions): Promise<PortalRequests> {
    const connect = async (): Promise<PortalRequests> => {
      const known = await this.#connecting?.catch(() => undefined);
      if (known?.isClosed === false) return known;
      return PortalRequests.connect(this.#environment, SCREENSHOT, options);
    };
    this.#connecting = connect();
    return this.#connecting;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof BusError && !error.errorName.startsWith('local.');
}

/** Reads the file that the portal has made for us, and removes it: it lies among the pictures of the user. */
async function pictureAt(uri: unknown): Promise<Picture | undefined> {
  const value = uri instanceof Variant ? uri.value : uri;
  if (typeof value !== 'string' || !value.startsWith('file:///')) return undefined;
  const file = fileURLToPath(value);
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true || !file.endsWith('.png')) return undefined;
  try {
    return found.size > MOST_BYTES ? undefined : await readPng(await readFile(file));
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function unanswered(): DeskterityError {
  return new DeskterityError(
    'PERM_DENIED',
    'The desktop portal has not taken the screenshot: a dialog may be asking whether applications may.',
    {
      suggestion: `${byPerson('Answer the dialog on the screen')}, then repeat the command; it asks only once.`,
      delivered: false,
      retryable: true,
    },
  );
}

function denied(): DeskterityError {
  return new DeskterityError('PERM_DENIED', 'Screenshots through the desktop portal were denied.', {
    suggestion: `${byPerson('Allow them in the privacy settings of the desktop')}, then repeat the command.`,
    delivered: false,
  });
}

function failed(): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    'The desktop portal took no screenshot: it was not allowed earlier, or it failed.',
    {
      suggestion: `${byPerson('Allow screenshots in the privacy settings of the desktop, or look at the log of xdg-desktop-portal')}.`,
      retryable: true,
    },
  );
}
