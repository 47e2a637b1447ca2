import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { Role } from '../../../../model/tree/role.ts';
import type { ActCall, ActOutcome, HandAct } from '../../../../ports/desktop/acts.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { BusValue, Call } from '../../dbus/index.ts';
import { unsupported } from '../../failures.ts';
import { readWith, type Application, type Channel } from '../bus/application.ts';
import { applicationFailure, fateOf } from '../bus/call-failures.ts';
import { dependsOnPlace, differsByPlace } from './by-place.ts';
import { opensSubmenuToo } from './first-item.ts';
import { closeMenu, openMenuOf } from './open-menu.ts';
import { replyOrLoop } from './reply.ts';
import { surroundings } from './surroundings.ts';
import { barToClear } from './swing-menu.ts';
import { clearHighlight, highlightingBar } from './tool-bar-highlight.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { readActionNames } from '../tree/details.ts';
import { INTERFACE } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import { standInFor, type StandIn } from './stand-ins.ts';

/** An element to act on. */
export interface ActTarget {
  readonly application: Application;
  readonly node: NodeHandle;
  readonly options: ActCall;
}

/** Runs the action that does what a person's click does. A `true` reply proves nothing: GTK 3 returns it even for a disabled button. */
export async function press(target: ActTarget): Promise<ActOutcome> {
  const { application } = target;
  const choosing = actionFor(target, 'click', PRESSING);
  return application.traits.kind === 'qt'
    ? pressInQt(target, choosing)
    : doAction(target, await choosing, PRESSING);
}

const PRESSING = 'Pressing the element';
/** For what belongs to a click and its action leaves undone; a modal dialog may be open by then. */
const CLOSING_MS = 500;

async function pressInQt(target: ActTarget, choosing: ReturnType<typeof actionFor>): Promise<ActOutcome> {
  const { application, node, options } = target;
  const reading = await application.readingChannel(options);
  const [action, menu] = await Promise.all([
    choosing,
    openMenuOf(reading, node, options).catch(() => undefined),
  ]);
  const outcome = await doAction(target, action, PRESSING);
  const closing = { deadlineMs: Math.min(CLOSING_MS, options.deadlineMs), signal: options.signal };
  const isClosed = menu !== undefined && (await closeMenu(reading, menu, closing).catch(() => false));
  return isClosed ? { ...outcome, via: `${outcome.via}, closing its menu` } : outcome;
}

/**
 * The action that does the same as an act by hand.
 * @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, if the table has none that does the same
 */
export async function actionFor(
  target: ActTarget,
  act: HandAct,
  what: string,
): Promise<{ readonly index: number; readonly name: string }> {
  const { role, offered } = await readOffer(target, what);
  const { traits } = target.application;
  const allowed = standInFor(act, { toolkit: traits.kind, role, offered });
  const opening = standInFor('expand', { toolkit: traits.kind, role, offered });
  const opens = (allowed ?? (act === 'click' ? opening : undefined))?.row.grabs === true;
  if (target.options.manner === 'background' && opens) throw grabRefusal(role);
  if (allowed === undefined || (await isElsewhere(target, what, allowed.row)))
    throw unsupported(
      act === 'click' || act === 'toggle'
        ? `In ${traits.title}, no accessibility action is known to ${act} this ${role} as a person does.`
        : `${traits.title} offers no way to ${act} this ${role} through accessibility.`,
      `Use the pointer or the keyboard: ${mentionParameter('mode', 'pointer')} or ${mentionParameter('mode', 'focus')}. ${mentionCommand('snapshot', { include_actions: true })} shows what each element offers.`,
      offered.length === 0 ? undefined : `offers ${offered.map((name) => quote(name)).join(', ')}`,
    );
  if (allowed.row.opensFirst === true && (await opensMore(target, what)))
    throw unsupported(
      `Opening this ${role} through accessibility opens the submenu of its first item, too, unlike a click.`,
      `Open it with the pointer: ${mentionParameter('mode', 'pointer')}.`,
    );
  return allowed;
}

/** In the background, nothing is opened that takes the user's next click and key. */
function grabRefusal(role: Role): DeskterityError {
  const instead =
    role === 'combobox'
      ? `Choose an option with ${mentionCommand('select')}`
      : `Run an item without opening the menu with ${mentionCommand('menu')}`;
  return unsupported(
    `Opening this ${role} takes the user's next click and key, so it is not done in the background.`,
    `${instead}, or open it without ${mentionParameter('mode', 'background')}.`,
  );
}

async function isElsewhere(
  { application, node, options }: ActTarget,
  what: string,
  row: StandIn,
): Promise<boolean> {
  const { notInOpenMenu, ...others } = row;
  const places = options.manner === 'before-pointer' ? { ...others, notInOpenMenu } : others;
  if (!dependsOnPlace(places)) return false;
  return readWith({ application, options }, what, (channel) =>
    differsByPlace(surroundings(channel, options), places, node.path),
  );
}

function opensMore({ application, node, options }: ActTarget, what: string): Promise<boolean> {
  return readWith({ application, options }, what, (channel) => opensSubmenuToo(channel, node, options));
}

