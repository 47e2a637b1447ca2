import type { CacheItem } from '../tree/cache-items.ts';
import type { ObjectReference } from '../tree/object-facts.ts';
import { NATIVE } from '../tree/roles.ts';
import { hasState } from '../tree/states.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';
import { isPlace, isReported, isView, tellsMoves } from './trust.ts';
import { KnownObject, slotOf, type Answers, type Slot } from './known-object.ts';
import { isSameAnswer } from './same-answer.ts';

const STRUCTURAL: ReadonlySet<keyof Answers> = new Set(['children', 'childCount']);
/** Of one application; a window has rarely more than 10,000. */
const MAX_OBJECTS = 60_000;

/**
 * What the objects of one application answered, until an event says that it may have changed. It is filled by readings, so it costs no call of its
 * own. What was asked before an event and answered after it is not kept: the answer may be of either time.
 */
export class Mirror {
  readonly #objects = new Map<string, KnownObject>();
  readonly #toolkit: () => ToolkitKind;
  /** Counts events. */
  #now = 0;
  /** Counts changes of structure; see {@link restructured}. */
  #structure = 0;
  /** When the structure changed last. */
  #restructuredAt = 0;
  /** Counts what else replaced or removed a kept answer; see {@link version}. */
  #corrections = 0;
  /** Answers to what was asked before this time are not kept. */
  #since = Number.POSITIVE_INFINITY;

  constructor(toolkit: () => ToolkitKind) {
    this.#toolkit = toolkit;
  }

  /** The time by its own clock, for {@link keep}. */
  get now(): number {
    return this.#now;
  }

  /** As long as it stays, so does every answer that was kept. */
  get version(): number {
    return this.#now + this.#corrections;
  }

  /** Events arrive from now on, so answers to later questions may be kept. */
  begin(): void {
    this.#now++;
    this.#since = this.#now;
  }

  /** Events may have been missed. */
  end(): void {
    this.#objects.clear();
    this.#since = Number.POSITIVE_INFINITY;
  }

  /** Whether an object's children are known, so that reading it costs little. */
  hasTree(path: string): boolean {
    return this.answer(path, slotOf('children')) !== undefined;
  }

