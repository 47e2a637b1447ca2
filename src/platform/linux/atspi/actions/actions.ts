import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { Variant, type BusValue, type Call } from '../../dbus/index.ts';
import { unsupported } from '../../failures.ts';
import { readWith, type Application, type Channel } from '../bus/application.ts';
import { applicationFailure, fateOf } from '../bus/call-failures.ts';
import { closeMenu, openMenuOf } from './open-menu.ts';
import { replyOrLoop } from './reply.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
import { readActionNames } from '../tree/details.ts';
import { INTERFACE, NULL_PATH } from '../tree/names.ts';
import { NATIVE } from '../tree/roles.ts';

/** Names of actions that do what a click does, best first. They come from Action.GetName, which no toolkit translates. */
const PRESS_ACTIONS = [
  'click',
  'press',
  'activate',
  'toggle',
  'check',
  'uncheck',
  'select',
  'jump',
  'open',
  'doDefault',
  'expand or contract',
  'switch',
  'pick',
] as const;

/** An element to act on. */
export interface ActTarget {
  readonly application: Application;
  readonly node: NodeHandle;
  readonly options: CallOptions;
}

/** Runs the element's default action. A `true` reply proves nothing: GTK 3 returns it even for a disabled button. */
export async function press(target: ActTarget): Promise<ActOutcome> {
  const { application, node, options } = target;
  const reading = await application.readingChannel(options);
  if (application.traits.kind === 'qt') return pressInQt(target, reading);
  const action = await choosePressAction(reading, node, options);
  return doAction(target, action, PRESSING);
}

const PRESSING = 'Pressing the element';
/** For closing a menu; a modal dialog may be open by then. */
const CLOSING_MS = 500;

async function pressInQt(target: ActTarget, reading: Channel): Promise<ActOutcome> {
  const { node, options } = target;
  const [action, menu] = await Promise.all([
    choosePressAction(reading, node, options),
    openMenuOf(reading, node, options).catch(() => undefined),
    refuseInTree(reading, node, options),
  ]);
  const outcome = await doAction(target, action, PRESSING);
  const closing = { deadlineMs: Math.min(CLOSING_MS, options.deadlineMs), signal: options.signal };
  const isClosed = menu !== undefined && (await closeMenu(reading, menu, closing).catch(() => false));
  return isClosed ? { ...outcome, via: `${outcome.via}, closing its menu` } : outcome;
}

/**
 * In Qt, "Toggle" on a tree row takes its index among its siblings and selects the row with that index from the top: with
 * a branch open above it, the wrong row.
 * @throws DeskterityError ACTION_NOT_SUPPORTED
 */
