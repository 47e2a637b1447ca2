import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { DesktopCapabilities } from '../../../ports/desktop/desktop.ts';
import { unsupported } from '../failures.ts';
import type { DisplayClipboard, DisplayControls, DisplayWindows } from './display.ts';

const PURPOSES = {
  windows: 'controlling windows',
  capture: 'taking screenshots',
  clipboard: 'using the clipboard',
  input: 'pressing keys or moving the pointer',
} as const satisfies Partial<Record<keyof DesktopCapabilities, string>>;

/** The error for a part that the display server of this desktop does not have. */
export function unsupportedPart(part: keyof typeof PURPOSES): DeskterityError {
  return unsupported(
    `This display server does not support ${PURPOSES[part]}.`,
    `Act through accessibility, with ${mentionParameter('mode', 'background')}, or use a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
  );
}

/** The error for trying capabilities on a display that cannot show our probe window. */
export function noProbeWindow(): DeskterityError {
  return unsupported(
    'Nothing was tried: Deskterity has no window of its own on this kind of display yet.',
    `Try a command itself, such as ${mentionCommand('list-windows')}.`,
  );
}

const refuse = (part: keyof typeof PURPOSES) => async (): Promise<never> => {
  throw unsupportedPart(part);
};

/** Then only the windows on the accessibility bus are known. */
export const NO_WINDOWS: DisplayWindows = {
  list: async () => [],
  popups: async () => [],
  place: async () => undefined,
  contentAt: async () => ({}),
  control: refuse('windows'),
  userTimeMs: async () => undefined,
  watch: async () => () => undefined,
  isElsewhere: () => false,
};

export const NO_CLIPBOARD: DisplayClipboard = {
  isOwned: false,
  ownerPid: async () => undefined,
  formats: refuse('clipboard'),
  read: refuse('clipboard'),
  write: refuse('clipboard'),
  clear: refuse('clipboard'),
  watch: refuse('clipboard'),
  close: async () => undefined,
};

export const NO_CONTROLS: DisplayControls = {
  input: {
    pointer: refuse('input'),
    reportsUserInput: async () => false,
    take: refuse('input'),
    release: async () => [],
  },
  // There is no input to stop.
  stopSwitch: {
    state: async () => ({ stopped: false }),
    stop: refuse('input'),
    resume: refuse('input'),
    takeOver: refuse('input'),
    handBack: async () => ({ stopped: false }),
    onChange: () => () => undefined,
    onStop: () => () => undefined,
    hotKey: async () => undefined,
  },
  close: async () => undefined,
};
