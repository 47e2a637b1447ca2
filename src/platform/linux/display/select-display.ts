import type { Environment } from '../machine/desktop-environment.ts';
import type { DisplayKind } from './display.ts';
import { X11 } from './x11/x11-display.ts';

/** Each kind of display server that Linux has for us; the first that an environment names is used. */
const KINDS: readonly [DisplayKind, ...DisplayKind[]] = [X11];

/** Where the environment names none, the first says what is missing. */
export function selectDisplay(environment: Environment, kinds: typeof KINDS = KINDS): DisplayKind {
  return kinds.find((kind) => kind.isNamedBy(environment)) ?? kinds[0];
}
