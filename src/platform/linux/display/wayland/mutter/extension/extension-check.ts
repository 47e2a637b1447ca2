import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import { byPerson } from '../../../../../../model/text/mention.ts';
import { quoteClipped } from '../../../../../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import { BusError, Variant, type BusConnection, type BusValue } from '../../../../dbus/index.ts';
import type { Checks } from '../../../display.ts';
import { setUpGnome } from '../setup-mention.ts';
import { SHELL_NAME } from '../shell-facts.ts';
import { EXTENSION_ID, extensionFolder, METADATA_FILE } from './extension-place.ts';

type Check = Checks[number];

const NAME = 'extension';
const LONGEST_ERROR = 200;
/** States of an extension, as GNOME Shell numbers them. */
const STATE = { active: 1, inactive: 2, failed: 3, outOfDate: 4 } as const;

/** Whether our optional extension serves us, and if not, why. */
export async function extensionCheck(
  { bus, environment, isOpen }: { bus: BusConnection; environment: Environment; isOpen: boolean },
  options: CallOptions,
): Promise<Check> {
  if (isOpen)
    return {
      name: NAME,
      ok: true,
      detail: 'Our extension in GNOME Shell lists and arranges windows and takes pictures of them.',
    };
  const folder = extensionFolder(environment);
  if (folder === undefined || !existsSync(path.join(folder, METADATA_FILE)))
    return missing(
      'Our optional extension in GNOME Shell is not installed: windows cannot be raised, moved or resized.',
      `${setUpGnome()}; it says what that allows.`,
    );
  const info = await infoOf(bus, options);
  const again = byPerson('Run "desk setup gnome" again, then log out and in again');
  switch (info.get('state')) {
    case STATE.active:
      return missing('Our extension in GNOME Shell runs, but does not admit us.', `${again}.`);
    case STATE.inactive:
      return missing(
        'Our extension in GNOME Shell is turned off, or the screen is locked.',
        `${byPerson('Unlock the screen, or turn it on in the Extensions application')}.`,
      );
    case STATE.failed: {
      const error = info.get('error');
      const said = typeof error === 'string' ? `: ${quoteClipped(error, LONGEST_ERROR)}` : '';
      return missing(`Our extension failed in GNOME Shell${said}.`, `${again}.`);
    }
    case STATE.outOfDate:
      return missing('Our extension was made for another version of GNOME Shell.', `${again}.`);
    default:
      return missing(
        'Our extension is installed, and GNOME Shell has not read it yet.',
        `${byPerson('Log out and in again')}.`,
      );
  }
}

function missing(detail: string, fix: string): Check {
  return { name: NAME, ok: false, optional: true, detail, fix };
}

/** Empty where the shell does not know it. */
async function infoOf(bus: BusConnection, options: CallOptions): Promise<ReadonlyMap<unknown, unknown>> {
  const call = {
    destination: SHELL_NAME,
    path: '/org/gnome/Shell',
    interface: 'org.gnome.Shell.Extensions',
    member: 'GetExtensionInfo',
    signature: 's',
    args: [EXTENSION_ID],
  };
  const [info]: readonly BusValue[] = await bus.call(call, options).catch((error: unknown) => {
    if (error instanceof BusError && !error.errorName.startsWith('local.')) return [];
    throw error;
  });
  if (!(info instanceof Map)) return new Map();
  return new Map(
    [...info].map(([key, value]) => [key, value instanceof Variant ? value.value : value] as const),
  );
}
