import { mentionCommand } from '../../../../model/text/mention.ts';
import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { ActOutcome, SemanticAct } from '../../../../ports/desktop/acts.ts';
import { unsupported } from '../../failures.ts';
import type { CellPlace } from '../tree/cells/cell-address.ts';
import { INTERFACE } from '../tree/names.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';
import { actionFor, deliver, deliverCall, doAction } from './actions.ts';
import type { ActTarget } from './actions.ts';

const DOING: Readonly<Record<Exclude<SemanticAct, 'focus'>, string>> = {
  toggle: 'Toggling the element',
  expand: 'Expanding the element',
  collapse: 'Collapsing the element',
};

/** Performs `act` in the way that works in the element's toolkit. As with a press, `true` proves nothing. */
export async function performAct(target: ActTarget, act: SemanticAct): Promise<ActOutcome> {
  if (act === 'focus') return grabFocus(target);
  return doAction(target, await actionFor(target, act, DOING[act]), DOING[act]);
}

/** Side effects of focusing, for the receipt. Chromium and GTK 3 bring the whole window to the front. */
const FOCUS_REMARKS: Readonly<Partial<Record<ToolkitKind, string>>> = {
  gtk3: ' (raises and activates the window)',
  chromium: ' (raises and activates the window)',
  qt: ' (effective only in the active window)',
};

async function grabFocus(target: ActTarget): Promise<ActOutcome> {
  const { kind, title } = target.application.traits;
  if (kind === 'gtk4') {
    throw unsupported(
      `${title} does not move the focus through accessibility.`,
      `Click it with the pointer; ${mentionCommand('set-value')} and ${mentionCommand('click')} need no focus.`,
    );
  }
  const via = `at-spi:Component.GrabFocus${FOCUS_REMARKS[kind] ?? ''}`;
  return deliverCall(target, via, 'Focusing the element', GRAB_FOCUS);
}

const GRAB_FOCUS = { interface: INTERFACE.COMPONENT, member: 'GrabFocus' } as const;

/** ATSPI_SCROLL_ANYWHERE: scrolls as little as necessary. */
const ANYWHERE = 6;

/** The others return false or lack the method. GTK 3 scrolls to what receives the focus, but raises its window to do so. */
const SCROLLED_BY: ReadonlySet<ToolkitKind> = new Set<ToolkitKind>(['gecko', 'chromium']);

export async function scrollIntoView(target: ActTarget): Promise<ActOutcome> {
  const { kind, title } = target.application.traits;
  if (!SCROLLED_BY.has(kind)) {
    throw unsupported(
      `${title} does not scroll elements into view through accessibility.`,
      'Use the mouse wheel or the keyboard.',
    );
  }
  const scroll = { interface: INTERFACE.COMPONENT, member: 'ScrollTo', signature: 'u', args: [ANYWHERE] };
  return deliverCall(target, 'at-spi:Component.ScrollTo', 'Scrolling to the element', scroll);
}

/**
 * Moves the cell cursor of a sheet to the target and marks nothing, as a click does. The selection is cleared first, because keys such as Delete act
 * on the selected cells and not on the cursor's cell. An entry in progress in another cell is accepted there.
 */
export async function goToCell(target: ActTarget, { sheet }: CellPlace): Promise<ActOutcome> {
  const via = 'at-spi:Selection.ClearSelection, Component.GrabFocus';
  const sheetNode = { app: target.node.app, path: sheet };
  return deliver(target, via, 'Going to the cell', async ({ send }) => {
    await send({ interface: INTERFACE.SELECTION, member: 'ClearSelection' }, sheetNode);
    return send(GRAB_FOCUS);
  });
}

/** Cells that are selected together are a range, which is made with the pointer. */
export function cellsAreChosenAlone(): DeskterityError {
  return unsupported(
    'A cell of a sheet cannot be added to the selected ones through accessibility.',
    `Drag over the cells instead: ${mentionCommand('drag')}.`,
  );
}
