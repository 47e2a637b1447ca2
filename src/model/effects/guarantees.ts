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

type Row = Readonly<Record<Means, Promised>>;

const NO_KEYS = { refused: 'no key does it' } as const;
const NO_POINTER = { refused: 'a pointer cannot do it' } as const;
const NO_ACCESSIBILITY = { refused: 'accessibility knows no such act' } as const;
const NOT_OF_THE_DISPLAY = { refused: 'it is done with elements' } as const;
const ONLY_THE_DISPLAY = { refused: 'it is asked of the display' } as const;

const FRESH_AND_TOLD = 'a fresh read of the element, and an event of the application';
const EFFECT_AND_TOLD = 'a change in the window that the application told of, or a window that came or went';
const TEXT_READ_BACK = 'the text read back, and an event of the application';
const RAISED = 'GTK 3 and Chromium raise and activate the window with it; GTK 4 refuses';

const WINDOW: Row = {
  accessibility: ONLY_THE_DISPLAY,
  keyboard: ONLY_THE_DISPLAY,
  pointer: ONLY_THE_DISPLAY,
  display: {
    disturbs: 'windows',
    confirmedBy: 'fresh reads of the display that agree for the time of quiet',
  },
};
const CLIPBOARD: Row = {
  ...WINDOW,
  display: { disturbs: 'clipboard', confirmedBy: 'the clipboard read back as another program would' },
};
const PROCESS: Row = {
  ...WINDOW,
  display: { disturbs: 'windows', confirmedBy: 'its process and its windows' },
};
const POINTER_ONLY = (confirmedBy: string): Row => ({
  accessibility: NO_ACCESSIBILITY,
  keyboard: NO_KEYS,
  pointer: { disturbs: 'focus and pointer', confirmedBy },
  display: NOT_OF_THE_DISPLAY,
});
const KEYS_ONLY = (confirmedBy: string): Row => ({
  accessibility: NO_ACCESSIBILITY,
  keyboard: { disturbs: 'focus', confirmedBy },
  pointer: NO_POINTER,
  display: NOT_OF_THE_DISPLAY,
});
const BY_ALL = (confirmedBy: string): Row => ({
  accessibility: { disturbs: 'nothing', confirmedBy },
  keyboard: { disturbs: 'focus', confirmedBy },
  pointer: { disturbs: 'focus and pointer', confirmedBy },
  display: NOT_OF_THE_DISPLAY,
});
const BY_TEXT: Row = {
  accessibility: {
    disturbs: 'nothing',
    confirmedBy: TEXT_READ_BACK,
    except: 'Firefox answers yes and does nothing: then the keyboard is taken',
  },
  keyboard: { disturbs: 'focus', confirmedBy: TEXT_READ_BACK },
  pointer: NO_POINTER,
  display: NOT_OF_THE_DISPLAY,
};

/**
 * What is promised, command by command and means by means. A command that acts and has no row here does not compile
 * (`src/commands/acting.generated.ts`); nor does a row without all means.
 */
export const GUARANTEES = {
  clear: BY_TEXT,
  click: BY_ALL(EFFECT_AND_TOLD),
  'clipboard clear': CLIPBOARD,
  'clipboard set': CLIPBOARD,
  'close-app': PROCESS,
  'close-window': WINDOW,
  collapse: BY_ALL(FRESH_AND_TOLD),
  'double-click': POINTER_ONLY(EFFECT_AND_TOLD),
  drag: POINTER_ONLY(EFFECT_AND_TOLD),
  expand: BY_ALL(FRESH_AND_TOLD),
  focus: {
    accessibility: { disturbs: 'focus', confirmedBy: FRESH_AND_TOLD, except: RAISED },
    keyboard: NO_KEYS,
    pointer: { disturbs: 'focus and pointer', confirmedBy: FRESH_AND_TOLD },
    display: NOT_OF_THE_DISPLAY,
  },
  'focus-window': WINDOW,
  hover: POINTER_ONLY('the display says where the pointer is, and the application what lies there'),
  'key-down': KEYS_ONLY(EFFECT_AND_TOLD),
  'key-up': KEYS_ONLY(EFFECT_AND_TOLD),
  launch: PROCESS,
  maximize: WINDOW,
  menu: {
    accessibility: { disturbs: 'nothing', confirmedBy: EFFECT_AND_TOLD },
    keyboard: { refused: 'press the keys of the menu instead' },
    pointer: { refused: 'click its menus one after the other instead' },
    display: NOT_OF_THE_DISPLAY,
  },
  minimize: WINDOW,
  'mouse click': POINTER_ONLY(EFFECT_AND_TOLD),
  'mouse down': POINTER_ONLY(EFFECT_AND_TOLD),
  'mouse move': POINTER_ONLY('the display says where the pointer is'),
  'mouse up': POINTER_ONLY(EFFECT_AND_TOLD),
  'mouse wheel': POINTER_ONLY('elements that moved alike, or a change that the application told of'),
  'move-window': WINDOW,
  press: KEYS_ONLY(EFFECT_AND_TOLD),
  'resize-window': WINDOW,
  restore: WINDOW,
  'right-click': POINTER_ONLY(EFFECT_AND_TOLD),
  scroll: {
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: 'the element in view, and others that moved with it',
      except: 'only --to an element, and only in Firefox and Chromium',
    },
    keyboard: NO_KEYS,
    pointer: {
      disturbs: 'pointer',
      confirmedBy: 'elements that moved alike, or a change that the application told of',
    },
    display: NOT_OF_THE_DISPLAY,
  },
  select: {
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: FRESH_AND_TOLD,
      except: 'combo boxes of Qt and drop-downs of GTK 4 do not obey: then the pointer is taken',
    },
    keyboard: NO_KEYS,
    pointer: { disturbs: 'focus and pointer', confirmedBy: FRESH_AND_TOLD },
    display: NOT_OF_THE_DISPLAY,
  },
  'set-value': {
    ...BY_TEXT,
    keyboard: {
      disturbs: 'focus',
      confirmedBy: TEXT_READ_BACK,
      except: 'fields and spin buttons only, no sliders',
    },
  },
  toggle: BY_ALL(FRESH_AND_TOLD),
  type: BY_TEXT,
} as const satisfies Record<string, Row>;

export type ActingCommand = keyof typeof GUARANTEES;
