import { z } from 'zod';
import { HAND_USES, type HandUse } from '../../../model/effects/seat.ts';
import { seatRefusal } from '../../../model/effects/seat-refusal.ts';
import type { ToolkitKind } from '../atspi/tree/toolkit.ts';
import data from './proven-seat.generated.json' with { type: 'json' };

const Uses = z.array(z.enum(HAND_USES));
const TABLE = z
  .array(
    z.strictObject({
      manager: z.string(),
      toolkit: z.string(),
      uses: Uses,
      /** While the user works in another window of the same application. */
      besideUser: Uses,
    }),
  )
  .parse(data);

/** What matters of an application for a second keyboard and pointer. */
export interface SeatedApplication {
  readonly name: string;
  readonly toolkitVersion: string;
  readonly traits: { readonly kind: ToolkitKind; readonly title: string };
}

/** An act with a keyboard and a pointer of our own. */
export interface SeatedAct {
  /** `undefined` if it has no accessibility tree. */
  readonly application: SeatedApplication | undefined;
  /** Name of the window manager. */
  readonly manager: string | undefined;
  readonly use: HandUse;
  /** The user is in another window of the same application: a program may have one focused element for all of its windows and keyboards. */
  readonly isBesideUser: boolean;
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, for an act that is not to be done so */
export type SeatRule = (act: SeatedAct) => void;

const WORDS: Readonly<Record<HandUse, string>> = {
  hover: 'pointing at things',
  click: 'clicks',
  'double-click': 'double clicks',
  popup: 'opening menus and lists',
  drag: 'drags',
  wheel: 'turning the wheel',
  keys: 'keys',
};

/**
 * Allows what `npm run proof -- seat` has shown, with this toolkit and this window manager: every such act arrived, and every key of a user who typed
 * meanwhile, too.
 */
export const requireProven: SeatRule = ({ application, manager, use, isBesideUser }) => {
  const managed = managerKey(manager);
  const toolkit = toolkitKey(application);
  const row = TABLE.find((each) => each.manager === managed && each.toolkit === toolkit);
  const proven = isBesideUser ? row?.besideUser : row?.uses;
  if (proven?.includes(use) === true) return;
  const name = application === undefined ? 'This application' : JSON.stringify(application.name);
  const what =
    application === undefined
      ? 'applications without an accessibility tree'
      : `${application.traits.title} ${application.toolkitVersion}`.trim();
  throw seatRefusal(
    `${name} is not worked with a keyboard and a pointer of our own: the proof does not cover ${WORDS[use]} with ${what} and ${manager === undefined ? 'no window manager' : `the window manager ${manager}`}${isBesideUser ? ' while the user works in another window of it' : ''}, and what the user types meanwhile might be lost.`,
  );
};

function toolkitKey(application: SeatedApplication | undefined): string {
  if (application === undefined) return 'none';
  const [major = ''] = application.toolkitVersion.split('.');
  const { kind } = application.traits;
  return kind === 'qt' ? `qt${major}` : kind;
}

/** Such as `mutter` of `GNOME Shell`, which is built on it. */
function managerKey(name: string | undefined): string {
  const [first = ''] = (name ?? '').toLowerCase().split(/[^a-z0-9]/);
  return first === 'gnome' ? 'mutter' : first;
}
