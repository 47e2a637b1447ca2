import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedNode } from '../../simulated/simulated-world.ts';
import { app, windowWith } from './stage.ts';

export const DISTURBANCES = [
  'move',
  'rename',
  'swap places',
  'remove',
  'recreate',
  'twin',
  'cover by an element',
  'cover by a window',
  'uncover',
  'disable',
  'enable',
  'focus another field',
] as const;

export interface Disturbance {
  readonly kind: (typeof DISTURBANCES)[number];
  readonly at: number;
  readonly other: number;
}

const APP = 'app';
const CELL = { width: 100, height: 40 };
const COLUMNS = 6;

/** A window whose elements record the acts they receive, and that changes between any two calls to the desktop. */
export class UnsteadyWorld {
  readonly world: SimulatedWorld;
  readonly desktop: SimulatedDesktop;
  /** Elements that received an act, by the number they keep when they are recreated. */
  readonly got: { readonly identity: number; readonly what: string }[] = [];
  /** All names that each element has had. */
  readonly names = new Map<number, Set<string>>();
  private readonly identities = new Map<string, number>();
  private nextId = 1;
  private nextCell = 0;
  private due: { readonly afterCalls: number; readonly what: Disturbance }[] = [];
  private calls = 0;

  constructor() {
    const root = windowWith([
      ...['Save', 'Open', 'Close', 'Print', 'Find'].map((name) => this.button(name)),
      // Only a pointer or a key operates these.
      ...['Go', 'Stop'].map((name) => this.button(name, { actions: [] })),
      ...['Wrap', 'Bold'].map((name) => this.check(name)),
      ...['Name', 'City', 'Note'].map((name) => this.field(name)),
    ]);
    root.focused = true;
    const cover = windowWith([], { id: 'cover', title: 'Cover' });
    this.world = new SimulatedWorld([
      app({ windows: [root], activationDelayMs: 100 }),
      app({ id: 'other', pid: 200, name: 'Other', windows: [cover] }),
    ]);
    this.desktop = this.disturbed(new SimulatedDesktop(this.world));
  }

  /** Makes these happen before the next calls to the desktop, one each. */
  disturbLater(due: readonly { readonly afterCalls: number; readonly what: Disturbance }[]): void {
    this.due = due.map(({ afterCalls, what }) => ({ afterCalls: this.calls + afterCalls, what }));
  }

  identityAt({ x, y }: { readonly x: number; readonly y: number }): number | undefined {
    const node = this.elements().find(({ bounds }) => bounds?.x === x && bounds.y === y);
    return node && this.identities.get(node.id);
  }

  apply({ kind, at, other }: Disturbance): void {
    const all = this.elements();
    const [node, second] = [all[at % all.length], all[other % all.length]];
    if (!node || !second) return;
    const { world } = this;
    const states = node.states ?? [];
    if (kind === 'move') world.change(APP, node.id, { bounds: this.nextPlace() });
    if (kind === 'rename') this.rename(node, second.name ?? '');
    if (kind === 'swap places' && node.bounds && second.bounds) {
      const { bounds } = node;
      world.change(APP, node.id, { bounds: second.bounds });
      world.change(APP, second.id, { bounds });
    }
    if (kind === 'remove') this.lose(node);
    if (kind === 'recreate') {
      const identity = this.identities.get(node.id) ?? 0;
      this.lose(node);
      world.insert(APP, 'win-root', this.anew(node, identity));
    }
    if (kind === 'twin') world.insert(APP, 'win-root', this.anew({ ...node, bounds: this.nextPlace() }));
    if (kind === 'cover by an element' && node.bounds)
      world.insert(APP, 'win-root', {
        id: `over${this.nextId++}`,
        role: 'dialog',
        name: 'Over',
        bounds: node.bounds,
      });
    if (kind === 'cover by a window') this.activate('cover');
    if (kind === 'uncover') this.activate('win');
    if (kind === 'disable')
      world.change(APP, node.id, { states: [...new Set([...states, 'disabled' as const])] });
    if (kind === 'enable')
      world.change(APP, node.id, { states: states.filter((state) => state !== 'disabled') });
    if (kind === 'focus another field' && second.accepts) world.focus(APP, second.id);
  }

