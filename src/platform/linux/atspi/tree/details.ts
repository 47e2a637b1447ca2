import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import type { State } from '../../../../model/tree/state.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { DescribeOptions, NodeDetails } from '../../../../ports/desktop/elements.ts';
import { Variant, type CallTemplate } from '../../dbus/index.ts';
import type { Application, Channel } from '../bus/application.ts';
import { applicationFailure } from '../bus/call-failures.ts';
import { IMPLEMENTS, interfaceSet } from './cache-items.ts';
import { statesInList } from './closed-lists.ts';
import { formatNumber } from './enrich.ts';
import { isInFlatPanel } from './unseen/flat-panels.ts';
import { INTERFACE, NULL_PATH, ROOT_PATH } from './names.ts';
import { isDrawnItem, mapRole, nativeRoleName, NATIVE } from './roles.ts';
import { hasState, mapStates, placeOfExtents, STATE, withoutShowing, type StateBits } from './states.ts';
import type { ObjectReference } from './object-facts.ts';
import { restoreHidden, isOnlyEmbeddedObjects, withoutPadding } from './text.ts';
import type { PixelFrame } from './read-plan.ts';
import { isUnmapped, NOWHERE } from './unseen/unmapped.ts';
import { placeOfSwingPart } from './swing-places.ts';

/** As much as can be written at once, so that written text can be read back in full; longer texts are files, not fields. */
const MAX_TEXT_CHARACTERS = 1_048_576;