/** Runs one of the element's actions. */
export async function doAction(
  target: ActTarget,
  { index, name }: { readonly index: number; readonly name: string },
  what: string,
): Promise<ActOutcome> {
  const { application, node, options } = target;
  const bar = application.traits.keepsItemsHighlighted
    ? await highlightingBar(await application.readingChannel(options), node, options).catch(() => undefined)
    : undefined;
  const call = { interface: INTERFACE.ACTION, member: 'DoAction', signature: 'i', args: [index] };
  const via = `at-spi:Action.DoAction(${name})`;
  const menus =
    application.traits.kind === 'java'
      ? await readWith(target, what, (channel) => barToClear(surroundings(channel, options), node.path))
      : undefined;
  if (menus !== undefined)
    return deliver(
      target,
      `at-spi:Selection.ClearSelection, ${via.slice('at-spi:'.length)}`,
      what,
      async ({ send }) => {
        await send(CLEAR_SELECTION, { app: node.app, path: menus });
        return replyOrLoop(send(call), () => askRole(target));
      },
    );
  const outcome = await deliverCall(target, via, what, call);
  if (bar === undefined) return outcome;
  const answeredAtMs = performance.now();
  // On a connection of its own: the item's handler may still run on that of the action.
  const closing = { deadlineMs: Math.min(CLOSING_MS, options.deadlineMs), signal: options.signal };
  await application
    .withActionChannel(closing, (channel) => clearHighlight(channel, bar, closing))
    .catch(() => undefined);
  return { ...outcome, answeredAtMs };
}

const CLEAR_SELECTION = { interface: INTERFACE.SELECTION, member: 'ClearSelection' } as const;

/** The element's role and actions. */
function readOffer(
  target: ActTarget,
  what: string,
): Promise<{ readonly role: Role; readonly offered: readonly string[] }> {
  const { node, options } = target;
  return readWith(target, what, async (channel) => {
    const { connection, templates } = channel;
    const [nativeRole, states, names] = await Promise.all([
      connection.invoke(templates.role, node.path, options),
      connection.invoke(templates.state, node.path, options),
      offeredActions(channel, node, options),
    ]);
    return { role: mapRole(nativeRole, states), offered: names };
  });
}

/** Untranslated names of the element's actions; none if it lacks the Action interface. */
export async function offeredActions(
  channel: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<readonly string[]> {
  const { connection, templates } = channel;
  const interfaces = await connection.invoke(templates.interfaces, node.path, options);
  if ((interfaces & IMPLEMENTS.ACTION) === 0) return [];
  return readActionNames(channel, node.path, options);
}

/** What the element is, as far as writing into it is concerned. */
export function readWritable(
  target: ActTarget,
  what: string,
): Promise<{
  readonly interfaces: number;
  readonly role: Role;
  readonly isMultiline: boolean;
  readonly isFocused: boolean;
}> {
  const { node, options } = target;
  return readWith(target, what, async ({ connection, templates }) => {
    const [interfaces, nativeRole, states] = await Promise.all([
      connection.invoke(templates.interfaces, node.path, options),
      connection.invoke(templates.role, node.path, options),
      connection.invoke(templates.state, node.path, options),
    ]);
    return {
      interfaces,
      role: mapRole(nativeRole, states),
      isMultiline: hasState(states, STATE.MULTI_LINE),
      isFocused: hasState(states, STATE.FOCUSED),
    };
  });
}

/** @throws DeskterityError NOT_ACTIONABLE for a text that the toolkit would corrupt, also when typed */
export function refuseOutsideBasicPlane({ traits }: Application, text: string): void {
  const unsupported = traits.onlyBasicPlane ? /[\u{10000}-\u{10FFFF}]/u.exec(text)?.[0] : undefined;
  if (unsupported === undefined) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${traits.title} accepts no character beyond U+FFFF (${unsupported}), neither as text nor as a key.`,
    {
      suggestion: `Copy it to the clipboard (${mentionCommand('clipboard set')}) and press ctrl+v.`,
      delivered: false,
    },
  );
}

/** Calls a method on the element. */
export function callElement(
  { connection, destination }: Channel,
  { node, options }: Pick<ActTarget, 'node' | 'options'>,
  call: Omit<Call, 'path' | 'destination'>,
): Promise<BusValue[]> {
  return connection.call({ ...call, destination, path: node.path }, options);
}

/** Calls a method on the element; resolves to whether it returned true. */
async function isAccepted(...call: Parameters<typeof callElement>): Promise<boolean> {
  const [accepted] = await callElement(...call);
  return accepted === true;
}

/** What one act sends; a part that was answered stays done, whatever becomes of the next. */
export interface Delivery {
  readonly channel: Channel;
  /** Resolves to whether the application accepted the call. */
  readonly send: (call: Omit<Call, 'path' | 'destination'>, node?: NodeHandle) => Promise<boolean>;
}

/** Runs an act on the application. Its failure reports whether any part of it may have arrived. */
export async function deliver(
  target: ActTarget,
  via: string,
  what: string,
  act: (delivery: Delivery) => Promise<boolean | undefined>,
): Promise<ActOutcome> {
  const { application, node: own, options } = target;
  let isAnswered = false;
  return application.withActionChannel(options, async (channel) => {
    try {
      const accepted = await act({
        channel,
        send: async (call, node = own) => {
          const accepting = await isAccepted(channel, { node, options }, call);
          isAnswered = true;
          return accepting;
        },
      });
      return accepted === undefined
        ? { isPending: true, delivered: true, via }
        : {
            accepted,
            delivered: true,
            via,
            ...(application.traits.repliesBeforeActing ? { isQueued: true } : {}),
          };
    } catch (error) {
      throw applicationFailure(error, what, isAnswered || fateOf(error) === 'unknown');
    }
  });
}

/** A small question to the application, on the connection that it reads with its other requests. */
export function askRole({ application, node, options }: ActTarget): Promise<number> {
  const { connection, templates } = application.daemonChannel;
  return connection.invoke(templates.role, node.path, options);
}

/** An act that is one call on the element. */
export function deliverCall(
  target: ActTarget,
  via: string,
  what: string,
  call: Omit<Call, 'path' | 'destination'>,
): Promise<ActOutcome> {
  return deliver(target, via, what, ({ send }) => replyOrLoop(send(call), () => askRole(target)));
}
