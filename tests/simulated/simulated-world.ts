import type { Screen } from '../../src/ports/desktop/desktop.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { Role } from '../../src/model/tree/role.ts';
import type { State } from '../../src/model/tree/state.ts';
import type { Caret, SemanticAct } from '../../src/ports/desktop/acts.ts';
import type { DesktopEvent, DesktopEventKind } from '../../src/ports/desktop/events.ts';
import type { WindowRequest } from '../../src/ports/desktop/windows.ts';
import type { MouseButton, Point } from '../../src/ports/input.ts';
import type { DesktopNotification, NotificationListener } from '../../src/ports/notifications.ts';
import { SimulatedClock, type WorldClock } from './simulated-clock.ts';

/** One scripted element. `id` is its path in the world and never reused. */
export interface SimulatedNode {
  readonly id: string;
  role: Role;
  name?: string;
  value?: string;
  description?: string;
  states?: State[];
  bounds?: Bounds;
  /** Names of its actions; the first runs on a press. None: it cannot be pressed. */
  actions?: string[];
  /** Takes text (`text`) or numbers (`number`) through accessibility; `lies` accepts and does nothing. */
  accepts?: 'text' | 'number' | 'lies';
  /** The formatting of each character of its text, which writing it as a whole loses; `whole-only`: no part of it can be changed. */
  runs?: readonly string[] | 'whole-only';
  /** Reports that it did not act when it is pressed. */
  denies?: boolean;
  caret?: Caret;
  /** It takes a text that was set only on Enter. */
  pends?: boolean;
  range?: { minimum: number; maximum: number; step: number };
  /** What a press does, after the toolkit's activation delay. */
  onPress?: (world: SimulatedWorld) => void;
  /** What its semantic acts do, after the toolkit's activation delay; absent ones are not supported. */
  onAct?: Partial<Record<SemanticAct, (world: SimulatedWorld) => void>>;
  /** What a pointer button does to it; by default the left one presses it. */
  onPointer?: Partial<Record<MouseButton, (world: SimulatedWorld) => void>>;
  onHover?: (world: SimulatedWorld) => void;
  /** At the moment a button of the pointer goes down on it. */
  onDown?: (world: SimulatedWorld) => void;
  onWheel?: (world: SimulatedWorld, notches: { readonly x: number; readonly y: number }) => void;
  /** What a combination of keys does while it has the focus. */
  onKey?: (world: SimulatedWorld, keys: string) => void;
  /** Opening it takes the next click and key. */
  grabs?: boolean;
  onScrollIntoView?: (world: SimulatedWorld) => void;
  /** What choosing it in its container does. */
  onChoose?: (world: SimulatedWorld) => void;
  /** See {@link NodeDetails.closesWhenUsed}. */
  closesWhenUsed?: boolean;
  /** See {@link NodeDetails.mayBeBehindHeader}. */
  mayBeBehindHeader?: boolean;
  /** See {@link NodeDetails.isCheckableGroup}. */
  isCheckableGroup?: boolean;
  /** See {@link NodeDetails.mayBeSilent}. */
  mayBeSilent?: boolean;
  /** See {@link NodeDetails.isDefault}. */
  isDefault?: boolean;
  /** See {@link NodeDetails.keyBindings}. */
  keyBindings?: readonly string[];
  /** See {@link TreeNode.staysPressed}. */
  staysPressed?: boolean;
  /** See {@link TreeNode.isNamedByPlace}. */
  isNamedByPlace?: boolean;
  formula?: string;
  /** Time until a press is answered; the handler runs all the same. */
  answersAfterMs?: number;
  children?: SimulatedNode[];
}

