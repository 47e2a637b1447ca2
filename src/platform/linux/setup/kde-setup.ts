import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';
import { byPerson, mentionCommand } from '../../../model/text/mention.ts';
import { reveal } from '../../../model/text/untrusted-text.ts';
import type { DesktopSetup, SetupRequest, SetupResult } from '../../../ports/desktop/desktop-setup.ts';
import { unsupported } from '../failures.ts';
import { foreign, noHome, removed, textOf, written } from './own-files.ts';

const FILE = 'io.deskterity.Deskterity.desktop';
/** By which we know the file as ours. */
const MARK = 'X-Deskterity-Setup=kde';
/** KWin compares the whole line with the path of the program that asks, so nothing in it may need quotes. */
const PLAIN_PATH = /^\/[\w./+@-]+$/;

/**
 * KWin admits a program to keyboard, pointer and screenshots if a desktop file names its executable. Ours is Node, so it admits whatever Node runs: the person
 * is told so.
 */
export class KdeSetup implements DesktopSetup {
  readonly #node: string;

  constructor(node: string = process.execPath) {
    this.#node = node;
  }

  async run({ environment, isUndo, isTrial }: SetupRequest): Promise<SetupResult> {
    // As the kernel names it.
    const node = await realpath(this.#node);
    const file = path.join(applicationsFolder(environment), FILE);
    const found = await textOf(file);
    if (found !== undefined && !found.split('\n').includes(MARK)) throw foreign(file);
    const wanted = isUndo ? undefined : desktopFile(node);
    const hasChanged = found !== wanted;
    if (hasChanged && !isTrial) await (wanted === undefined ? removed(file) : written(file, wanted));
    return {
      file,
      hasChanged,
      content: wanted,
      also: [],
      allows: isUndo
        ? `KWin no longer admits ${reveal(node)}.`
        : `Every program that ${reveal(node)} runs, not only Deskterity, can then press keys, move the pointer and take screenshots in your KDE Plasma session without being asked.`,
      next: isUndo
        ? 'KWin notices within some seconds; a Deskterity that is connected keeps its keyboard until it ends.'
        : `KWin notices within some seconds. Then run ${mentionCommand('permissions')} to see whether it does.`,
    };
  }
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED */
export function desktopFile(node: string): string {
  if (!PLAIN_PATH.test(node))
    throw unsupported(
      `KWin cannot admit ${reveal(node)}: its path has characters that a desktop file cannot name.`,
      `${byPerson('Install Node under a path of letters, digits, dots and dashes')}.`,
    );
  return `[Desktop Entry]
Type=Application
Name=Deskterity
Comment=Lets KWin admit Deskterity to keyboard, pointer and screenshots
Exec=${node}
NoDisplay=true
X-KDE-Wayland-Interfaces=org_kde_kwin_fake_input
X-KDE-DBUS-Restricted-Interfaces=org.kde.KWin.ScreenShot2
${MARK}
`;
}

function applicationsFolder(environment: Environment): string {
  const data = environment['XDG_DATA_HOME'];
  if (data !== undefined && path.isAbsolute(data)) return path.join(data, 'applications');
  const home = environment['HOME'];
  if (home !== undefined && path.isAbsolute(home)) return path.join(home, '.local/share/applications');
  throw noHome('desktop files');
}