  private activate(id: string): void {
    for (const { windows } of this.world.apps)
      for (const window of windows) window.focused = window.id === id;
    this.world.emit(APP, 'win-root', 'window-changed', 'focus');
  }

  private rename(node: SimulatedNode, name: string): void {
    this.names.get(this.identities.get(node.id) ?? 0)?.add(name);
    this.world.change(APP, node.id, { name });
  }

  private lose(node: SimulatedNode): void {
    this.world.remove(APP, node.id);
    this.world.emit(APP, node.id, 'state-changed', 'defunct=1');
  }

  private elements(): SimulatedNode[] {
    return (this.world.node(APP, 'win-root').children ?? []).filter(({ id }) => this.identities.has(id));
  }

  private nextPlace(): NonNullable<SimulatedNode['bounds']> {
    const cell = this.nextCell++;
    return {
      x: (cell % COLUMNS) * (CELL.width + 10),
      y: Math.floor(cell / COLUMNS) * (CELL.height + 10),
      ...CELL,
    };
  }

  private anew(node: SimulatedNode, identity?: number): SimulatedNode {
    const more = { bounds: node.bounds ?? this.nextPlace(), actions: node.actions ?? [] };
    if (node.role === 'checkbox') return this.check(node.name ?? '', more, identity);
    if (node.role === 'textbox') return this.field(node.name ?? '', { bounds: more.bounds }, identity);
    return this.button(node.name ?? '', more, identity);
  }

  private make(fields: Omit<SimulatedNode, 'id'>, identity: number | undefined): SimulatedNode {
    const id = `n${this.nextId++}`;
    const own = identity ?? this.nextId;
    this.identities.set(id, own);
    this.names.set(own, new Set([...(this.names.get(own) ?? []), fields.name ?? '']));
    return { id, bounds: this.nextPlace(), ...fields };
  }

  private tell(node: SimulatedNode, what: string): void {
    this.got.push({ identity: this.identities.get(node.id) ?? -1, what });
  }

  private button(name: string, more: Partial<SimulatedNode> = {}, identity?: number): SimulatedNode {
    const node = this.make({ role: 'button', name, actions: ['click'], ...more }, identity);
    node.onPress = () => this.tell(node, 'press');
    node.onPointer = { right: () => this.tell(node, 'right press') };
    node.onAct = { focus: (world) => world.focus(APP, node.id) };
    node.onKey = (_world, keys) => this.tell(node, `key ${keys}`);
    return node;
  }

  private check(name: string, more: Partial<SimulatedNode> = {}, identity?: number): SimulatedNode {
    const node = this.button(name, { role: 'checkbox', ...more }, identity);
    const flip = (world: SimulatedWorld): void => {
      this.tell(node, 'press');
      if (world.findNode(APP, node.id))
        world.change(APP, node.id, { states: node.states?.includes('checked') ? [] : ['checked'] });
    };
    node.onPress = flip;
    node.onAct = { ...node.onAct, toggle: flip };
    return node;
  }

  private field(name: string, more: Partial<SimulatedNode> = {}, identity?: number): SimulatedNode {
    const node = this.make(
      { role: 'textbox', name, accepts: 'text', states: ['editable'], ...more },
      identity,
    );
    let text = '';
    Object.defineProperty(node, 'value', {
      enumerable: true,
      get: () => text,
      set: (value: string) => {
        text = value;
        this.tell(node, 'text');
      },
    });
    node.onAct = { focus: (world) => world.focus(APP, node.id) };
    node.onKey = (_world, keys) => this.tell(node, `key ${keys}`);
    return node;
  }

  /** The desktop, which changes before a call is carried out. */
  private disturbed(desktop: SimulatedDesktop): SimulatedDesktop {
    return new Proxy(desktop, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          this.calls++;
          const now = this.due.filter(({ afterCalls }) => afterCalls <= this.calls);
          this.due = this.due.filter(({ afterCalls }) => afterCalls > this.calls);
          // The last query of a point and the press cannot be separated in time: no check is faster than the display.
          for (const { what } of now) this.apply(what);
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}
