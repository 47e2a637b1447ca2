import type { Bounds } from '../../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { ApplicationDirectory } from '../../../../atspi/bus/application-directory.ts';
import { readTopLevels } from '../../../../atspi/bus/top-levels.ts';
import { contentIn } from '../windows/content-box.ts';
import { drawnPart, type ExtensionWindow, type PlacedWindow } from './extension-window.ts';

/** An application that does not respond must not use up the time of the others. */
const SHARE = 0.5;
/** More are measured again. */
const MOST_KEPT = 500;

/**
 * Qt draws a title bar of its own under Mutter, and does not count it as a part of its window: how large it is follows from the size that the application
 * reports. Other toolkits count theirs.
 */
export class ClientTitleBars {
  readonly #applications: ApplicationDirectory;
  /** The content within the frame, by window and size. */
  readonly #known = new Map<string, Bounds>();

  constructor(applications: ApplicationDirectory) {
    this.#applications = applications;
  }

  async place(windows: readonly ExtensionWindow[], options: CallOptions): Promise<readonly PlacedWindow[]> {
    const unknown = windows.filter((window) => !window.isX11 && !this.#known.has(keyOf(window)));
    if (unknown.length > 0)
      await this.#measure(unknown, { ...options, deadlineMs: options.deadlineMs * SHARE });
    return windows.map((window) => ({ ...window, content: this.#contentOf(window) }));
  }

  #contentOf(window: ExtensionWindow): Bounds {
    const within = this.#known.get(keyOf(window));
    if (within === undefined) return drawnPart(window);
    return { ...within, x: window.frame.x + within.x, y: window.frame.y + within.y };
  }

  async #measure(windows: readonly ExtensionWindow[], options: CallOptions): Promise<void> {
    const known = await this.#applications.list(options);
    await Promise.all(
      known.map(async ({ application, responsive }) => {
        const own = windows.filter(({ pid }) => pid === application.pid);
        if (own.length === 0) return;
        if (application.traits.kind !== 'qt') {
          for (const window of own) this.#keep(window, within(window, drawnPart(window)));
          return;
        }
        const topLevels = responsive ? await readTopLevels(application, options) : undefined;
        for (const window of own)
          for (const { title, extents } of topLevels ?? []) {
            const box = extents && contentIn({ drawing: 'qt', bounds: extents }, window.frame);
            if (box !== undefined && title === window.title) this.#keep(window, within(window, box.bounds));
          }
      }),
    );
  }

  #keep(window: ExtensionWindow, content: Bounds): void {
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(keyOf(window), content);
  }
}

function within({ frame }: ExtensionWindow, content: Bounds): Bounds {
  return { ...content, x: content.x - frame.x, y: content.y - frame.y };
}

function keyOf({ id, frame, client }: ExtensionWindow): string {
  return [id, frame.width, frame.height, client.width, client.height].join(' ');
}
