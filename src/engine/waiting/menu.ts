import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { Surface } from '../../model/refs/surface.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { listSurfaces } from '../reading/surfaces.ts';
import type { AppRequest } from '../requests/reading.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until a menu is open, of one application or of any; the innermost, if one opened another. */
export async function waitForMenu(parts: EngineParts, request: AppRequest): Promise<Surface> {
  const { app } = request;
  const of = app === undefined ? '' : ` of ${quoteClipped(app)}`;
  const what = { is: `a menu${of} is open`, isNot: `No menu${of} was opened` };
  return waitUntil(parts, request, what, async ({ deadlineMs, signal, mirrored }, note) => {
    const listed = await listSurfaces(parts, { app, deadlineMs, signal, mirrored }).catch(
      (error: unknown) => {
        if (!(error instanceof DeskterityError) || error.code !== 'APP_NOT_FOUND') throw error;
        note(error.message);
        return undefined;
      },
    );
    if (listed === undefined) return undefined;
    const { surfaces } = listed;
    const open = surfaces.map(({ kind, title }) =>
      title === '' ? kind : `${kind} ${quoteClipped(title, 60)}`,
    );
    note(open.length === 0 ? 'nothing is open over its windows' : open.join(', '));
    return surfaces.findLast(({ kind }) => kind === 'menu');
  });
}
