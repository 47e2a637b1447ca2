import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { Point } from '../../../ports/input.ts';
import type { ProbeElement } from '../../../ports/probe-window.ts';
import { AccessibilityBus, busFailure } from '../atspi/bus/accessibility-bus.ts';
import { INTERFACE, REGISTRY_NAME, ROOT_PATH } from '../atspi/tree/names.ts';
import { NATIVE } from '../atspi/tree/roles.ts';
import { STATE } from '../atspi/tree/states.ts';
import { OWN_TOOLKIT } from '../atspi/tree/toolkit.ts';
import type { Extents, ObjectReference } from '../atspi/tree/object-facts.ts';
import { BusError, Variant, type BusValue, type MethodCallMessage, type MethodReply } from '../dbus/index.ts';
import { replyAccessible, one, propertyOf, type ExportedObject } from './exported-object.ts';
import { ELEMENTS, LEVELS, PROBE_SIZE, SHOWN } from './probe-elements.ts';

const APPLICATION = 75;
const OBJECT_EVENT = 'org.a11y.atspi.Event.Object';
const NAMES = ['button', 'checkbox', 'textbox', 'slider'] as const;
/** Our own texts are shorter; longer ones come from other clients and are refused. */
const MAX_CHARACTERS = 10_000;

export interface ProbeTreeParts {
  readonly title: string;
  /** Where the window's content begins on the screen. */
  readonly origin: () => Promise<Point>;
  /** The button was pressed. */
  readonly onPress: () => void;
}

/** The accessibility tree of the probe, served on a separate connection. */
export class ProbeTree {
  readonly #bus: AccessibilityBus;
  readonly #parts: ProbeTreeParts;
  #text = '';
  #level = 0;
  #isTicked = false;

  private constructor(bus: AccessibilityBus, parts: ProbeTreeParts) {
    this.#bus = bus;
    this.#parts = parts;
  }

