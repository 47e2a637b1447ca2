/**
 * What differs between the toolkits that speak AT-SPI, as data. Every row was measured on the versions in Debian 12;
 * the reasons are in docs/guides/toolkits.md.
 */
export type ToolkitKind = 'gtk3' | 'gtk4' | 'qt' | 'gecko' | 'chromium' | 'libreoffice' | 'java' | 'other';

export interface ToolkitTraits {
  readonly kind: ToolkitKind;
  readonly title: string;
  /** Offers a private socket (GetApplicationBusAddress): faster, and an action on it cannot wedge our reading connection. */
  readonly peerToPeer: boolean;
  /** SHOWING and VISIBLE tell the truth, so hidden parts can be pruned by state. */
  readonly showingIsTruthful: boolean;
  /** What Cache.GetItems holds: everything, only what was walked before, or nothing of use. */
  readonly cache: 'complete' | 'walked' | 'none';
  /** GetActions answers names; elsewhere ask Action.GetName for each index. */
  readonly actionListHasNames: boolean;
  /** Time from an accepted action to its handler: Qt animates the click, GTK 4 the activation. */
  readonly activationDelayMs: number;
  /** Widgets without a name are named after their type (GtkEntry). */
  readonly typeNamesAsNames: boolean;
}

const ATK = {
  peerToPeer: true,
  showingIsTruthful: true,
  cache: 'complete',
  actionListHasNames: true,
  activationDelayMs: 0,
  typeNamesAsNames: false,
} as const;

const TRAITS: Readonly<Record<ToolkitKind, ToolkitTraits>> = {
  gtk3: { ...ATK, kind: 'gtk3', title: 'GTK 3' },
  gtk4: {
    ...ATK,
    kind: 'gtk4',
    title: 'GTK 4',
    peerToPeer: false,
    showingIsTruthful: false,
    cache: 'walked',
    activationDelayMs: 250,
    typeNamesAsNames: true,
  },
  qt: { ...ATK, kind: 'qt', title: 'Qt', peerToPeer: false, cache: 'none', activationDelayMs: 100 },
  gecko: { ...ATK, kind: 'gecko', title: 'Firefox (Gecko)', actionListHasNames: false },
  chromium: { ...ATK, kind: 'chromium', title: 'Chromium', actionListHasNames: false },
  libreoffice: { ...ATK, kind: 'libreoffice', title: 'LibreOffice', actionListHasNames: false },
  java: { ...ATK, kind: 'java', title: 'Java (ATK wrapper)' },
  other: {
    ...ATK,
    kind: 'other',
    title: 'unknown toolkit',
    peerToPeer: false,
    cache: 'none',
    actionListHasNames: false,
  },
};

/** The traits for what an application says of itself (Application.ToolkitName and its accessible name). */
export function toolkitTraits(toolkitName: string, appName: string): ToolkitTraits {
  if (toolkitName === 'gtk') return appName.startsWith('soffice') ? TRAITS.libreoffice : TRAITS.gtk3;
  if (toolkitName === 'GTK') return TRAITS.gtk4;
  if (/^qt/i.test(toolkitName)) return TRAITS.qt;
  if (/gecko/i.test(toolkitName)) return TRAITS.gecko;
  if (/chromium|chrome/i.test(toolkitName)) return TRAITS.chromium;
  if (/java|j2se/i.test(toolkitName)) return TRAITS.java;
  return TRAITS.other;
}
