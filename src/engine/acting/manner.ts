import type { Mode } from '../../model/effects/mode.ts';
import type { ActManner } from '../../ports/desktop/acts.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';

/** How an act through accessibility is to be done in a mode. */
export function mannerOf(
  { capabilities }: Pick<DesktopPort, 'capabilities'>,
  mode: Mode | undefined,
): ActManner {
  if (mode === 'background') return 'background';
  return capabilities.input ? 'before-pointer' : 'alone';
}
