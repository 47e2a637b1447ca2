import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { CaptureTarget } from '../../../../ports/desktop/capture.ts';
import { noMonitor, outside } from './capture-errors.ts';
import { layoutOf, noScreen, onScreens, type Output } from './outputs.ts';

/**
 * What of the screens a picture is to show.
 * @throws DeskterityError INVALID_ARGUMENT if the region is outside of them, or there is no such monitor; NOT_ACTIONABLE if there is no screen
 */
export function requestedArea(
  target: Exclude<CaptureTarget, { readonly kind: 'window' }>,
  outputs: readonly Pick<Output, 'bounds'>[],
): Bounds {
  if (outputs.length === 0) throw noScreen();
  if (target.kind === 'region') {
    const visible = onScreens(target.bounds, outputs);
    if (visible === undefined) throw outside(layoutOf(outputs));
    return visible;
  }
  if (target.monitor === undefined) return layoutOf(outputs);
  const output = outputs[target.monitor];
  if (output === undefined) throw noMonitor(target.monitor, outputs.length);
  return output.bounds;
}
