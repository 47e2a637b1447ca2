import { addSeen, findSeen } from '../../../model/refs/ref-document.ts';
import type { SessionStore } from '../../../ports/session-store.ts';
import type { ElementDescription } from '../../tree/identity.ts';

const DOCUMENT = 'locators';

/** The elements that a session's locators last matched, so that a changed element can be recognised by its position. */
export class LocatorMemory {
  private readonly store: SessionStore;
  private readonly desktopId: string;

  constructor(store: SessionStore, desktopId: string) {
    this.store = store;
    this.desktopId = desktopId;
  }

  async recall(locator: string): Promise<ElementDescription | undefined> {
    return findSeen(await this.store.load(DOCUMENT), this.desktopId, locator);
  }

  /** Writes only changes: most calls find the same element as before. */
  async remember(locator: string, element: ElementDescription): Promise<void> {
    if (JSON.stringify(await this.recall(locator)) === JSON.stringify(element)) return;
    await this.store.update(DOCUMENT, (data) => addSeen(data, this.desktopId, { locator, element }));
  }
}