/** Everything an element reports about itself, in three pipelined waves; what its places mean may be found out during the first. */
export async function readDetails(
  application: Application,
  node: NodeHandle,
  frameOf: () => Promise<PixelFrame>,
  { includeKeys, ...options }: DescribeOptions,
): Promise<NodeDetails> {
  const channel = await application.readingChannel(options);
  const { connection, templates } = channel;
  const read = <T>(template: CallTemplate<T>): Promise<T> => connection.invoke(template, node.path, options);
  try {
    const [frame, ownStates, nativeRole, name, interfaceNames, parent, childCount] = await Promise.all([
      frameOf(),
      read(templates.state),
      read(templates.role),
      read(templates.name),
      read(templates.interfaceNames),
      read(templates.parent).catch(() => undefined),
      read(templates.childCount).catch(() => undefined),
    ]);
    const states = await statesInList(application, channel, { states: ownStates, parent }, options);
    const role = mapRole(nativeRole, states, parent?.path === ROOT_PATH);
    const set = interfaceSet(interfaceNames);
    const has = (bit: number): boolean => (set & bit) !== 0;
    const isPassword = nativeRole === NATIVE.PASSWORD_TEXT;
    const optional = <T>(condition: boolean, work: () => Promise<T>): Promise<T | undefined> =>
      condition ? work().catch(() => undefined) : Promise.resolve(undefined);
    const readingExtents = optional(has(IMPLEMENTS.COMPONENT), () =>
      read(frame.windowCoordinates ? templates.windowExtents : templates.screenExtents),
    );
    const isNotDrawn = async (): Promise<boolean> => {
      const extents = application.traits.showingIsTruthful ? undefined : await readingExtents;
      return extents !== undefined && isUnmapped(channel, { path: node.path, extents }, frame, options);
    };
    const isShowingSwing = application.traits.kind === 'java' && hasState(ownStates, STATE.SHOWING);
    const [
      reportedExtents,
      isUnseen,
      isFlattened,
      actions,
      writtenText,
      range,
      selected,
      description,
      identifier,
      attributes,
      relations,
      indexInParent,
      maskedLength,
      keyBinding,
    ] = await Promise.all([
      readingExtents,
      isNotDrawn(),
      optional(isShowingSwing, () => isInFlatPanel(channel, node.path, options)),
      optional(has(IMPLEMENTS.ACTION), () => readActionNames(channel, node.path, options)),
      optional(has(IMPLEMENTS.TEXT) && !isPassword, () => readText(application, channel, node.path, options)),
      optional(has(IMPLEMENTS.VALUE), () => readRange(channel, node.path, options)),
      optional(has(IMPLEMENTS.SELECTION) || role === 'combobox', () =>
        readChoice(channel, node.path, has(IMPLEMENTS.SELECTION), options),
      ),
      optional(true, () => read(templates.description)),
      optional(application.traits.kind !== 'qt', () => read(templates.identifier)),
      optional(true, () => read(templates.attributes)),
      optional(true, () => read(templates.relations)),
      optional(true, () => read(templates.indexInParent)),
      // Of a password, only how long it is.
      optional(has(IMPLEMENTS.TEXT) && isPassword, () => read(templates.characterCount)),
      optional(has(IMPLEMENTS.ACTION) && includeKeys === true, () => read(templates.keyBinding)),
    ]);
    const ownExtents =
      isShowingSwing && reportedExtents !== undefined
        ? await placeOfSwingPart(channel, { path: node.path, nativeRole, extents: reportedExtents }, options)
        : reportedExtents;
    const extents = isUnseen ? NOWHERE : ownExtents;
    const text = writtenText !== undefined && isOnlyEmbeddedObjects(writtenText) ? undefined : writtenText;
    const bounds = extents ? (await frame.toBounds)(extents) : undefined;
    const value = isPassword ? undefined : valueOf(role, text, range?.current, selected);
    const webIdentifier = attributes?.get('id');
    return {
      handle: node,
      role,
      nativeRole: nativeRoleName(nativeRole),
      name,
      states: withDetachment(
        mapStates(isFlattened === true ? withoutShowing(states) : states, {
          role,
          showingIsTruthful: application.traits.showingIsTruthful,
          isPassword,
          ...placeOfExtents(extents),
        }),
        await isDetached(application, channel, { states, parent }, options),
      ),
      ...(bounds ? { bounds } : {}),
      ...(value === undefined ? {} : { value }),
      ...(description ? { description } : {}),
      ...(identifier || webIdentifier ? { identifier: identifier || webIdentifier || '' } : {}),
      ...(actions ? { actions } : {}),
      ...(hasState(ownStates, STATE.IS_DEFAULT) ? { isDefault: true } : {}),
      ...(keyBinding ? { keyBindings: [keyBinding] } : {}),
      ...(childCount === undefined ? {} : { childCount }),
      ...(text === undefined ? {} : { text }),
      ...(maskedLength === undefined ? {} : { maskedLength }),
      ...(range ? { range } : {}),
      attributes: Object.fromEntries(attributes ?? []),
      relations: (relations ?? []).map((relation) => ({
        type: relation.type,
        targets: relation.targets.map((target) => ({ app: target.bus || node.app, path: target.path })),
      })),
      interfaces: interfaceNames.map((full) => full.replace('org.a11y.atspi.', '')),
      ...(parent && parent.path !== NULL_PATH
        ? { parent: { app: parent.bus || node.app, path: parent.path } }
        : {}),
      ...(indexInParent === undefined || indexInParent < 0 ? {} : { indexInParent }),
      ...(application.traits.stepButtonsInMiddle && role === 'spinbutton' ? { stepsWhenClicked: true } : {}),
      ...(application.traits.groupsMayBeChecked && role === 'checkbox' && (childCount ?? 0) > 0
        ? { isCheckableGroup: true }
        : {}),
      ...(application.traits.rowsReachBehindHeaders ? { mayBeBehindHeader: true } : {}),
      ...(application.traits.pagesKeepFocus ? { keepsFocus: true } : {}),
      ...(application.traits.pressedButtonsStay && role === 'button' ? { staysPressed: true } : {}),
      ...(application.traits.menusCloseWhenUsed && role === 'menuitem' ? { closesWhenUsed: true } : {}),
      ...(application.traits.checksMayBeSilent && (role === 'checkbox' || role === 'radio')
        ? { mayBeSilent: true }
        : {}),
      ...(application.traits.recreatesItems && isDrawnItem(nativeRole, role) ? { remade: true } : {}),
    };
  } catch (error) {
    throw applicationFailure(error, 'Reading the element');
  }
}

