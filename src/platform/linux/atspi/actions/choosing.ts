import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import type { ActOutcome } from '../../../../ports/desktop.ts';
import { unsupported } from '../../failures.ts';
import { readWith, type Application } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';
import { callElement, deliverCall, doAction, offeredActions, type ActTarget } from './actions.ts';
import { choiceMethod } from './toolkit-actions.ts';

const DOING = 'Choosing the option';

/** Chooses the target, an option of `container`, in the way that works in its toolkit. As with a press, `true` proves nothing. */
export async function choose(target: ActTarget, container: NodeHandle): Promise<ActOutcome> {
  const { application } = target;
  const { role, interfaces, offered, index } = await readAbilities(target, container);
  const method = choiceMethod(application.traits.kind, role);
  const needed = method === 'child' ? IMPLEMENTS.SELECTION : method === 'row' ? IMPLEMENTS.TABLE : 0;
  if (method === undefined || (interfaces & needed) !== needed) throw refusal(application, role);
  const owner = { ...target, node: container };
  if (method === 'child') return chooseAt(owner, 'Selection', 'SelectChild', index);
  if (method === 'row') return chooseAt(owner, 'Table', 'AddRowSelection', await rowOf(owner, index));
  const name = method.find((candidate) => offered.includes(candidate));
  if (name === undefined) throw refusal(application, role);
  return doAction(target, { index: offered.indexOf(name), name }, DOING);
}

function chooseAt(
  owner: ActTarget,
  name: 'Selection' | 'Table',
  member: string,
  index: number,
): Promise<ActOutcome> {
  const via = `at-spi:${name}.${member}(${index})`;
  const owned = name === 'Table' ? INTERFACE.TABLE : INTERFACE.SELECTION;
  return deliverCall(owner, via, DOING, { interface: owned, member, signature: 'i', args: [index] });
}

/** The container's role and interfaces, and the option's actions and index. */
function readAbilities(target: ActTarget, container: NodeHandle) {
  const { node: option, options } = target;
  return readWith(target, DOING, async (channel) => {
    const { connection, templates } = channel;
    const [nativeRole, states, interfaces, offered, index] = await Promise.all([
      connection.invoke(templates.role, container.path, options),
      connection.invoke(templates.state, container.path, options),
      connection.invoke(templates.interfaces, container.path, options),
      offeredActions(channel, option, options),
      connection.invoke(templates.indexInParent, option.path, options),
    ]);
    return { role: mapRole(nativeRole, states), interfaces: interfaceSet(interfaces), offered, index };
  });
}

async function rowOf(table: ActTarget, index: number): Promise<number> {
  const call = { interface: INTERFACE.TABLE, member: 'GetRowAtIndex', signature: 'i', args: [index] };
  const [row] = await readWith(table, DOING, (channel) => callElement(channel, table, call));
  if (typeof row === 'number' && row >= 0) return row;
  throw new DeskterityError('ACTION_FAILED', 'The application did not report the row of this option.', {
    suggestion: `Run ${mentionCommand('snapshot')} again: the table may have changed.`,
    delivered: false,
  });
}

function refusal({ traits }: Application, container: Role): DeskterityError {
  return unsupported(
    `${traits.title} offers no way to choose in this ${container} through accessibility.`,
    'Use the keyboard or the pointer.',
  );
}
