/** Layouts that GNOME puts into one keymap, besides that of the locale, which comes last. */
const LAYOUTS_IN_A_KEYMAP = 3;
const SOURCE = /\('((?:[^'\\]|\\.)*)', '((?:[^'\\]|\\.)*)'\)/g;
/** More than anybody has. */
const MOST_SOURCES = 100;

/** An input source of GNOME's settings. */
export interface InputSource {
  /** `xkb`, or `ibus` for an input method, which has a layout of its own. */
  readonly kind: string;
  /** Such as `de+neo`. */
  readonly id: string;
}

/** The sources in what `gsettings` prints, such as `[('xkb', 'us'), ('xkb', 'de')]`. */
export function inputSourcesIn(printed: string): readonly InputSource[] {
  return [...printed.matchAll(SOURCE)].slice(0, MOST_SOURCES).map(([, kind = '', id = '']) => ({ kind, id }));
}

/**
 * Which layout of the keymap is active. `undefined` if the settings do not tell for certain.
 * @param latest the sources, the one used last first
 * @param count of layouts in the keymap
 */
export function activeLayout(
  sources: readonly InputSource[],
  latest: readonly InputSource[],
  count: number,
): number | undefined {
  if (count <= 1 || sources.length <= 1) return 0;
  if (sources.some(({ kind }) => kind !== 'xkb')) return undefined;
  const current = latest.find(({ id }) => sources.some((source) => source.id === id));
  const at = current === undefined ? 0 : sources.findIndex(({ id }) => id === current.id);
  const layout = at % LAYOUTS_IN_A_KEYMAP;
  return layout < count ? layout : undefined;
}
