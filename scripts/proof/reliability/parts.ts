import { TOOLKITS, type Toolkit } from './toolkits.ts';

const KILLS = 'kills';

/** The rows to run. */
export interface Parts {
  readonly kinds: readonly Toolkit[];
  readonly hasKills: boolean;
  /** Whether a row without its toolkit, such as "toggle", is to be run. */
  isChosen(row: string): boolean;
}

/** `only` names toolkits, `kills`, or words in the names of rows: "qt5,minimized" means the rows of Qt 5 about minimized windows. */
export function partsOf(only: readonly string[] = []): Parts {
  const kinds = TOOLKITS.filter((kind) => only.includes(kind));
  const hasKills = only.includes(KILLS);
  const words = only.filter((name) => name !== KILLS && TOOLKITS.every((kind) => kind !== name));
  const isAll = kinds.length === 0 && !hasKills;
  return {
    kinds: isAll ? TOOLKITS : kinds,
    hasKills: hasKills || (isAll && words.length === 0),
    isChosen: (row) => words.length === 0 || words.some((word) => row.includes(word)),
  };
}
