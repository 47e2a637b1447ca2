import type { CallOptions } from '../../../ports/call-options.ts';
import type { Application } from '../atspi/bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../atspi/tree/names.ts';

/** Deeper than any real interface; an endless tree must not block us. */
const MAX_PARENTS = 100;
/** Elements whose ancestors are remembered, of all applications. */
const MAX_REMEMBERED = 500;

/**
 * Finds what contains an element, up to its window. Every ancestor is asked for its parent each time, but those that were found the last time are
 * all asked at once, instead of one after the other.
 */
export class Ancestors {
  /** The way up from an element, beginning with itself, by bus name and path; used last at the end. */
  readonly #last = new Map<string, readonly string[]>();

  /**
   * The element and all that contains it, outermost last; `undefined` if that does not lead to the application's root.
   * @param isTop whether the way ends there, as at a popup
   */
  async of(
    application: Application,
    path: string,
    isTop: (path: string) => boolean,
    options: CallOptions,
  ): Promise<readonly string[] | undefined> {
    const { connection, templates } = await application.readingChannel(options);
    const parentOf = async (of: string): Promise<string | undefined> =>
      (await connection.invoke(templates.parent, of, options).catch(() => undefined))?.path;
    const key = `${application.bus} ${path}`;
    const asked = new Map((this.#last.get(key) ?? [path]).map((each) => [each, parentOf(each)]));
    const way: string[] = [];
    let current = path;
    while (way.length < MAX_PARENTS) {
      way.push(current);
      if (isTop(current)) return this.#found(key, way);
      const parent = await (asked.get(current) ?? parentOf(current));
      if (parent === undefined || parent === NULL_PATH) return undefined;
      if (parent === ROOT_PATH) return this.#found(key, way);
      current = parent;
    }
    return undefined;
  }

  #found(key: string, way: readonly string[]): readonly string[] {
    this.#last.delete(key);
    this.#last.set(key, way);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
    return way;
  }
}
