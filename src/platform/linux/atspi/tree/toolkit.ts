/**
 * Differences between the toolkits that implement AT-SPI, as data. Every row was measured on the versions in Debian 12;
 * the reasons are in docs/guides/toolkits.md.
 */
export const TOOLKIT_KINDS = [
  'gtk3',
  'gtk4',
  'qt',
  'gecko',
  'chromium',
  'libreoffice',
  'java',
  'own',
  'other',
] as const;
/** `own`: the windows that we export ourselves, such as the probe. */
export type ToolkitKind = (typeof TOOLKIT_KINDS)[number];

export interface ToolkitTraits {
  readonly kind: ToolkitKind;
  readonly title: string;
  /** Offers a private socket (GetApplicationBusAddress): faster, and an action on it cannot block our reading connection. */
  readonly peerToPeer: boolean;
  /** SHOWING and VISIBLE are correct, so hidden parts can be pruned by state. */
  readonly showingIsTruthful: boolean;
  /** What Cache.GetItems contains: everything, only objects visited before, or nothing useful. */
  readonly cache: 'complete' | 'walked' | 'none';
  /** Reading the cache costs less than reading what is on screen; false if most objects are off screen or items are expensive. */
  readonly cachePaysOnScreen: boolean;
  /** Computes names by the web's rules: the text of a label is already in the name, so relations need not be read. */
  readonly namesAreComputed: boolean;
  /** Elements of the native role `static` are runs of text and never have children. */
  readonly staticIsLeaf: boolean;
  /** Text beside other elements has no element of its own: it is part of the text of the element around both. */
  readonly textIsInParent: boolean;
  /** GetActions returns names; elsewhere Action.GetName is called for each index. */
  readonly actionListHasNames: boolean;
  /** Time from an accepted action to its handler: Qt animates the click, GTK 4 the activation. */
  readonly activationDelayMs: number;
  /** Replies before it hands the action to the process that draws the page. */
  readonly repliesBeforeActing: boolean;
  /** The first hit test returns a cached, possibly wrong element, a later one the right one: Chromium queries the page meanwhile. */
  readonly hitDelayMs: number;
  /** Of children that overlap, a hit test returns the first one, which is drawn below the others: nowhere, of those of a window, or of all. */
  readonly hitsLowest: 'never' | 'in-window' | 'always';
  /** Hit tests in pages follow the drawing. If one returns a container of an element and not the element, something without an element covers it. */
  readonly hitsWhatIsDrawn: boolean;
  /**
   * The client area lies over what the window draws around it (title bar buttons) and is returned there, although the window gives that the
   * pointer first: NonClientView of Chromium says so.
   */
  readonly hitsClientArea: boolean;
  /** Objects removed from a window keep responding as if they were there; only their chain of parents is broken. */
  readonly keepsRemoved: boolean;
  /** Rows, cells and tree nodes are new objects on every request; the old ones keep responding. */
  readonly recreatesItems: boolean;
  /** The cells of trees are new objects on every request; the old ones keep responding. */
  readonly recreatesTreeCells: boolean;
  /** What is typed into in place of an item may be in no list of children. */
  readonly editorsMayBeUnlisted: boolean;
  /** A label has a relation to what it labels, but not the other way round. */
  readonly labelsNameTargets: boolean;
  /** Does not support characters beyond U+FFFF: it corrupts text written with them and returns none for text containing them. */
  readonly onlyBasicPlane: boolean;
  /** Numbers of sliders and spin buttons can be read, but a number that is set has no effect. */
  readonly numbersAreReadOnly: boolean;
  /** A text of several lines that is set as a whole counts as a new document: unchanged, and with nothing to undo. */
  readonly textResets: boolean;
  /** The step buttons of a spin button are side by side and reach its middle. */
  readonly stepButtonsInMiddle: boolean;
  /** Rows that are scrolled behind the header of their table are reported as being there. */
  readonly rowsReachBehindHeaders: boolean;
  /** A group whose title has a check box is itself a check box, and has the elements of the group in it. */
  readonly groupsMayBeChecked: boolean;
  /** Some check boxes and radio buttons, those of menus in popovers, never report whether they are checked. */
  readonly checksMayBeSilent: boolean;
  /** A button is reported as pressed only while it is switched on, never because it is held down; its role is the same as of any other. */
  readonly pressedButtonsStay: boolean;
  /** Items of menus are enabled, where they are, only once their menu opens. */
  readonly menusAwaitOpening: boolean;
  /** A menu closes when one of its items is used through accessibility; Qt leaves it open. */
  readonly menusCloseWhenUsed: boolean;
  /** What has the focus in a page goes on reporting it while something outside the page has it. */
  readonly pagesKeepFocus: boolean;
  /** Items of tool bars stay highlighted, as if pointed at, and report the focus after an accessible press. */
  readonly keepsItemsHighlighted: boolean;
  /** Widgets without a name are named after their type (GtkEntry). */
  readonly namesAreTypeNames: boolean;
  /** A cell of a huge table is a new object on every request, and its name is its address. */
  readonly cellsAreTransient: boolean;
}

