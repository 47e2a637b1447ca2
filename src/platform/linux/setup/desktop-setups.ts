import { DeskterityError } from '../../../model/effects/errors.ts';
import type { DesktopSetup } from '../../../ports/desktop/desktop-setup.ts';
import { GnomeSetup } from './gnome/gnome-setup.ts';
import { KdeSetup } from './kde-setup.ts';

const SETUPS: Readonly<Record<string, () => DesktopSetup>> = {
  gnome: () => new GnomeSetup(),
  kde: () => new KdeSetup(),
};

/** @throws DeskterityError INVALID_ARGUMENT */
export function desktopSetup(name: string): DesktopSetup {
  const known = Object.hasOwn(SETUPS, name) ? SETUPS[name] : undefined;
  if (known !== undefined) return known();
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `Nothing is to be set up for ${JSON.stringify(name.slice(0, 40))}.`,
    {
      suggestion: `Desktops that need it: ${Object.keys(SETUPS).join(', ')}.`,
    },
  );
}
