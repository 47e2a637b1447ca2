import type { Released } from '../../ports/input.ts';

/** The windows that were there, or about to open, when keys or a button were released: what is released into one did not open it. */
export interface ReleasedWindows {
  readonly openBefore: ReadonlySet<string>;
  readonly onReleased: (then: Pick<Released, 'windows'>) => void;
}

export function noteReleasedWindows(): ReleasedWindows {
  const openBefore = new Set<string>();
  return {
    openBefore,
    onReleased: ({ windows }) => {
      for (const id of windows) openBefore.add(id);
    },
  };
}