/** Deeper than any window. */
const MAX_ANCESTORS = 64;

/** In Swing, unlike GTK 3, a removed container stays visible and its elements keep their parents. */
async function isDetached(
  { traits }: Application,
  { connection, templates }: Channel,
  { states, parent }: { readonly states: StateBits; readonly parent: ObjectReference | undefined },
  options: CallOptions,
): Promise<boolean> {
  if (!traits.keepsRemoved) return parent?.path === NULL_PATH && !hasState(states, STATE.VISIBLE);
  if (hasState(states, STATE.SHOWING)) return false;
  let path = parent?.path;
  for (let level = 0; path !== undefined && path !== ROOT_PATH && level < MAX_ANCESTORS; level++) {
    if (path === NULL_PATH) return true;
    path = (await connection.invoke(templates.parent, path, options)).path;
  }
  return false;
}

/** GTK 3 keeps the accessible object of a destroyed widget while it is referenced: without parent and states, but not marked defunct. */
function withDetachment(states: readonly State[], isDetached: boolean): readonly State[] {
  return isDetached && !states.includes('defunct') ? [...states, 'defunct'] : states;
}

function valueOf(
  role: Role,
  text: string | undefined,
  number: number | undefined,
  selected: string | undefined,
): string | undefined {
  if (number !== undefined && role !== 'textbox' && role !== 'cell') return formatNumber(number);
  if (role === 'combobox' && !text) return selected;
  return text;
}

/** Untranslated names of the element's actions. */
export async function readActionNames(
  channel: Channel,
  path: string,
  options: CallOptions,
): Promise<string[]> {
  const { connection, templates } = channel;
  const count = await connection.invoke(templates.actionCount, path, options);
  return Promise.all(
    Array.from({ length: Math.min(count, 32) }, (_, index) =>
      connection.invoke(templates.actionName(index), path, options),
    ),
  );
}

/** See enrich.ts for why the count is read first. The prepared call truncates long texts. */
async function readText(
  { traits }: Application,
  channel: Channel,
  path: string,
  options: CallOptions,
): Promise<string> {
  const { connection, templates, destination } = channel;
  const count = await connection.invoke(templates.characterCount, path, options);
  if (count <= 0) return '';
  const end = Math.min(count, MAX_TEXT_CHARACTERS);
  const call = { destination, path, interface: INTERFACE.TEXT, member: 'GetText' };
  const [text] = await connection.call({ ...call, signature: 'ii', args: [0, end] }, options);
  return typeof text === 'string' ? withoutPadding(restoreHidden(traits, text, end)) : '';
}

async function readRange(
  channel: Channel,
  path: string,
  options: CallOptions,
): Promise<{ minimum: number; maximum: number; step: number; current: number }> {
  const read = async (property: string): Promise<number> => {
    const { connection, destination } = channel;
    const value = await connection.getProperty(destination, path, INTERFACE.VALUE, property, options);
    const plain = value instanceof Variant ? value.value : value;
    return typeof plain === 'number' ? plain : 0;
  };
  const [minimum, maximum, step, current] = await Promise.all([
    read('MinimumValue'),
    read('MaximumValue'),
    read('MinimumIncrement').catch(() => 0),
    read('CurrentValue'),
  ]);
  return { minimum, maximum, step, current };
}

/** The selected item: of the element itself, or, for combo boxes of browsers, of the list inside it. */
async function readChoice(
  channel: Channel,
  path: string,
  selectsItself: boolean,
  options: CallOptions,
): Promise<string | undefined> {
  const { connection, templates } = channel;
  let owner: string | undefined = path;
  if (!selectsItself) owner = (await connection.invoke(templates.children, path, options))[0]?.path;
  if (owner === undefined) return undefined;
  if ((await connection.invoke(templates.selectedCount, owner, options)) <= 0) return undefined;
  const child = await connection.invoke(templates.selectedChild, owner, options);
  if (child.path === NULL_PATH) return undefined;
  return connection.invoke(templates.name, child.path, options);
}
