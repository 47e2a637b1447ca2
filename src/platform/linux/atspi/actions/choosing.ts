import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { at, deliver, doAction, offeredActions } from './actions.ts';
import { applicationFailure } from '../bus/application.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
import { wayToChoose } from './choose-ways.ts';
import { INTERFACE } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';

const DOING = 'Choosing the option';

/** Chooses one option of a container in the way that works in its toolkit. As with a press, `true` proves nothing. */
export async function choose(
  application: Application,
  container: NodeHandle,
  option: NodeHandle,
  options: CallOptions,
): Promise<ActOutcome> {
  const { role, interfaces, offered, index } = await readAbilities(application, container, option, options);
  const means = wayToChoose(application.traits.kind, role);
  const needed = means === 'child' ? IMPLEMENTS.SELECTION : means === 'row' ? IMPLEMENTS.TABLE : 0;
  if (means === undefined || (interfaces & needed) !== needed) throw refusal(application, role);
  if (means !== 'child' && means !== 'row') {
    const name = means.find((candidate) => offered.includes(candidate));
    if (name === undefined) throw refusal(application, role);
    return doAction(application, option, { index: offered.indexOf(name), name }, DOING, options);
  }
  if (means === 'child')
    return choosePlace(application, container, ['SELECTION', 'SelectChild', index], options);
  const row = await rowOf(application, container, index, options);
  return choosePlace(application, container, ['TABLE', 'AddRowSelection', row], options);
}

async function choosePlace(
  application: Application,
  container: NodeHandle,
  [name, member, place]: readonly ['SELECTION' | 'TABLE', string, number],
  options: CallOptions,
): Promise<ActOutcome> {
  const via = `at-spi:${name === 'TABLE' ? 'Table' : 'Selection'}.${member}(${place})`;
  return deliver(application, options, via, DOING, async (channel) => {
    const call = { ...at(channel, container), interface: INTERFACE[name], member };
    const [accepted] = await channel.connection.call({ ...call, signature: 'i', args: [place] }, options);
    return accepted === true;
  });
}

/** The container's role and interfaces, and the option's actions and index. */
async function readAbilities(
  application: Application,
  container: NodeHandle,
  option: NodeHandle,
  options: CallOptions,
): Promise<{ role: Role; interfaces: number; offered: readonly string[]; index: number }> {
  try {
    const channel = await application.readingChannel(options);
    const { connection, templates } = channel;
    const [nativeRole, states, interfaces, offered, index] = await Promise.all([
      connection.invoke(templates.role, container.path, options),
      connection.invoke(templates.state, container.path, options),
      connection.invoke(templates.interfaces, container.path, options),
      offeredActions(channel, option, options),
      connection.invoke(templates.indexInParent, option.path, options),
    ]);
    return { role: mapRole(nativeRole, states), interfaces: interfaceSet(interfaces), offered, index };
  } catch (error) {
    throw applicationFailure(error, DOING);
  }
}

async function rowOf(
  application: Application,
  table: NodeHandle,
  index: number,
  options: CallOptions,
): Promise<number> {
  try {
    const channel: Channel = await application.readingChannel(options);
    const call = { ...at(channel, table), interface: INTERFACE.TABLE, member: 'GetRowAtIndex' };
    const [row] = await channel.connection.call({ ...call, signature: 'i', args: [index] }, options);
    if (typeof row === 'number' && row >= 0) return row;
  } catch (error) {
    throw applicationFailure(error, DOING);
  }
  throw new DeskterityError('ACTION_FAILED', 'The application did not report the row of this option.', {
    suggestion: `Run ${mentionCommand('snapshot')} again: the table may have changed.`,
    delivered: false,
  });
}

function refusal({ traits }: Application, container: Role): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${traits.title} offers no way to choose in this ${container} through accessibility.`,
    { suggestion: 'Use the keyboard or the pointer.', delivered: false },
  );
}
