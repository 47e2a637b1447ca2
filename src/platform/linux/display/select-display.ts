import type { Environment } from '../../../model/sessions/caller.ts';
import type { DisplayKind } from './display.ts';
import { X11 } from './x11/x11-display.ts';

/** The supported kinds of display servers; the first that an environment names is used. */
const KINDS: readonly [DisplayKind, ...DisplayKind[]] = [X11];

/** If the environment names none, the first kind reports what is missing. */
export function selectDisplay(environment: Environment, kinds: typeof KINDS = KINDS): DisplayKind {
  return kinds.find((kind) => kind.isNamedBy(environment)) ?? kinds[0];
}
