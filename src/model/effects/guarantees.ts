import type { Backend } from './mode.ts';

/** How a command reaches an application or the desktop. `display`: its windows, clipboard and processes. */
export type Strategy = Backend | 'display';

/** The guarantee for one command by one strategy: what it may disturb, and the evidence for `confirmed`. */
export interface Guarantee {
  /** What it takes from the user or moves. */
  readonly disturbs: 'nothing' | 'focus' | 'pointer' | 'focus and pointer' | 'clipboard' | 'windows';
  readonly confirmedBy: string;
  /** Where a toolkit makes the guarantee impossible. */
  readonly except?: string;
}

/** `refused`: the command fails with ACTION_NOT_SUPPORTED and a reason, and sends nothing. */
export type Promised = Guarantee | { readonly refused: string };

/** The guarantees for one acting command, by each strategy. */
export type Guarantees = Readonly<Record<Strategy, Promised>>;

export const STATE_READ_AGAIN = 'a fresh read of the element, and an event of the application';
export const STATE_OR_OPENED =
  'a fresh read of the element, and an event of the application; or a window, or a page in place of the list, that the click opened, which the receipt then says';
export const CHANGE_SEEN =
  'a change in the window that the application also reported, a window that opened or closed, or, where the tree shows nothing, a change of its picture that stays';
/** Of the right button, too: some toolkits leave the context menus of text fields out of their tree. */
export const CHANGE_OR_POPUP_SEEN = `${CHANGE_SEEN}, or a popup of the application that opened where the right button was clicked`;
/** GTK 2 leaves all menus out of its tree. */
export const CHANGE_OR_MENU_SEEN = `${CHANGE_SEEN}, or a popup of the application that opened under an item of a menu bar`;
const TEXT_READ_BACK =
  'reading the text back, and an application event, which cells of a spreadsheet do not send';

/** For a command that acts on elements: strategies that are not given are refused. */
export function onElements(strategies: Partial<Record<Backend, Promised>>): Guarantees {
  return {
    accessibility: { refused: 'accessibility has no such action' },
    keyboard: { refused: 'no key does this' },
    pointer: { refused: 'the pointer cannot do this' },
    display: { refused: 'the command uses one of these strategies' },
    ...strategies,
  };
}

export function byPointer(confirmedBy: string): Guarantees {
  return onElements({ pointer: { disturbs: 'focus and pointer', confirmedBy } });
}

export function byKeys(confirmedBy: string): Guarantees {
  return onElements({ keyboard: { disturbs: 'focus', confirmedBy } });
}

export function byAnyStrategy(confirmedBy: string): Guarantees {
  return onElements({
    accessibility: { disturbs: 'nothing', confirmedBy },
    keyboard: { disturbs: 'focus', confirmedBy },
    pointer: { disturbs: 'focus and pointer', confirmedBy },
  });
}

/** For a command that writes text. */
export function byText(keyboardExcept?: string): Guarantees {
  return onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: TEXT_READ_BACK,
      except: 'in browsers, where the page is not told: the keyboard is used instead',
    },
    keyboard: {
      disturbs: 'focus',
      confirmedBy: TEXT_READ_BACK,
      ...(keyboardExcept === undefined ? {} : { except: keyboardExcept }),
    },
  });
}

/** For a command that uses the display, or starts and ends processes. */
export function byDisplay(disturbs: 'clipboard' | 'windows', confirmedBy: string): Guarantees {
  const refused = 'the command uses none of these strategies';
  return {
    accessibility: { refused },
    keyboard: { refused },
    pointer: { refused },
    display: { disturbs, confirmedBy },
  };
}
