import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { ActOutcome, CallOptions, SemanticAct } from '../../../../ports/desktop.ts';
import { wayToAct } from './act-ways.ts';
import { at, deliver, doAction, offeredActions } from './actions.ts';
import { applicationFailure } from '../bus/application.ts';
import type { Application } from '../bus/application.ts';
import { INTERFACE } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

const DOING: Readonly<Record<SemanticAct, string>> = {
  toggle: 'Toggling the element',
  expand: 'Expanding the element',
  collapse: 'Collapsing the element',
  focus: 'Focusing the element',
};

/** Side effects of focusing, for the receipt. Chromium and GTK 3 bring the whole window to the front. */
const FOCUS_REMARKS: Readonly<Partial<Record<ToolkitKind, string>>> = {
  gtk3: ' (raises and activates the window)',
  chromium: ' (raises and activates the window)',
  qt: ' (effective only in the active window)',
};

/** Performs `act` in the way that works in the element's toolkit. As with a press, `true` proves nothing. */
export async function performAct(
  application: Application,
  node: NodeHandle,
  act: SemanticAct,
  options: CallOptions,
): Promise<ActOutcome> {
  if (act === 'focus') return grabFocus(application, node, options);
  const { role, offered } = await readAbilities(application, node, act, options);
  const index = wayToAct(act, { toolkit: application.traits.kind, role, offered });
  const name = index === undefined ? undefined : offered[index];
  if (index === undefined || name === undefined) {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${application.traits.title} offers no way to ${act} this ${role} through accessibility.`,
      {
        suggestion: `Use the pointer or the keyboard. ${mentionCommand('snapshot', { include_actions: true })} shows what each element offers.`,
        ...(offered.length > 0
          ? { platformDetail: `offers ${offered.map((offer) => quote(offer)).join(', ')}` }
          : {}),
        delivered: false,
      },
    );
  }
  return doAction(application, node, { index, name }, DOING[act], options);
}

async function readAbilities(
  application: Application,
  node: NodeHandle,
  act: SemanticAct,
  options: CallOptions,
): Promise<{ role: Role; offered: readonly string[] }> {
  try {
    const channel = await application.readingChannel(options);
    const { connection, templates } = channel;
    const [nativeRole, states, offered] = await Promise.all([
      connection.invoke(templates.role, node.path, options),
      connection.invoke(templates.state, node.path, options),
      offeredActions(channel, node, options),
    ]);
    return { role: mapRole(nativeRole, states), offered };
  } catch (error) {
    throw applicationFailure(error, DOING[act]);
  }
}

async function grabFocus(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<ActOutcome> {
  const { kind, title } = application.traits;
  if (kind === 'gtk4') {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${title} does not move the focus through accessibility.`,
      {
        suggestion: `Click it with the pointer; ${mentionCommand('set-value')} and ${mentionCommand('click')} need no focus.`,
        delivered: false,
      },
    );
  }
  return deliver(
    application,
    options,
    `at-spi:Component.GrabFocus${FOCUS_REMARKS[kind] ?? ''}`,
    DOING.focus,
    async (channel) => {
      const [accepted] = await channel.connection.call(
        { ...at(channel, node), interface: INTERFACE.COMPONENT, member: 'GrabFocus' },
        options,
      );
      return accepted === true;
    },
  );
}
