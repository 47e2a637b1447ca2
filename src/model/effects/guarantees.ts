import type { Backend } from './mode.ts';

/** By what a command reaches an application or the desktop. `display`: its windows, its clipboard, its processes. */
export type Means = Backend | 'display';

/** What is promised of one command by one means: what it may disturb, and on what evidence it says `confirmed`. */
export interface Guarantee {
  /** What of the user's it takes or moves. */
  readonly disturbs: 'nothing' | 'focus' | 'pointer' | 'focus and pointer' | 'clipboard' | 'windows';
  readonly confirmedBy: string;
  /** Where a toolkit makes the promise impossible. */
  readonly except?: string;
}

/** `refused`: the command says ACTION_NOT_SUPPORTED with a reason and sends nothing. */
export type Promised = Guarantee | { readonly refused: string };

/** What is promised of one command that acts, by each means. */
export type Guarantees = Readonly<Record<Means, Promised>>;

export const STATE_READ_AGAIN = 'a fresh read of the element, and an event of the application';
export const CHANGE_SEEN =
  'a change in the window that the application told of, or a window that came or went';
const TEXT_READ_BACK = 'the text read back, and an event of the application';

/** Of a command that acts on elements: a means that is not named is refused. */
export function onElements(means: Partial<Record<Backend, Promised>>): Guarantees {
  return {
    accessibility: { refused: 'accessibility knows no such act' },
    keyboard: { refused: 'no key does it' },
    pointer: { refused: 'a pointer cannot do it' },
    display: { refused: 'it is done with elements' },
    ...means,
  };
}

export function byPointer(confirmedBy: string): Guarantees {
  return onElements({ pointer: { disturbs: 'focus and pointer', confirmedBy } });
}

export function byKeys(confirmedBy: string): Guarantees {
  return onElements({ keyboard: { disturbs: 'focus', confirmedBy } });
}

export function byAnyMeans(confirmedBy: string): Guarantees {
  return onElements({
    accessibility: { disturbs: 'nothing', confirmedBy },
    keyboard: { disturbs: 'focus', confirmedBy },
    pointer: { disturbs: 'focus and pointer', confirmedBy },
  });
}

/** Of a command that writes a text. */
export function byText(keyboardExcept?: string): Guarantees {
  return onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: TEXT_READ_BACK,
      except: 'Firefox answers yes and does nothing: then the keyboard is taken',
    },
    keyboard: {
      disturbs: 'focus',
      confirmedBy: TEXT_READ_BACK,
      ...(keyboardExcept === undefined ? {} : { except: keyboardExcept }),
    },
  });
}

/** Of a command that asks the display, or starts and ends processes. */
export function byDisplay(disturbs: 'clipboard' | 'windows', confirmedBy: string): Guarantees {
  const refused = 'it is asked of the display';
  return {
    accessibility: { refused },
    keyboard: { refused },
    pointer: { refused },
    display: { disturbs, confirmedBy },
  };
}
