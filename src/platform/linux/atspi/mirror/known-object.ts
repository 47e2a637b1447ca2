import type { InterfaceSet } from '../tree/cache-items.ts';
import type { StateBits } from '../tree/states.ts';
import type { Extents, ObjectReference, Relation } from '../tree/object-facts.ts';

/** What an object can be asked, and what it answers. */
interface Questions {
  state: StateBits;
  role: number;
  name: string;
  interfaces: InterfaceSet;
  children: readonly ObjectReference[];
  childCount: number;
  description: string;
  identifier: string;
  attributes: ReadonlyMap<string, string>;
  relations: readonly Relation[];
  actionCount: number;
  actionNames: readonly string[];
  value: number;
  characterCount: number;
  /** The beginning of its text, up to a place. */
  text: { readonly end: number; readonly text: string };
  selectedCount: number;
  selectedChild: ObjectReference;
  /** Where it is; never kept, since nothing reports that. */
  screenExtents: Extents;
  windowExtents: Extents;
}

/** What one object answered when it was read; an answer is absent until it was asked for, and after it was forgotten. */
export type Answers = Partial<Questions>;

/** Where the answer to one question is kept. */
export interface Slot<T> {
  readonly question: keyof Answers;
  readonly read: (answers: Answers) => T | undefined;
  readonly write: (answers: Answers, answer: T) => void;
}

/** The slot that is one field of {@link Questions}. */
export function slotOf<K extends Exclude<keyof Questions, 'text'>>(key: K): Slot<Questions[K]> {
  return {
    question: key,
    read: (answers) => answers[key],
    write: (answers, answer) => {
      answers[key] = answer;
    },
  };
}

/** The slot of a text up to a place; one text is kept of each object. */
export function textSlot(end: number): Slot<string> {
  return {
    question: 'text',
    read: ({ text }) => (text?.end === end ? text.text : undefined),
    write: (answers, text) => {
      answers.text = { end, text };
    },
  };
}

/** One object of an application, as far as it is known. */
export class KnownObject {
  readonly path: string;
  answers: Answers = {};
  /** Where it was when that was asked last, unless something of it was forgotten since. Only readings that do with this use it. */
  places: Pick<Answers, 'screenExtents' | 'windowExtents'> = {};
  /** Its children when they were read last, even if they may have changed since. */
  listed: readonly ObjectReference[] = [];
  /** The structure of its application, by the count of the mirror, when its children were kept. */
  structure = 0;
  /** The object whose list of children named it last. */
  parent: KnownObject | undefined = undefined;
  /** It is inside a web page, at any depth. */
  isInPage = false;
  /** It is inside a list, tree or table, at any depth. */
  isInView = false;
  /** When something of it was forgotten last, on the clock of its mirror: what was asked before that is not kept. */
  changedAt: number;

  constructor(path: string, changedAt: number) {
    this.path = path;
    this.changedAt = changedAt;
  }
}