const ATK = {
  peerToPeer: true,
  showingIsTruthful: true,
  cache: 'complete',
  cachePaysOnScreen: false,
  namesAreComputed: false,
  staticIsLeaf: false,
  textIsInParent: false,
  actionListHasNames: true,
  activationDelayMs: 0,
  repliesBeforeActing: false,
  hitDelayMs: 0,
  hitsLowest: 'never',
  hitsWhatIsDrawn: false,
  hitsClientArea: false,
  keepsRemoved: false,
  recreatesItems: false,
  recreatesTreeCells: false,
  editorsMayBeUnlisted: false,
  labelsNameTargets: false,
  onlyBasicPlane: false,
  numbersAreReadOnly: false,
  textResets: false,
  stepButtonsInMiddle: false,
  rowsReachBehindHeaders: false,
  menusAwaitOpening: false,
  menusCloseWhenUsed: false,
  pressedButtonsStay: false,
  groupsMayBeChecked: false,
  checksMayBeSilent: false,
  pagesKeepFocus: false,
  keepsItemsHighlighted: false,
  namesAreTypeNames: false,
  cellsAreTransient: false,
} as const;

const PLAIN = { ...ATK, peerToPeer: false, cache: 'none', actionListHasNames: false } as const;

const BROWSER = {
  ...ATK,
  namesAreComputed: true,
  staticIsLeaf: true,
  actionListHasNames: false,
  repliesBeforeActing: true,
} as const;

const TRAITS: Readonly<Record<ToolkitKind, ToolkitTraits>> = {
  gtk3: {
    ...ATK,
    kind: 'gtk3',
    title: 'GTK 3',
    cachePaysOnScreen: true,
    stepButtonsInMiddle: true,
    menusCloseWhenUsed: true,
    checksMayBeSilent: true,
    hitsLowest: 'always',
  },
  gtk4: {
    ...ATK,
    kind: 'gtk4',
    title: 'GTK 4',
    peerToPeer: false,
    showingIsTruthful: false,
    cache: 'walked',
    cachePaysOnScreen: true,
    activationDelayMs: 250,
    textResets: true,
    stepButtonsInMiddle: true,
    pressedButtonsStay: true,
    menusCloseWhenUsed: true,
    namesAreTypeNames: true,
  },
  qt: {
    ...ATK,
    kind: 'qt',
    groupsMayBeChecked: true,
    rowsReachBehindHeaders: true,
    title: 'Qt',
    peerToPeer: false,
    cache: 'none',
    activationDelayMs: 100,
    recreatesTreeCells: true,
    editorsMayBeUnlisted: true,
    hitsLowest: 'always',
  },
  gecko: { ...BROWSER, textIsInParent: true, kind: 'gecko', title: 'Firefox (Gecko)' },
  chromium: {
    ...BROWSER,
    kind: 'chromium',
    title: 'Chromium',
    hitDelayMs: 50,
    hitsWhatIsDrawn: true,
    hitsClientArea: true,
    pagesKeepFocus: true,
  },
  libreoffice: {
    ...ATK,
    kind: 'libreoffice',
    title: 'LibreOffice',
    menusAwaitOpening: true,
    actionListHasNames: false,
    hitsLowest: 'in-window',
    keepsItemsHighlighted: true,
    cellsAreTransient: true,
  },
  // No cache: a name with a character beyond U+FFFF in GetItems crashes the application, because its bridge sends bad UTF-8.
  java: {
    ...ATK,
    kind: 'java',
    title: 'Java (ATK wrapper)',
    cache: 'none',
    keepsRemoved: true,
    recreatesItems: true,
    labelsNameTargets: true,
    onlyBasicPlane: true,
    numbersAreReadOnly: true,
  },
  own: { ...PLAIN, kind: 'own', title: 'Deskterity' },
  other: { ...PLAIN, kind: 'other', title: 'unknown toolkit' },
};

/** The toolkit name of the windows that we export ourselves. */
export const OWN_TOOLKIT = 'deskterity';

/** The traits for an application's reported ToolkitName and accessible name. */
export function toolkitTraits(toolkitName: string, appName: string): ToolkitTraits {
  if (toolkitName === 'gtk') return appName.startsWith('soffice') ? TRAITS.libreoffice : TRAITS.gtk3;
  if (toolkitName === 'GTK') return TRAITS.gtk4;
  if (/^qt/i.test(toolkitName)) return TRAITS.qt;
  if (/gecko/i.test(toolkitName)) return TRAITS.gecko;
  if (/chromium|chrome/i.test(toolkitName)) return TRAITS.chromium;
  if (/java|j2se/i.test(toolkitName)) return TRAITS.java;
  if (toolkitName === OWN_TOOLKIT) return TRAITS.own;
  return TRAITS.other;
}