export interface SimulatedWindow {
  readonly id: string;
  title: string;
  bounds: Bounds;
  focused?: boolean;
  minimized?: boolean;
  maximized?: boolean;
  /** See {@link DesktopWindow.modal}. */
  modal?: boolean;
  transientFor?: string;
  /** See {@link DesktopWindow.isTreeOnly}. */
  isTreeOnly?: boolean;
  /** See {@link DesktopWindow.isOpening}. */
  isOpening?: boolean;
  /** See {@link DesktopWindow.otherId}. */
  otherId?: string;
  /** How far its window manager moves it, wrongly, when it is resized. */
  drift?: { readonly x: number; readonly y: number };
  /** No window manager makes it smaller. */
  minimumSize?: { readonly width: number; readonly height: number };
  /** Requests that it accepts without effect (`ignores`), or that are known to have none (`refuses`). */
  ignores?: readonly WindowRequest['kind'][];
  refuses?: readonly WindowRequest['kind'][];
  /** What a request to close does instead of closing. */
  onClose?: (world: SimulatedWorld) => void;
  /** What a combination of keys does if no element handles it. */
  onKey?: (world: SimulatedWorld, keys: string) => void;
  /** What `userTimeMs` answers for it, by the world's clock. */
  userTimeMs?: number;
  /** What it draws on its plain background, on the screen. */
  drawn?: readonly { readonly bounds: Bounds; readonly grey: number }[];
  /** Where it has a menu open that no tree shows. */
  popup?: Bounds;
  /** What lies over it, on the screen. */
  covered?: readonly Bounds[];
  /** Without a root the window shows no tree, for `reason`. */
  root?: SimulatedNode;
  reason?: string;
}

export interface SimulatedApp {
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  toolkit?: string;
  activationDelayMs?: number;
  /** See `DesktopPort.menusAwaitOpening`. */
  menusAwaitOpening?: boolean;
  windows: SimulatedWindow[];
  /** The process that started it, and when. */
  startedBy?: { readonly pid: number; readonly atMs: number };
  /** How its process ends, if it does by itself. */
  exited?: Promise<string>;
  /** What it does when it is asked to quit; without this, it ends at once. */
  onQuit?: (end: () => void) => void;
}

/** A scripted desktop for tests: applications, windows and trees that change only by script, on a simulated clock. */
export class SimulatedWorld {
  readonly clock: WorldClock;
  screen: Screen = { width: 1920, height: 1080 };
  /** Whether the option chosen last was to be added to what is selected. */
  adds = false;
  readonly apps: SimulatedApp[];
  /** Programs that `launch` can start. */
  readonly launchable = new Map<string, () => SimulatedApp>();
  private readonly frozenUntil = new Map<string, number>();
  private readonly listeners = new Set<(event: DesktopEvent) => void>();

  constructor(apps: SimulatedApp[], clock: WorldClock = new SimulatedClock()) {
    this.apps = apps;
    this.clock = clock;
  }

  /** @throws Error if the script names something that does not exist */
  node(appId: string, nodeId: string): SimulatedNode {
    const found = this.findNode(appId, nodeId);
    if (!found) throw new Error(`the simulated application ${appId} has no node ${nodeId}`);
    return found;
  }

  findNode(appId: string, nodeId: string): SimulatedNode | undefined {
    return this.pathTo(appId, nodeId).at(-1);
  }

  /** From the window's root down to the node; empty if there is none. */
  pathTo(appId: string, nodeId: string): SimulatedNode[] {
    for (const window of this.apps.find((app) => app.id === appId)?.windows ?? []) {
      const path = window.root ? search(window.root, nodeId, new Set()) : [];
      if (path.length > 0) return path;
    }
    return [];
  }

  /** Changes fields of a node and sends the events that a toolkit would. */
  change(appId: string, nodeId: string, fields: Partial<Omit<SimulatedNode, 'id'>>): void {
    const node = this.node(appId, nodeId);
    const before = new Set(node.states);
    Object.assign(node, fields);
    if (fields.name !== undefined) this.emit(appId, nodeId, 'name-changed', 'accessible-name');
    if (fields.value !== undefined)
      this.emit(appId, nodeId, node.accepts === 'text' ? 'text-changed' : 'value-changed', '');
    for (const state of fields.states ?? [])
      if (!before.has(state)) this.emit(appId, nodeId, stateEvent(state), `${state}=1`);
    for (const state of before)
      if (fields.states && !fields.states.includes(state))
        this.emit(appId, nodeId, stateEvent(state), `${state}=0`);
  }

  remove(appId: string, nodeId: string): void {
    const parent = this.pathTo(appId, nodeId).at(-2);
    if (!parent?.children)
      throw new Error(`the simulated application ${appId} has no removable node ${nodeId}`);
    parent.children = parent.children.filter((child) => child.id !== nodeId);
    this.emit(appId, parent.id, 'children-changed', 'remove');
  }

