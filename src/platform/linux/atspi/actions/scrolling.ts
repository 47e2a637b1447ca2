import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { at, deliver } from './actions.ts';
import type { Application } from '../bus/application.ts';
import { INTERFACE } from '../tree/names.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** ATSPI_SCROLL_ANYWHERE: scrolls as little as necessary. */
const ANYWHERE = 6;

/** The others return false or lack the method. GTK 3 scrolls to what receives the focus, but raises its window to do so. */
const SUPPORTED_BY: ReadonlySet<ToolkitKind> = new Set<ToolkitKind>(['gecko', 'chromium']);

/** Scrolls an element into view. */
export async function scrollIntoView(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<ActOutcome> {
  const { kind, title } = application.traits;
  if (!SUPPORTED_BY.has(kind)) {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${title} does not scroll elements into view through accessibility.`,
      { suggestion: 'Use the mouse wheel or the keyboard.', delivered: false },
    );
  }
  const via = 'at-spi:Component.ScrollTo';
  return deliver(application, options, via, 'Scrolling to the element', async (channel) => {
    const call = { ...at(channel, node), interface: INTERFACE.COMPONENT, member: 'ScrollTo' };
    const [accepted] = await channel.connection.call({ ...call, signature: 'u', args: [ANYWHERE] }, options);
    return accepted === true;
  });
}
