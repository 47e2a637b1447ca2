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
  /** The cache costs less than asking for what is on screen; not where most of an application is off screen, or its items are dear. */
  readonly cachePaysOnScreen: boolean;
  /** Follows the web's rules for names: the text of a label is already in the name, so relations need not be asked. */
  readonly namesAreComputed: boolean;
  /** Elements of the native role `static` are runs of text and never have children. */
  readonly staticIsLeaf: boolean;
  /** GetActions answers names; elsewhere ask Action.GetName for each index. */
  readonly actionListHasNames: boolean;
  /** Time from an accepted action to its handler: Qt animates the click, GTK 4 the activation. */
  readonly activationDelayMs: number;
  /** What lies at a place is answered from memory first, and rightly after this time: Chromium asks the page behind our back. */
  readonly hitDelayMs: number;
  /** What was taken out of a window goes on answering as if it were there; only its way up to the application has an end. */
  readonly removedGoesOn: boolean;
  /** Rows, cells and nodes are other objects each time that somebody asks for them; the old ones go on answering. */
  readonly remakesItems: boolean;
  /** A label tells what it labels, and not the other way round. */
  readonly labelsTellTargets: boolean;
  /** Takes and gives no text with a character beyond U+FFFF: it spoils what it takes, and gives nothing at all. */
  readonly onlyBasicPlane: boolean;
  /** Sliders and spin buttons can be asked for their number, but a number set is passed on to nobody. */
  readonly numbersAreReadOnly: boolean;
  /** A spin button has the buttons that step beside each other, up to its middle. */
  readonly stepsInTheMiddle: boolean;
  /** Widgets without a name are named after their type (GtkEntry). */
  readonly typeNamesAsNames: boolean;
  /** A cell of a giant table is another object each time it is asked for, and its name is its address. */
  readonly cellsAreTransient: boolean;
}

const ATK = {
  peerToPeer: true,
  showingIsTruthful: true,
  cache: 'complete',
  cachePaysOnScreen: false,
  namesAreComputed: false,
  staticIsLeaf: false,
  actionListHasNames: true,
  activationDelayMs: 0,
  hitDelayMs: 0,
  removedGoesOn: false,
  remakesItems: false,
  labelsTellTargets: false,
  onlyBasicPlane: false,
  numbersAreReadOnly: false,
  stepsInTheMiddle: false,
  typeNamesAsNames: false,
  cellsAreTransient: false,
} as const;

const BROWSER = { ...ATK, namesAreComputed: true, staticIsLeaf: true, actionListHasNames: false } as const;

const TRAITS: Readonly<Record<ToolkitKind, ToolkitTraits>> = {
  gtk3: { ...ATK, kind: 'gtk3', title: 'GTK 3', cachePaysOnScreen: true, stepsInTheMiddle: true },
  gtk4: {
    ...ATK,
    kind: 'gtk4',
    title: 'GTK 4',
    peerToPeer: false,
    showingIsTruthful: false,
    cache: 'walked',
    cachePaysOnScreen: true,
    activationDelayMs: 250,
    stepsInTheMiddle: true,
    typeNamesAsNames: true,
  },
  qt: { ...ATK, kind: 'qt', title: 'Qt', peerToPeer: false, cache: 'none', activationDelayMs: 100 },
  gecko: { ...BROWSER, kind: 'gecko', title: 'Firefox (Gecko)' },
  chromium: { ...BROWSER, kind: 'chromium', title: 'Chromium', hitDelayMs: 50 },
  libreoffice: {
    ...ATK,
    kind: 'libreoffice',
    title: 'LibreOffice',
    actionListHasNames: false,
    cellsAreTransient: true,
  },
  // A name with a character beyond U+FFFF in the answer of GetItems ends the whole application: its bridge sends bad UTF-8.
  java: {
    ...ATK,
    kind: 'java',
    title: 'Java (ATK wrapper)',
    cache: 'none',
    removedGoesOn: true,
    remakesItems: true,
    labelsTellTargets: true,
    onlyBasicPlane: true,
    numbersAreReadOnly: true,
  },
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
