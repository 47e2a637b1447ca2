import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { at, deliver } from './actions.ts';
import type { Application } from '../bus/application.ts';
import { INTERFACE } from '../tree/names.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** ATSPI_SCROLL_ANYWHERE: as little as is needed. */
const ANYWHERE = 6;

/** The others answer "false" or know no such call. GTK 3 scrolls to what gets the focus, but raises its window to do so. */
const OBEYED_BY: ReadonlySet<ToolkitKind> = new Set<ToolkitKind>(['gecko', 'chromium']);

/** Asks that an element be brought into view. */
export async function scrollIntoView(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<ActOutcome> {
  const { kind, title } = application.traits;
  if (!OBEYED_BY.has(kind)) {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${title} brings nothing into view through accessibility.`,
      { suggestion: 'It takes the wheel of the pointer, or the keyboard.', delivered: false },
    );
  }
  const via = 'at-spi:Component.ScrollTo';
  return deliver(application, options, via, 'Scrolling to the element', async (channel) => {
    const call = { ...at(channel, node), interface: INTERFACE.COMPONENT, member: 'ScrollTo' };
    const [accepted] = await channel.connection.call({ ...call, signature: 'u', args: [ANYWHERE] }, options);
    return accepted === true;
  });
}