  /** Exports the tree and registers it as an application. @throws DeskterityError BUS_UNAVAILABLE, TIMEOUT, CANCELLED */
  static async open(
    sessionAddress: string | undefined,
    parts: ProbeTreeParts,
    options: CallOptions,
  ): Promise<ProbeTree> {
    const bus = await AccessibilityBus.connect(sessionAddress, options);
    const tree = new ProbeTree(bus, parts);
    bus.connection.onMethodCall((call) => tree.#reply(call));
    try {
      await bus.connection.call({ ...REGISTRY_SOCKET, member: 'Embed', ...tree.#self }, options);
      return tree;
    } catch (error) {
      bus.close();
      throw busFailure('The accessibility registry did not accept the probe window.', error);
    }
  }

  get content(): { readonly text: string; readonly level: number } {
    return { text: this.#text, level: this.#level };
  }

  get elements(): Readonly<Record<ProbeElement, NodeHandle>> {
    const handle = (element: ProbeElement): NodeHandle => ({ app: this.#name, path: pathOf(element) });
    return {
      window: handle('window'),
      button: handle('button'),
      textbox: handle('textbox'),
      slider: handle('slider'),
      checkbox: handle('checkbox'),
    };
  }

  /** Calls `listener` when the tree is no longer on the bus. */
  onLoss(listener: () => void): void {
    this.#bus.onLoss(listener);
  }

  toggle(): void {
    this.#isTicked = !this.#isTicked;
    this.#emit('checkbox', 'StateChanged', { detail: 'checked', first: this.#isTicked ? 1 : 0 });
  }

  /** Unregisters; the registry would otherwise notice the closed connection only later. */
  async close(): Promise<void> {
    const { connection } = this.#bus;
    await connection
      .call({ ...REGISTRY_SOCKET, member: 'Unembed', ...this.#self }, { deadlineMs: UNEMBED_MS })
      .catch(() => undefined);
    this.#bus.close();
  }

  get #name(): string {
    return this.#bus.connection.uniqueName ?? '';
  }

  get #self(): { readonly signature: string; readonly args: readonly BusValue[] } {
    return { signature: '(so)', args: [[this.#name, ROOT_PATH]] };
  }

  #reply(call: MethodCallMessage): Promise<MethodReply> | MethodReply {
    const element = elementAt(call.path);
    if (element === undefined)
      throw new BusError('org.freedesktop.DBus.Error.UnknownObject', `no object ${call.path}`);
    const own = element === 'textbox' ? this.#replyText(call) : undefined;
    return (
      own ??
      (element === 'slider' ? this.#replyValue(call) : undefined) ??
      replyAccessible(call, this.#exported(element), this.#name)
    );
  }

  #exported(element: ProbeElement | 'application'): ExportedObject {
    const toolkit = OWN_TOOLKIT;
    const none = { actions: [], perform: () => false, toolkit };
    if (element === 'application')
      return {
        ...none,
        nativeRole: APPLICATION,
        name: this.#parts.title,
        states: [],
        parent: { bus: REGISTRY_NAME, path: ROOT_PATH },
        indexInParent: () => -1,
        children: () => [this.#reference('window')],
        childCount: 1,
        interfaces: ['Accessible', 'Application'],
        extents: () => ({ x: 0, y: 0, width: 0, height: 0 }),
      };
    if (element === 'window')
      return {
        ...none,
        nativeRole: NATIVE.FRAME,
        name: this.#parts.title,
        states: SHOWN,
        parent: this.#reference('application'),
        indexInParent: () => 0,
        children: () => NAMES.map((name) => this.#reference(name)),
        childCount: NAMES.length,
        interfaces: ['Accessible', 'Component'],
        extents: (isInWindow) => this.#place({ x: 0, y: 0, ...PROBE_SIZE }, isInWindow),
      };
    const { box, states, ...facts } = ELEMENTS[element];
    return {
      ...facts,
      toolkit,
      states: element === 'checkbox' && this.#isTicked ? [...states, STATE.CHECKED] : states,
      parent: this.#reference('window'),
      indexInParent: () => NAMES.indexOf(element),
      children: () => [],
      childCount: 0,
      extents: (isInWindow) => this.#place(box, isInWindow),
      perform: (action) => action === 0 && this.#perform(element),
    };
  }

  #perform(element: ProbeElement): boolean {
    if (element === 'button') this.#parts.onPress();
    else if (element === 'checkbox') this.toggle();
    else return false;
    return true;
  }

  #replyText(call: MethodCallMessage): MethodReply | undefined {
    const property = propertyOf(call);
    const [first, second] = call.body;
    const characters = Array.from(this.#text);
    if (property === 'CharacterCount' || property === 'CaretOffset')
      return one('v', new Variant('i', characters.length));
    if (call.member === 'GetText') {
      const end = Number(second);
      return one('s', characters.slice(Number(first), end < 0 ? undefined : end).join(''));
    }
    if (call.member !== 'SetTextContents') return undefined;
    const text = typeof first === 'string' ? first : '';
    if (Array.from(text).length > MAX_CHARACTERS) return one('b', false);
    this.#text = text;
    this.#emitText('delete', characters.join(''));
    this.#emitText('insert', text);
    return one('b', true);
  }

  #replyValue(call: MethodCallMessage): MethodReply | undefined {
    const known: Readonly<Record<string, number>> = {
      MinimumValue: LEVELS.minimum,
      MaximumValue: LEVELS.maximum,
      MinimumIncrement: LEVELS.step,
      CurrentValue: this.#level,
    };
    const value = known[propertyOf(call) ?? ''];
    if (value !== undefined) return one('v', new Variant('d', value));
    if (call.member !== 'Set' || call.interface !== INTERFACE.PROPERTIES || call.body[1] !== 'CurrentValue')
      return undefined;
    const [, , wanted] = call.body;
    const level = wanted instanceof Variant ? Number(wanted.value) : Number.NaN;
    if (!Number.isFinite(level))
      throw new BusError('org.freedesktop.DBus.Error.InvalidArgs', 'a level is a number');
    this.#level = Math.min(LEVELS.maximum, Math.max(LEVELS.minimum, level));
    this.#emit('slider', 'PropertyChange', {
      detail: 'accessible-value',
      value: new Variant('d', this.#level),
    });
    return {};
  }

  #emitText(detail: 'insert' | 'delete', text: string): void {
    if (text === '') return;
    const value = new Variant('s', text);
    this.#emit('textbox', 'TextChanged', { detail, second: Array.from(text).length, value });
  }

  #emit(
    element: ProbeElement,
    member: string,
    event: {
      readonly detail: string;
      readonly first?: number;
      readonly second?: number;
      readonly value?: Variant;
    },
  ): void {
    const { detail, first = 0, second = 0, value = new Variant('i', 0) } = event;
    this.#bus.connection.emit({
      path: pathOf(element),
      interface: OBJECT_EVENT,
      member,
      signature: 'siiva{sv}',
      args: [detail, first, second, value, new Map()],
    });
  }

  async #place(box: Extents, isInWindow: boolean): Promise<Extents> {
    if (isInWindow) return box;
    const { x, y } = await this.#parts.origin();
    return { ...box, x: box.x + x, y: box.y + y };
  }

  #reference(element: ProbeElement | 'application'): ObjectReference {
    return { bus: this.#name, path: pathOf(element) };
  }
}

const REGISTRY_SOCKET = {
  destination: REGISTRY_NAME,
  path: ROOT_PATH,
  interface: 'org.a11y.atspi.Socket',
} as const;
const UNEMBED_MS = 500;

function pathOf(element: ProbeElement | 'application'): string {
  return element === 'application' ? ROOT_PATH : `/org/a11y/atspi/accessible/probe/${element}`;
}

function elementAt(path: string): ProbeElement | 'application' | undefined {
  return (['application', 'window', ...NAMES] as const).find((element) => path === pathOf(element));
}
