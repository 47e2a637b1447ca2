import { mentionParameter } from '../../../model/text/mention.ts';
import type { ToolkitKind } from '../atspi/tree/toolkit.ts';
import { unsupported } from '../failures.ts';

/** What matters of an application for a second keyboard and pointer. */
export interface SeatedApplication {
  readonly name: string;
  readonly toolkitVersion: string;
  readonly traits: { readonly kind: ToolkitKind; readonly title: string };
}

/**
 * Toolkits beside which a user typed in a short run of `npm run proof -- seat`, and every key of theirs arrived. Not among them: GTK 4 and Qt 5, beside
 * which keys were lost, and those that were not tried. A short run shows no rare loss.
 */
const TRIED: ReadonlySet<string> = new Set(['gtk3', 'chromium', 'gecko', 'qt 6']);

/** @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, for toolkits beside which keys of the user may be lost */
export function requireTriedSeat({ name, toolkitVersion, traits }: SeatedApplication): void {
  const [major = ''] = toolkitVersion.split('.');
  if (TRIED.has(traits.kind) || TRIED.has(`${traits.kind} ${major}`)) return;
  throw unsupported(
    `"${name}" is not worked with a keyboard and a pointer of our own: beside ${traits.title} ${toolkitVersion}, what the user types meanwhile may be lost.`,
    `Use the user's: ${mentionParameter('seat', 'shared')}. Accessibility needs none: ${mentionParameter('mode', 'background')}.`,
  );
}
