import type { CacheItem } from './cache-items.ts';

/** What a bulk read told of an application, found by path. */
export class CachedTree {
  private readonly byPath = new Map<string, CacheItem>();
  private readonly byParent = new Map<string, CacheItem[]>();
  private readonly isComplete: boolean;

  /** `isComplete`: the toolkit promises that its cache holds each child it counts. */
  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  add(items: readonly CacheItem[]): void {
    for (const item of items) {
      this.byPath.set(item.path, item);
      const siblings = this.byParent.get(item.parentPath);
      if (siblings) siblings.push(item);
      else this.byParent.set(item.parentPath, [item]);
    }
  }

  get(path: string): CacheItem | undefined {
    return this.byPath.get(path);
  }

  /**
   * The children the cache has for an object, when it surely has them all, in order: as many as the object counts, at places 0, 1, 2 …
   * GTK 4 leaves hidden children in its cache and new ones out, so there only childlessness is believed.
   */
  childrenOf(item: CacheItem): readonly CacheItem[] | undefined {
    if (item.childCount === 0) return [];
    if (item.childCount < 0 || !this.isComplete) return undefined;
    const known = this.byParent.get(item.path) ?? [];
    if (known.length !== item.childCount) return undefined;
    known.sort((a, b) => a.index - b.index);
    return known.some((child, place) => child.index !== place) ? undefined : known;
  }
}
