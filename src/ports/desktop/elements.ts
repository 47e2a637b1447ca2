import type { CellRange } from '../../model/tree/cell-range.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../call-options.ts';

export interface TreeRequest extends CallOptions {
  readonly root: NodeHandle;
  /** Also read elements that are not on screen: closed menus, scrolled-out rows, other tabs. */
  readonly wholeTree: boolean;
  /** Levels below the root to read; absent for all. */
  readonly maxDepth?: number | undefined;
  /** Stop after this many elements and mark the result incomplete. */
  readonly maxNodes: number;
  /** Also read action names of every element. */
  readonly includeActions: boolean;
  /** How many scrolled-out lines of a text screen to read; ignored elsewhere. */
  readonly scrolledOut?: number | undefined;
  /** Use what is known from earlier readings, kept up to date by events. Any other reading asks everything anew, and what it finds is known from then on. */
  readonly mirrored?: boolean | undefined;
  /** With `mirrored`: places may be those of the last reading, too, although nothing reports that an element was moved. */
  readonly knownPlaces?: boolean | undefined;
  /** Of sheets, whose cells are named A1, B2 and so on, read these cells, wherever they are and even if empty, instead of those on screen. */
  readonly cells?: CellRange | undefined;
  /** Of elements that are not on screen, read places only where something else depends on them. */
  readonly shownPlacesOnly?: boolean | undefined;
  /** Also read the application's identifiers of elements. */
  readonly includeIdentifiers?: boolean | undefined;
}

export interface TreeResult {
  readonly root: TreeNode;
  readonly complete: boolean;
  /** One sentence for each reason why `complete` is false. */
  readonly incompleteReasons: readonly string[];
  readonly nodeCount: number;
  /** Messages sent to the application to read it. */
  readonly callCount: number;
}

/** Everything the platform reports about one element; used by `get`, `is` and evidence. */
export interface NodeDetails extends Omit<TreeNode, 'children'> {
  /** Full text content if the element has text. */
  readonly text?: string | undefined;
  /** Of a protected field: how many characters it shows, each of them masked. Never part of an answer. */
  readonly maskedLength?: number | undefined;
  readonly range?:
    | { readonly minimum: number; readonly maximum: number; readonly step: number; readonly current: number }
    | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly relations: readonly { readonly type: string; readonly targets: readonly NodeHandle[] }[];
  /** The platform interfaces the element implements, such as `Action`, `Text`. */
  readonly interfaces: readonly string[];
  readonly parent?: NodeHandle | undefined;
  readonly indexInParent?: number | undefined;
  /** Its handle is a position, not an object: it always names the same cell of the sheet. */
  readonly isNamedByPlace?: boolean;
  /** It may report the focus while something outside its page has it. */
  readonly keepsFocus?: boolean | undefined;
  /** A click in its middle does more than focus it. */
  readonly stepsWhenClicked?: boolean | undefined;
  /** A check box that is drawn around other elements: it is switched at its title, not in its middle. */
  readonly isCheckableGroup?: boolean | undefined;
  /** As a cell it may be reported at a point where the header of its table is drawn over it. */
  readonly mayBeBehindHeader?: boolean | undefined;
  /** It may be of a kind that never reports whether it is checked. */
  readonly mayBeSilent?: boolean | undefined;
  /** An item of a menu that closes whenever one of its items is used. */
  readonly closesWhenUsed?: boolean | undefined;
  /** Its toolkit creates a new object for it on each request. */
  readonly remade?: boolean | undefined;
  /** Enter presses it, wherever in its window the focus is. */
  readonly isDefault?: boolean | undefined;
  /** Only if asked for: the keys that press it, as its toolkit writes them. */
  readonly keyBindings?: readonly string[] | undefined;
}

export interface DescribeOptions extends CallOptions {
  /** Also find out which keys press it. */
  readonly includeKeys?: boolean | undefined;
}

/** What a click at one point of the screen would reach. */
export interface PointOptions extends CallOptions {
  /** The application to query for its element there. */
  readonly app?: string | undefined;
  /** Also find out whether an open menu of that window's application takes the next click. */
  readonly menus?: boolean;
  /** The same for the open list of a combo box. */
  readonly lists?: boolean;
}

export interface PointContent {
  /** The id of the window there; absent for popups, and if no listed window is there. */
  readonly windowId?: string | undefined;
  /** The process whose window or popup is there. */
  readonly pid?: number | undefined;
  /** The processes that really have a window there, as the kernel tells the display, also of windows that are not listed. */
  readonly clientPids?: readonly number[] | undefined;
  /** A menu, list or tooltip that was placed without the window manager. */
  readonly isPopup: boolean;
  /** A popup that the display knows as a tooltip. */
  readonly isTooltip?: boolean;
  /** Only if asked for: a menu or list that this application has open elsewhere takes the next click. */
  readonly isBehindMenu?: boolean;
  /** In pages, {@link lineage} follows the drawing. If it ends at a container of an element, something without an element covers that element. */
  readonly isWhatIsDrawn?: boolean;
  /** The element there according to its application, innermost first, with its ancestors; empty if unknown. */
  readonly lineage: readonly NodeHandle[];
}
