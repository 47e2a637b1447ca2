import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import { roleSet, type Role } from '../../../../model/tree/role.ts';
import type { ActOutcome } from '../../../../ports/desktop/acts.ts';
import { unsupported } from '../../failures.ts';
import { Variant } from '../../dbus/index.ts';
import { readWith, type Application, type Channel } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE } from '../tree/names.ts';
import { mapRole, NATIVE } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import { deliver, doAction, offeredActions, type ActTarget } from './actions.ts';
import { selectsInPage } from './by-place.ts';
import { standInFor, standIns } from './stand-ins.ts';
import { surroundings } from './surroundings.ts';

const DOING = 'Choosing the option';

/** The method of a container, by its name in the table of stand-ins. */
const METHOD = 'Selection.SelectChild';

/** Containers that never have more than one option chosen. */
const SINGLE = roleSet('combobox', 'tablist');

/**
 * Chooses the target, an option of `container`, in the way that was shown to work in its toolkit. As with a press, `true` proves nothing.
 * @param adds keeps what is chosen besides; otherwise the target replaces it, as a click does
 */
export async function choose(target: ActTarget, container: NodeHandle, adds: boolean): Promise<ActOutcome> {
  const { application, node, options } = target;
  const { role, interfaces, offered, index, isOpen, isInSubmenu } = await readAbilities(target, container);
  const rows = standIns('select', application.traits.kind, role).filter(
    ({ whileClosed }) => whileClosed !== true || !isOpen || options.manner === 'background',
  );
  const leavesFocus = options.manner !== 'background' && rows.some((row) => row.leavesFocus === true);
  if (
    leavesFocus &&
    (await readWith(target, DOING, (channel) => selectsInPage(surroundings(channel, options), node.path)))
  )
    throw unsupported(
      'By hand, opening this tab also selects the first row of a list in it; through accessibility it does not.',
      'Use the pointer, or act in the background.',
    );
  if (rows.some(({ actions }) => actions.includes(METHOD))) {
    if ((interfaces & IMPLEMENTS.SELECTION) === 0) throw refusal(application, role);
    if (isInSubmenu) throw inSubmenu();
    return chooseAt({ ...target, node: container }, { at: index, replaces: !adds && !SINGLE.has(role) });
  }
  const allowed = standInFor('select', { toolkit: application.traits.kind, role, offered });
  if (allowed === undefined || !rows.includes(allowed.row) || (adds && !SINGLE.has(role)))
    throw refusal(application, role);
  return doAction(target, allowed, DOING);
}

/** Toolkits select in addition, and do not say beforehand whether the list takes several: so what is chosen is counted afterwards. */
function chooseAt(
  owner: ActTarget,
  { at, replaces }: { readonly at: number; readonly replaces: boolean },
): Promise<ActOutcome> {
  const selecting = { interface: INTERFACE.SELECTION, member: 'SelectChild', signature: 'i', args: [at] };
  return deliver(owner, `at-spi:${METHOD}(${at})`, DOING, async ({ channel, send }) => {
    const isDone = await send(selecting);
    if (!replaces || (await countChosen(channel, owner)) <= 1) return isDone;
    await send({ interface: INTERFACE.SELECTION, member: 'ClearSelection' });
    return send(selecting);
  });
}

async function countChosen({ connection, destination }: Channel, owner: ActTarget): Promise<number> {
  const { node, options } = owner;
  const property = [INTERFACE.SELECTION, 'NSelectedChildren'] as const;
  const value = await connection
    .getProperty(destination, node.path, ...property, options)
    .catch(() => undefined);
  const count = value instanceof Variant ? value.value : value;
  return typeof count === 'number' ? count : 0;
}

/** The container's role and interfaces, and the option's actions and index. */
function readAbilities(target: ActTarget, container: NodeHandle) {
  const { node: option, options } = target;
  return readWith(target, DOING, async (channel) => {
    const { connection, templates } = channel;
    const [nativeRole, states, interfaces, offered, index, list] = await Promise.all([
      connection.invoke(templates.role, container.path, options),
      connection.invoke(templates.state, container.path, options),
      connection.invoke(templates.interfaces, container.path, options),
      offeredActions(channel, option, options),
      connection.invoke(templates.indexInParent, option.path, options),
      connection.invoke(templates.parent, option.path, options),
    ]);
    const role = (path: string): Promise<number> => connection.invoke(templates.role, path, options);
    const isInMenu = list.path !== container.path && (await role(list.path)) === NATIVE.MENU;
    const above = isInMenu ? await connection.invoke(templates.parent, list.path, options) : container;
    return {
      role: mapRole(nativeRole, states),
      interfaces,
      offered,
      index,
      isOpen: hasState(states, STATE.EXPANDED),
      // A combo box counts the options in its menu, not those in the submenus of that.
      isInSubmenu: above.path !== container.path && (await role(above.path)) === NATIVE.MENU,
    };
  });
}

function inSubmenu(): DeskterityError {
  return unsupported(
    'The option is in a submenu of the list, which cannot be chosen from through accessibility.',
    'Open the list and the submenu with the pointer, and click the option.',
  );
}

function refusal({ traits }: Application, container: Role): DeskterityError {
  return unsupported(
    `${traits.title} offers no way to choose in this ${container} through accessibility.`,
    'Use the keyboard or the pointer.',
  );
}
