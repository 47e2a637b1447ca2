import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { BusError, Variant } from '../../dbus/index.ts';
import { applicationFailure } from '../bus/application.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from '../tree/cache-items.ts';
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

/** Runs the element's default action. A `true` reply proves nothing: GTK 3 returns it even for a disabled button. */
export async function press(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<ActOutcome> {
  const reading = await application.readingChannel(options);
  const [action] = await Promise.all([
    choosePressAction(reading, node, options),
    application.traits.kind === 'qt' ? refuseInTree(reading, node, options) : undefined,
  ]);
  return doAction(application, node, action, 'Pressing the element', options);
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
  throw new DeskterityError('ACTION_NOT_SUPPORTED', 'In a tree, Qt would press the wrong row.', {
    suggestion: `Click it with the pointer: ${mentionParameter('mode', 'pointer')}.`,
    delivered: false,
  });
}

/** Runs one of the element's actions. */
export async function doAction(
  application: Application,
  node: NodeHandle,
  action: { readonly index: number; readonly name: string },
  what: string,
  options: CallOptions,
): Promise<ActOutcome> {
  return deliver(application, options, `at-spi:Action.DoAction(${action.name})`, what, async (channel) => {
    const [accepted] = await channel.connection.call(
      {
        ...at(channel, node),
        interface: INTERFACE.ACTION,
        member: 'DoAction',
        signature: 'i',
        args: [action.index],
      },
      options,
    );
    return accepted === true;
  });
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
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      'This element offers no action that does what a click does.',
      {
        suggestion: `Act on a parent or child of it instead; ${mentionCommand('snapshot', { include_actions: true })} shows what each element offers.`,
        ...(names.length > 0
          ? { platformDetail: `offers ${names.map((name) => quote(name)).join(', ')}` }
          : {}),
        delivered: false,
      },
    );
  } catch (error) {
    throw applicationFailure(error, 'Choosing how to press the element');
  }
}

/** Untranslated names of the element's actions; none if it lacks the Action interface. */
export async function offeredActions(
  { connection, templates }: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<readonly string[]> {
  const interfaces = interfaceSet(await connection.invoke(templates.interfaces, node.path, options));
  if ((interfaces & IMPLEMENTS.ACTION) === 0) return [];
  const count = await connection.invoke(templates.actionCount, node.path, options);
  return Promise.all(
    Array.from({ length: Math.min(count, 32) }, (_, index) =>
      connection.invoke(templates.actionName(index), node.path, options),
    ),
  );
}

/** Writes a value through Value (numbers) or EditableText. The caller must read it back: Firefox returns true and does nothing. */
export async function setValue(
  application: Application,
  node: NodeHandle,
  value: string,
  options: CallOptions,
): Promise<ActOutcome> {
  const { connection, templates } = await application.readingChannel(options);
  const interfaces = await connection
    .invoke(templates.interfaces, node.path, options)
    .then(interfaceSet, (error: unknown) => {
      throw applicationFailure(error, 'Reading what the element supports');
    });
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const isEditable = (interfaces & IMPLEMENTS.EDITABLE_TEXT) !== 0;
  const hasValue = (interfaces & IMPLEMENTS.VALUE) !== 0;
  if (hasValue && application.traits.numbersAreReadOnly) throw numberRefusal(application);
  if (hasValue && Number.isFinite(number)) {
    return deliver(
      application,
      options,
      'at-spi:Value.CurrentValue',
      'Setting the value',
      async (channel) => {
        await channel.connection.setProperty(
          channel.destination,
          node.path,
          INTERFACE.VALUE,
          'CurrentValue',
          new Variant('d', number),
          options,
        );
        return true;
      },
    );
  }
  // A spin button also has a text, but writing words there clears the field and leaves the number unchanged.
  if (isEditable && !hasValue) {
    refuseOutsideBasicPlane(application, value);
    return deliver(
      application,
      options,
      'at-spi:EditableText.SetTextContents',
      'Setting the text',
      async (channel) => {
        const [accepted] = await channel.connection.call(
          {
            ...at(channel, node),
            interface: INTERFACE.EDITABLE_TEXT,
            member: 'SetTextContents',
            signature: 's',
            args: [value],
          },
          options,
        );
        return accepted === true;
      },
    );
  }
  // A spreadsheet cell also takes words, but not this way.
  const takesOnlyNumbers = hasValue && !(await isCell(application, node, options));
  throw new DeskterityError(
    takesOnlyNumbers ? 'INVALID_ARGUMENT' : 'ACTION_NOT_SUPPORTED',
    takesOnlyNumbers
      ? `This element takes a number, but ${JSON.stringify(value.slice(0, 60))} is not one.`
      : 'The value of this element cannot be set through accessibility.',
    {
      suggestion: takesOnlyNumbers
        ? 'Pass a number such as 42 or 0.5.'
        : `Choose a text field, slider or spin button; ${mentionCommand('get', { property: 'attributes', ref: 'REF' })} shows what an element supports.`,
      delivered: false,
    },
  );
}

async function isCell(application: Application, node: NodeHandle, options: CallOptions): Promise<boolean> {
  const { connection, templates } = await application.readingChannel(options);
  return connection.invoke(templates.role, node.path, options).then(
    (role) => role === NATIVE.TABLE_CELL,
    () => false,
  );
}

function numberRefusal({ traits }: Application): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${traits.title} ignores numbers set through accessibility.`,
    {
      suggestion: `Press arrow keys on it: ${mentionCommand('press', { keys: 'ArrowRight', ref: 'REF' })}, or ${mentionCommand('press', { keys: 'ArrowUp', ref: 'REF' })}.`,
      delivered: false,
    },
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

export function at(channel: Channel, node: NodeHandle): { destination?: string; path: string } {
  return channel.destination === undefined
    ? { path: node.path }
    : { destination: channel.destination, path: node.path };
}

/** Whether the application read the request and refused, as opposed to silence or an exit in the middle. */
function wasDeclined(error: unknown): boolean {
  return (
    error instanceof BusError &&
    !error.errorName.startsWith('local.') &&
    !/NoReply|Timeout|Disconnected/.test(error.errorName)
  );
}

export async function deliver(
  application: Application,
  options: CallOptions,
  via: string,
  what: string,
  act: (channel: Channel) => Promise<boolean>,
): Promise<ActOutcome> {
  return application.withActionChannel(options, async (channel) => {
    try {
      return { accepted: await act(channel), delivered: true, via };
    } catch (error) {
      throw applicationFailure(error, what, !wasDeclined(error));
    }
  });
}
