import type { PathFacts } from '../../ports/policy/policy-file.ts';

export type FollowPath = (path: string) => PathFacts;

/** How long it is believed that paths lead where they led before. */
const LASTS_MS = 1000;
/** The part of a pattern up to the last folder that it names without `*`. */
const NAMED_FOLDER = /^(\/[^*]*)\/[^/]*\*/;

/** Where the paths of one source lead: the kernel names programs by the file behind a link, and terminals belong to the folder behind it. */
export class FollowedPaths {
  private readonly follow: FollowPath;
  private readonly followed = new Map<string, PathFacts>();
  private checkedAtMs = performance.now();

  constructor(follow: FollowPath) {
    this.follow = follow;
  }

  /** A path or pattern as it is written, and what else names the same. */
  namesOf(written: string): readonly string[] {
    const folder = NAMED_FOLDER.exec(written)?.[1];
    const named = folder ?? written;
    const { real } = this.factsOf(named);
    return real === undefined ? [written] : [written, `${real}${written.slice(named.length)}`];
  }

  /**
   * Also the file name of a script: the program that it starts is not known, and is mostly called as the script is. A rule that allows does not
   * guess.
   */
  namesToForbid(written: string): readonly string[] {
    const names = this.namesOf(written);
    if (written.includes('*') || this.factsOf(written).isScript !== true) return names;
    return [...names, ...names.map((name) => name.slice(name.lastIndexOf('/') + 1))];
  }

  /** Whether the paths still lead to the same places. */
  isCurrent(): boolean {
    const now = performance.now();
    if (now - this.checkedAtMs < LASTS_MS) return true;
    for (const [path, before] of this.followed) {
      const { real, isScript } = this.follow(path);
      if (real !== before.real || isScript !== before.isScript) return false;
    }
    this.checkedAtMs = now;
    return true;
  }

  private factsOf(path: string): PathFacts {
    if (!path.startsWith('/') || path.includes('*')) return {};
    const known = this.followed.get(path) ?? this.follow(path);
    this.followed.set(path, known);
    return known;
  }
}
