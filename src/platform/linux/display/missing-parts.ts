import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { DesktopCapabilities } from '../../../ports/desktop.ts';
import type { DisplayClipboard, DisplayControls, DisplayWindows } from './display.ts';

const MEANT = {
  windows: 'windows be worked',
  capture: 'pictures be taken',
  clipboard: 'the clipboard be used',
  input: 'keys be pressed or the pointer be moved',
} as const satisfies Partial<Record<keyof DesktopCapabilities, string>>;

/** What is said of a part that the display server of this desktop does not have. */
export function lacks(part: keyof typeof MEANT): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', `This display server does not let ${MEANT[part]}.`, {
    suggestion: `Act through accessibility, with ${mentionParameter('mode', 'background')}, or use a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    delivered: false,
  });
}

const refuse = (part: keyof typeof MEANT) => async (): Promise<never> => {
  throw lacks(part);
};

/** Windows are then those that the accessibility bus knows. */
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
    seesUser: async () => false,
    take: refuse('input'),
    release: async () => [],
  },
  // Nothing is pressed that could be stopped.
  stopSwitch: {
    state: async () => ({ stopped: false }),
    stop: refuse('input'),
    resume: refuse('input'),
    onStop: () => () => undefined,
    hotKey: async () => undefined,
  },
  close: async () => undefined,
};
