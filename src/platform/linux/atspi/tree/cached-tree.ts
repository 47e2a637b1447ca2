import type { CacheItem } from './cache-items.ts';

/** The objects of a bulk read of an application, by path. */
export class CachedTree {
  private readonly byPath = new Map<string, CacheItem>();
  private readonly byParent = new Map<string, CacheItem[]>();
  private readonly isComplete: boolean;

  /** `isComplete`: the toolkit's cache contains every child it counts. */
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
   * An object's children in order, if the cache certainly contains them all: as many as the object counts, at indexes 0, 1,
   * 2 … GTK 4 keeps hidden children in its cache and omits new ones, so there only a child count of 0 is trusted.
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