  answer<T>(path: string, slot: Slot<T>): T | undefined {
    const known = this.#objects.get(path);
    if (known === undefined || (STRUCTURAL.has(slot.question) && known.structure !== this.#structure))
      return undefined;
    return slot.read(known.answers);
  }

  /** Where an object was when it was read last; nothing reports that it was moved. */
  lastPlace<T>(path: string, slot: Slot<T>): T | undefined {
    const known = this.#objects.get(path);
    return known && slot.read(known.places);
  }

  /** The object that a question is about; events that arrive before the answer are noted in it. */
  object(path: string): KnownObject {
    const known = this.#objects.get(path);
    if (known) return known;
    if (this.#objects.size >= MAX_OBJECTS) {
      this.#objects.clear();
      this.#corrections++;
    }
    const made = new KnownObject(path, 0);
    this.#objects.set(path, made);
    return made;
  }

  /** Keeps an answer to what was asked at a time, unless it may be out of date. */
  keep<T>(object: KnownObject, slot: Slot<T>, answer: T, askedAt: number): void {
    if (!this.#mayKeep(object, askedAt)) return;
    if (STRUCTURAL.has(slot.question)) {
      if (askedAt < this.#restructuredAt) return;
      if (object.structure !== this.#structure) forgetChildren(object);
      object.structure = this.#structure;
    }
    if (slot.question === 'children') {
      const listed: Answers = {};
      slot.write(listed, answer);
      this.#adopt(object, listed.children ?? []);
    }
    if (isPlace(slot.question)) slot.write(object.places, answer);
    const { answers } = object;
    const before = slot.read(answers);
    if (isReported(this.#toolkit(), object, slot.question)) {
      slot.write(answers, answer);
      if (before !== undefined && !isSameAnswer(before, answer)) this.#corrections++;
    } else if (answers[slot.question] !== undefined) {
      // What was kept while it was reported is of another time.
      delete answers[slot.question];
      this.#corrections++;
    }
  }

  /** Keeps the objects of a bulk read, and the children of those of which it names them all. */
  keepItems(
    items: readonly CacheItem[],
    askedAt: number,
    childrenOf: (item: CacheItem) => readonly ObjectReference[] | undefined,
  ): void {
    for (const item of items) {
      const { path, states, nativeRole, name, interfaces, description } = item;
      const object = this.object(path);
      this.keep(object, slotOf('state'), states, askedAt);
      this.keep(object, slotOf('role'), nativeRole, askedAt);
      this.keep(object, slotOf('name'), name, askedAt);
      this.keep(object, slotOf('interfaces'), interfaces, askedAt);
      this.keep(object, slotOf('description'), description, askedAt);
      const children = childrenOf(item);
      if (children !== undefined) this.keep(object, slotOf('children'), children, askedAt);
    }
  }

  /** Something about an object changed. */
  changed(path: string): void {
    this.#now++;
    const object = this.#objects.get(path);
    if (object) this.#forget(object);
  }

  /** States that an object shares with what is in it changed, such as being on screen. */
  changedInside(path: string): void {
    this.#now++;
    const object = this.#objects.get(path);
    if (object) this.#forgetStates(object, new Set());
  }

  /** Something changed of which the objects around it tell a part, such as their names made of texts inside. */
  changedAround(path: string): void {
    this.changed(path);
    const seen = new Set<KnownObject>();
    for (let at = this.#objects.get(path)?.parent; at !== undefined && !seen.has(at); at = at.parent) {
      seen.add(at);
      this.#forget(at);
    }
  }

  /** An object was added or removed: its path may be another object's now, and its parent may have other children. */
  replaced(path: string): void {
    this.#now++;
    const object = this.#objects.get(path);
    if (!object) return;
    if (object.parent) this.#forget(object.parent);
    this.#remove(object);
  }

  /** Something came, went or moved, and the toolkit does not say from where to where. */
  restructured(): void {
    this.#now++;
    if (tellsMoves(this.#toolkit())) return;
    this.#structure++;
    this.#restructuredAt = this.#now;
  }

  /** Another element got the focus: not every toolkit reports who lost it. */
  stateMoved(state: number): void {
    this.#now++;
    for (const object of this.#objects.values()) {
      const { state: bits } = object.answers;
      if (bits !== undefined && hasState(bits, state)) this.#forget(object);
    }
  }

  #mayKeep(object: KnownObject, askedAt: number): boolean {
    return askedAt >= this.#since && object.changedAt <= askedAt && this.#objects.get(object.path) === object;
  }

  #adopt(parent: KnownObject, children: readonly ObjectReference[]): void {
    const left = new Set(parent.listed.map(({ path }) => path));
    parent.listed = children;
    for (const { path } of children) {
      left.delete(path);
      const child = this.object(path);
      const isMoved = child.parent !== undefined && child.parent !== parent;
      if (isMoved) this.#remove(child);
      const current = this.object(path);
      current.parent = parent;
      const { role = NATIVE.UNKNOWN } = parent.answers;
      current.isInPage = parent.isInPage || role === NATIVE.DOCUMENT_WEB;
      current.isInView = parent.isInView || isView(role);
    }
    for (const path of left) {
      const child = this.#objects.get(path);
      if (child?.parent === parent) this.#remove(child);
    }
  }

  #forget(object: KnownObject): void {
    object.changedAt = this.#now;
    object.answers = {};
    object.places = {};
  }

  #forgetStates(object: KnownObject, seen: Set<KnownObject>): void {
    if (seen.has(object)) return;
    seen.add(object);
    object.changedAt = this.#now;
    delete object.answers.state;
    // Changes in what is hidden are not reported.
    forgetChildren(object);
    for (const { path } of object.listed) {
      const child = this.#objects.get(path);
      if (child?.parent === object) this.#forgetStates(child, seen);
    }
  }

  #remove(object: KnownObject): void {
    if (this.#objects.get(object.path) !== object) return;
    this.#corrections++;
    this.#objects.delete(object.path);
    for (const { path } of object.listed) {
      const child = this.#objects.get(path);
      if (child?.parent === object) this.#remove(child);
    }
  }
}

function forgetChildren({ answers }: KnownObject): void {
  delete answers.children;
  delete answers.childCount;
}
