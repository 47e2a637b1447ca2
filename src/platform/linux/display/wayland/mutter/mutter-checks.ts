import { existsSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import { mentionCommand, mentionParameter } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { unsupported } from '../../../failures.ts';
import type { Checks } from '../../display.ts';
import { noPipeWire, RemoteDesktop } from './remote-desktop.ts';
import { setUpGnome } from './setup-mention.ts';

type Check = Checks[number];

/** Each part of GNOME that we use, and what to do where it is missing. */
export function windowCheck(compositor: string, found: 'extension' | 'tree' | undefined): Check {
  const name = 'window-manager';
  if (found === 'extension') return { name, ok: true, detail: `${compositor}, asked through our extension.` };
  if (found === 'tree')
    return {
      name,
      ok: true,
      detail: `${compositor}, whose accessibility tree tells where windows are. It brings none to the front for other programs.`,
    };
  return {
    name,
    ok: false,
    detail: `${compositor} does not tell where windows are: its accessibility tree cannot be read.`,
    fix: `Run ${mentionCommand('permissions', { request: true })} (the setting persists), then log in again. Acting through accessibility works without.`,
  };
}

/** Which way keys and pointer go, found as it is when they are needed; GNOME shows nothing of a session that is not started. */
export async function inputCheck(
  environment: Environment,
  display: string,
  options: CallOptions,
): Promise<Check> {
  const name = 'input';
  try {
    const session = await RemoteDesktop.create(environment, display, options);
    const hasEis = await session.hasEis(options).finally(() => session.close());
    const way = hasEis ? 'by the EI protocol' : 'by single calls, as it has no EI protocol';
    if (!hasEis && !existsSync(pipeWireSocket(environment))) throw noPipeWire();
    return { name, ok: true, detail: `Mutter takes keys and the pointer from us ${way}; GNOME shows that.` };
  } catch (error) {
    const { message, suggestion } =
      error instanceof DeskterityError
        ? error
        : { message: 'Mutter takes no keys and no pointer from us.', suggestion: undefined };
    return { name, ok: false, detail: message, ...(suggestion === undefined ? {} : { fix: suggestion }) };
  }
}

function pipeWireSocket(environment: Environment): string {
  const folder = environment['PIPEWIRE_RUNTIME_DIR'] || environment['XDG_RUNTIME_DIR'] || '';
  return path.join(folder, environment['PIPEWIRE_REMOTE'] || 'pipewire-0');
}

export function screenshotCheck(through: 'extension' | 'portal' | undefined): Check {
  const name = 'screenshots';
  if (through === 'extension')
    return { name, ok: true, detail: 'Our extension in GNOME Shell takes screenshots.' };
  if (through === 'portal')
    return {
      name,
      ok: true,
      detail:
        'The desktop portal takes screenshots of the screen, and GNOME asks you once whether it may. Pictures of single windows need our extension.',
    };
  const { message, suggestion } = noScreenshots();
  return { name, ok: false, detail: message, fix: suggestion };
}

export function noScreenshots(): DeskterityError {
  return unsupported(
    'GNOME takes no screenshots for other programs without our extension or the desktop portal.',
    `${setUpGnome()}; or read the window with ${mentionCommand('snapshot')}.`,
  );
}

export function noDirectScreenshots(): DeskterityError {
  return unsupported(
    'GNOME takes screenshots for other programs only through the desktop portal, or our extension.',
    `${setUpGnome()}; or let the portal be used: ${mentionParameter('consent', 'auto')}.`,
  );
}

export function noWindowPictures(): DeskterityError {
  return unsupported(
    'GNOME takes no pictures of single windows for other programs without our extension.',
    `${setUpGnome()}; or take a picture of the screen: ${mentionCommand('screenshot')}.`,
  );
}
