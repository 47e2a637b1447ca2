import { isAbsolute, join, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { SandboxNeeds } from '../../model/tools/tool-file-sandbox.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import type { RunSandbox } from '../../ports/runs.ts';
import { isInside } from '../../model/is-inside.ts';

/** Base folders for paths in a tool file; absolute. */
export interface ProgramPlaces {
  /** The scope of the call, links resolved. */
  readonly scope: string;
  /** The user's real home. */
  readonly home: string;
}

export interface HomePlaces extends ProgramPlaces {
  /** Folders that no tool may write: Deskterity's settings and state, which include trust. */
  readonly guarded: readonly string[];
}

/** @throws DeskterityError TOOL_INVALID if it requests write access to Deskterity's own folders */
export function sandboxPlaces(needs: SandboxNeeds, places: HomePlaces): RunSandbox {
  const { home, guarded } = places;
  const scope = needs.scope === undefined ? places.scope : join(places.scope, needs.scope);
  const absolute = (text: string) => resolve(places.scope, inHome(text, home));
  const write = [...new Set((needs.write ?? []).map(absolute))];
  for (const folder of write)
    for (const own of guarded)
      if (isInside(folder, own) || isInside(own, folder))
        throw new DeskterityError(
          'TOOL_INVALID',
          `A tool may not write ${quote(folder)}: ${quote(own)} belongs to Deskterity.`,
          { suggestion: 'List other folders in "write" of "sandbox".' },
        );
  return {
    scope,
    read: [...new Set((needs.read ?? []).map(absolute))],
    write,
    network: needs.network ?? false,
    unixSockets: needs.unix_sockets ?? false,
    denyReport: needs.deny_report ?? false,
    profile: needs.profile,
    pass: [...new Set(needs.environment?.pass ?? [])],
    set: Object.fromEntries(
      Object.entries(needs.environment?.set ?? {}).map(([name, value]) => [
        name,
        inHome(value, home).replaceAll(/\$HOME(?!\w)/g, () => home),
      ]),
    ),
  };
}

/** The program of a tool, for any working directory. A bare name is unchanged and found in PATH. */
export function programPath(command: string, { scope, home }: ProgramPlaces): string {
  const path = inHome(command, home);
  return !path.includes('/') || isAbsolute(path) ? path : resolve(scope, path);
}

/** A leading `~` or `$HOME` is the real home, whatever HOME is inside the sandbox. */
function inHome(text: string, home: string): string {
  return text.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}