  insert(appId: string, parentId: string, node: SimulatedNode, index = Number.POSITIVE_INFINITY): void {
    const parent = this.node(appId, parentId);
    parent.children = [
      ...(parent.children ?? []).slice(0, index),
      node,
      ...(parent.children ?? []).slice(index),
    ];
    this.emit(appId, parentId, 'children-changed', 'add');
  }

  focusedWindow(): SimulatedWindow | undefined {
    return this.apps.flatMap(({ windows }) => windows).find(({ focused }) => focused);
  }

  /** The element of the focused window that keys go to. */
  focusedElement(): { readonly appId: string; readonly node: SimulatedNode } | undefined {
    for (const app of this.apps)
      for (const { focused, root } of app.windows) {
        const node = focused && root && descend(root).find(({ states }) => states?.includes('focused'));
        if (node) return { appId: app.id, node };
      }
    return undefined;
  }

  /** Gives an element the focus of its application. */
  focus(appId: string, nodeId: string): void {
    for (const { root } of this.apps.find(({ id }) => id === appId)?.windows ?? [])
      for (const node of root ? descend(root) : [])
        if (node.id !== nodeId && node.states?.includes('focused'))
          this.change(appId, node.id, { states: node.states.filter((state) => state !== 'focused') });
    const { states = [] } = this.node(appId, nodeId);
    if (!states.includes('focused')) this.change(appId, nodeId, { states: [...states, 'focused'] });
  }

  /** The window at a point of the screen: the focused one is above the others, of which the last is the highest. */
  windowAt(point: Point): { readonly app: SimulatedApp; readonly window: SimulatedWindow } | undefined {
    const all = this.apps.flatMap((app) => app.windows.map((window) => ({ app, window })));
    const here = all.filter(({ window }) => !window.minimized && contains(window.bounds, point));
    return here.find(({ window }) => window.focused) ?? here.at(-1);
  }

  /** The innermost element at a point of the screen; later siblings are above earlier ones. */
  elementAt(point: Point): { readonly appId: string; readonly node: SimulatedNode } | undefined {
    const found = this.windowAt(point);
    const node = found?.window.root && innermost(found.window.root, point);
    return found && node && { appId: found.app.id, node };
  }

  /** The application does not answer for this many virtual milliseconds. */
  freeze(appId: string, ms: number): void {
    this.frozenUntil.set(appId, this.clock.now() + ms);
  }

  frozenForMs(appId: string): number {
    return Math.max(0, (this.frozenUntil.get(appId) ?? 0) - this.clock.now());
  }

  /** Those who hear the notifications of applications. */
  readonly hearing = new Set<NotificationListener>();

  hearNotifications(listener: NotificationListener): () => void {
    this.hearing.add(listener);
    return () => this.hearing.delete(listener);
  }

  notify(notification: DesktopNotification): void {
    for (const { notified } of this.hearing) notified(notification);
  }

  listen(listener: (event: DesktopEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(appId: string, nodeId: string, kind: DesktopEventKind, detail: string): void {
    for (const listener of this.listeners)
      listener({ kind, node: { app: appId, path: nodeId }, detail, atMs: this.clock.now() });
  }
}

export function contains({ x, y, width, height }: Bounds, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function innermost(node: SimulatedNode, point: Point): SimulatedNode | undefined {
  for (const child of (node.children ?? []).toReversed()) {
    const found = innermost(child, point);
    if (found) return found;
  }
  const isShown = !node.states?.includes('hidden') && !node.states?.includes('offscreen');
  return isShown && node.bounds && contains(node.bounds, point) ? node : undefined;
}

function descend(node: SimulatedNode): SimulatedNode[] {
  return [node, ...(node.children ?? []).flatMap(descend)];
}

function stateEvent(state: State): DesktopEventKind {
  return state === 'focused' ? 'focus-changed' : 'state-changed';
}

function search(node: SimulatedNode, id: string, seen: Set<SimulatedNode>): SimulatedNode[] {
  if (node.id === id) return [node];
  if (seen.has(node)) return [];
  seen.add(node);
  for (const child of node.children ?? []) {
    const below = search(child, id, seen);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