async function refuseInTree(
  { connection, templates }: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<void> {
  const parent = await connection.invoke(templates.parent, node.path, options).catch(() => undefined);
  if (parent === undefined || parent.path === NULL_PATH) return;
  const role = await connection.invoke(templates.role, parent.path, options).catch(() => undefined);
  if (role !== undefined && role !== NATIVE.TREE && role !== NATIVE.TREE_TABLE) return;
  throw unsupported(
    'In a tree, Qt would press the wrong row.',
    `Click it with the pointer: ${mentionParameter('mode', 'pointer')}.`,
  );
}

/** Runs one of the element's actions. */
export async function doAction(
  target: ActTarget,
  { index, name }: { readonly index: number; readonly name: string },
  what: string,
): Promise<ActOutcome> {
  const call = { interface: INTERFACE.ACTION, member: 'DoAction', signature: 'i', args: [index] };
  return deliverCall(target, `at-spi:Action.DoAction(${name})`, what, call);
}

async function choosePressAction(
  channel: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<{ index: number; name: string }> {
  try {
    const names = await offeredActions(channel, node, options);
    const wanted = PRESS_ACTIONS.map((name) =>
      names.findIndex((candidate) => candidate.toLowerCase() === name.toLowerCase()),
    ).find((index) => index >= 0);
    if (wanted !== undefined) return { index: wanted, name: names[wanted] ?? '' };
    const only = names.length === 1 ? names[0] : undefined;
    if (only !== undefined && !/menu|focus|clipboard|scroll|toggleexpand/i.test(only))
      return { index: 0, name: only };
    throw unsupported(
      'This element offers no action that does what a click does.',
      `Act on its parent or a child instead; ${mentionCommand('snapshot', { include_actions: true })} shows what each element offers.`,
      offered(names),
    );
  } catch (error) {
    throw applicationFailure(error, 'Choosing how to press the element');
  }
}

/** The offered actions for an error's platform detail. */
export function offered(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `offers ${names.map((name) => quote(name)).join(', ')}`;
}

/** Untranslated names of the element's actions; none if it lacks the Action interface. */
export async function offeredActions(
  channel: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<readonly string[]> {
  const { connection, templates } = channel;
  const interfaces = interfaceSet(await connection.invoke(templates.interfaces, node.path, options));
  if ((interfaces & IMPLEMENTS.ACTION) === 0) return [];
  return readActionNames(channel, node.path, options);
}

/** The interfaces of the element, as a set; `what` names the work if they cannot be read. */
export function readInterfaces(target: ActTarget, what: string): Promise<number> {
  const { node, options } = target;
  return readWith(target, what, async ({ connection, templates }) =>
    interfaceSet(await connection.invoke(templates.interfaces, node.path, options)),
  );
}

/** Writes a value through Value (numbers) or EditableText. The caller must read it back: Firefox returns true and does nothing. */
export async function setValue(target: ActTarget, value: string): Promise<ActOutcome> {
  const { application, node, options } = target;
  const interfaces = await readInterfaces(target, 'Reading what the element supports');
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const isEditable = (interfaces & IMPLEMENTS.EDITABLE_TEXT) !== 0;
  const hasValue = (interfaces & IMPLEMENTS.VALUE) !== 0;
  if (hasValue && application.traits.numbersAreReadOnly) throw numberRefusal(application);
  if (hasValue && Number.isFinite(number)) {
    const variant = new Variant('d', number);
    const via = 'at-spi:Value.CurrentValue';
    return deliver(target, via, 'Setting the value', ({ channel: { connection, destination } }) => {
      const property = [INTERFACE.VALUE, 'CurrentValue'] as const;
      const writing = connection.setProperty(destination, node.path, ...property, variant, options);
      const accepting = writing.then(() => true);
      return replyOrLoop(accepting, () => askRole(target));
    });
  }
  // A spin button also has a text, but writing words there clears the field and leaves the number unchanged.
  if (isEditable && !hasValue) {
    refuseOutsideBasicPlane(application, value);
    const method = { interface: INTERFACE.EDITABLE_TEXT, member: 'SetTextContents' };
    const call = { ...method, signature: 's', args: [value] };
    return deliverCall(target, 'at-spi:EditableText.SetTextContents', 'Setting the text', call);
  }
  // A spreadsheet cell also takes words, but not this way.
  if (hasValue && !(await isCell(target))) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `This element takes a number, but ${JSON.stringify(value.slice(0, 60))} is not one.`,
      { suggestion: 'Pass a number such as 42 or 0.5.', delivered: false },
    );
  }
  throw unsupported(
    'The value of this element cannot be set through accessibility.',
    `Choose a text field, slider or spin button; ${mentionCommand('get', { property: 'attributes', ref: 'REF' })} shows what an element supports.`,
  );
}

async function isCell({ application, node, options }: ActTarget): Promise<boolean> {
  const { connection, templates } = await application.readingChannel(options);
  const role = await connection.invoke(templates.role, node.path, options).catch(() => undefined);
  return role === NATIVE.TABLE_CELL;
}

function numberRefusal({ traits }: Application): DeskterityError {
  return unsupported(
    `${traits.title} ignores numbers set through accessibility.`,
    `Press arrow keys on it: ${mentionCommand('press', { keys: 'ArrowRight', ref: 'REF' })}, or ${mentionCommand('press', { keys: 'ArrowUp', ref: 'REF' })}.`,
  );
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
        : { accepted, delivered: true, via };
    } catch (error) {
      throw applicationFailure(error, what, isAnswered || fateOf(error) === 'unknown');
    }
  });
}

/** A small question to the application, on the connection that it reads with its other requests. */
function askRole({ application, node, options }: ActTarget): Promise<number> {
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
