/**
 * Regular expressions whose time is bounded by the product of the lengths of expression and text: all ways to match are followed at once, so that nothing
 * is ever tried again.
 */
export interface SafeExpression {
  /** Whether it matches a part of a text that is {@link plain}. */
  test(text: string): boolean;
}

export type ExpressionResult =
  | { readonly expression: SafeExpression; readonly problem?: undefined }
  /** Completes "the expression". */
  | { readonly problem: string; readonly expression?: undefined };

const LONGEST = 256;
const MOST_STATES = 1000;
const DEEPEST = 20;
const MOST_REPEATED = 100;
/** Steps are counted in 32 bits, and a text has far fewer characters than are left. */
const LAST_STEP = 2 ** 30;

type CharacterTest = (character: string) => boolean;
type State =
  | { readonly kind: 'character'; readonly test: CharacterTest; readonly next: number }
  | { readonly kind: 'fork'; readonly next: number; other: number }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'match' };

/** A part of an expression; parts that repeat are built as often as they may occur. */
type Part =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number };

class Mistake extends Error {}

/** @param isWhole it must match the whole text */
export function safeExpression(source: string, { isWhole }: { readonly isWhole: boolean }): ExpressionResult {
  if (source.length > LONGEST) return { problem: `is longer than ${LONGEST} characters` };
  try {
    const part = new Parser(source).parse();
    const whole: Part = {
      kind: 'sequence',
      parts: isWhole ? [{ kind: 'start' }, part, { kind: 'end' }] : [part],
    };
    const states: State[] = [{ kind: 'match' }];
    const first = build(whole, 0, states);
    return { expression: new Machine(states, first) };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    throw error;
  }
}

class Parser {
  private readonly characters: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(source: string) {
    this.characters = Array.from(source);
  }

  parse(): Part {
    const part = this.choice();
    if (this.at < this.characters.length) throw new Mistake('has a ) without a (');
    return part;
  }

  private choice(): Part {
    const parts: Part[] = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return { kind: 'choice', parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    for (;;) {
      const next = this.characters[this.at];
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', parts };
      parts.push(this.repeated(this.single()));
    }
  }

  private single(): Part {
    const character = this.characters[this.at++];
    if (character === '(') return this.group();
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '.') return { kind: 'character', test: () => true };
    if (character === '[') return { kind: 'character', test: this.characterClass() };
    if (character === '\\') return { kind: 'character', test: this.escaped() };
    if (character === undefined || '*+?{}'.includes(character))
      throw new Mistake(`has ${character ?? 'nothing'} where a character is expected`);
    return { kind: 'character', test: same(character) };
  }

  private group(): Part {
    if (this.take('?') && !this.take(':')) throw new Mistake('has a group other than (…) and (?:…)');
    if (++this.depth > DEEPEST) throw new Mistake(`has more than ${DEEPEST} groups inside each other`);
    const part = this.choice();
    if (!this.take(')')) throw new Mistake('has a ( without a )');
    this.depth -= 1;
    return part;
  }

  private repeated(part: Part): Part {
    if (this.take('*')) return this.greedy({ kind: 'repeat', part, least: 0, most: Infinity });
    if (this.take('+')) return this.greedy({ kind: 'repeat', part, least: 1, most: Infinity });
    if (this.take('?')) return this.greedy({ kind: 'repeat', part, least: 0, most: 1 });
    if (!this.take('{')) return part;
    const end = this.characters.indexOf('}', this.at);
    const counts = /^(\d{1,3})(?:(,)(\d{1,3})?)?$/.exec(this.characters.slice(this.at, end).join(''));
    if (end === -1 || counts === null) throw new Mistake('has a { that is not {n}, {n,} or {n,m}');
    this.at = end + 1;
    const [, from = '0', comma, to] = counts;
    const least = Number(from);
    const most = to === undefined ? (comma === undefined ? least : Infinity) : Number(to);
    if (least > MOST_REPEATED || (most !== Infinity && most > MOST_REPEATED))
      throw new Mistake(`repeats something more than ${MOST_REPEATED} times`);
    if (most < least) throw new Mistake('has a {n,m} whose m is smaller than its n');
    return this.greedy({ kind: 'repeat', part, least, most });
  }

  /** How much is taken makes no difference to whether it matches. */
  private greedy(part: Part): Part {
    this.take('?');
    if (['*', '+', '?', '{'].includes(this.characters[this.at] ?? ''))
      throw new Mistake('repeats a repetition without a group');
    return part;
  }

  private characterClass(): CharacterTest {
    const isInverted = this.take('^');
    const tests: CharacterTest[] = [];
    for (;;) {
      const character = this.characters[this.at++];
      if (character === undefined) throw new Mistake('has a [ without a ]');
      if (character === ']') break;
      const next = this.characters[this.at + 1];
      if (character === '\\') tests.push(this.escaped());
      else if (this.characters[this.at] === '-' && next !== undefined && next !== ']') {
        if (next === '\\') throw new Mistake('has a range to an escaped character');
        this.at += 2;
        tests.push(between(character, next));
      } else tests.push(same(character));
    }
    return (given) => tests.some((test) => test(given)) !== isInverted;
  }

  private escaped(): CharacterTest {
    const character = this.characters[this.at++];
    if (character === undefined) throw new Mistake(String.raw`ends with a \ `.trim());
    const known = CLASSES.get(character);
    if (known !== undefined) return known;
    if (/[\p{L}\p{N}]/u.test(character))
      throw new Mistake(String.raw`has \ before ${character}, which is not supported`);
    return same(character);
  }

  private take(character: string): boolean {
    if (this.characters[this.at] !== character) return false;
    this.at += 1;
    return true;
  }
}

const isDigit: CharacterTest = (one) => /[0-9]/.test(one);
const isWord: CharacterTest = (one) => /[\p{L}\p{N}_]/u.test(one);
const isSpace: CharacterTest = (one) => /\s/.test(one);
const CLASSES: ReadonlyMap<string, CharacterTest> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);

function not(test: CharacterTest): CharacterTest {
  return (one) => !test(one);
}

function same(character: string): CharacterTest {
  const lowered = character.toLowerCase();
  return (one) => one === lowered || one === character;
}

function between(from: string, to: string): CharacterTest {
  if (from > to) throw new Mistake(`has the empty range ${from}-${to}`);
  const isIn: CharacterTest = (one) => one >= from && one <= to;
  return (one) => isIn(one) || isIn(one.toUpperCase());
}

/** Adds the states of a part that is followed by the state `next`. @returns its first state */
function build(part: Part, next: number, states: State[]): number {
  if (states.length > MOST_STATES) throw new Mistake('is too large when its repetitions are written out');
  if (part.kind === 'character') return states.push({ kind: 'character', test: part.test, next }) - 1;
  if (part.kind === 'start' || part.kind === 'end') return states.push({ kind: part.kind, next }) - 1;
  if (part.kind === 'sequence')
    return part.parts.reduceRight((after, one) => build(one, after, states), next);
  if (part.kind === 'choice')
    return part.parts
      .map((one) => build(one, next, states))
      .reduce((before, one) => states.push({ kind: 'fork', next: before, other: one }) - 1);
  return buildRepeated(part, next, states);
}

function buildRepeated(
  { part, least, most }: Extract<Part, { readonly kind: 'repeat' }>,
  next: number,
  states: State[],
): number {
  let after = next;
  if (most === Infinity) {
    const loop: State = { kind: 'fork', next, other: next };
    after = states.push(loop) - 1;
    loop.other = build(part, after, states);
  } else
    for (let count = least; count < most; count += 1)
      after = states.push({ kind: 'fork', next, other: build(part, after, states) }) - 1;
  for (let count = 0; count < least; count += 1) after = build(part, after, states);
  return after;
}

/** Follows all ways at once. What is compared again and again is allocated once. */
class Machine implements SafeExpression {
  private readonly states: readonly State[];
  private readonly first: number;
  /** It can only match from the beginning. */
  private readonly isAnchored: boolean;
  /** When each state was reached last. */
  private readonly reachedAt: Int32Array;
  private step = 0;

  constructor(states: readonly State[], first: number) {
    this.states = states;
    this.first = first;
    this.isAnchored = states[first]?.kind === 'start';
    this.reachedAt = new Int32Array(states.length).fill(-1);
  }

  test(text: string): boolean {
    const characters = Array.from(text);
    let current: number[] = [];
    this.begin();
    for (let at = 0; at <= characters.length; at += 1) {
      const place = { isStart: at === 0, isEnd: at === characters.length };
      if (at === 0 || !this.isAnchored) current.push(this.first);
      const reached = this.reach(current, place);
      if (reached === undefined) return true;
      const character = characters[at];
      if (character === undefined || reached.length === 0) break;
      current = [];
      for (const index of reached) {
        const state = this.states[index];
        if (state?.kind === 'character' && state.test(character)) current.push(state.next);
      }
      if (current.length === 0 && this.isAnchored) break;
    }
    return false;
  }

  private begin(): void {
    if (this.step < LAST_STEP) return;
    this.step = 0;
    this.reachedAt.fill(-1);
  }

  /** The states that wait for a character and are reached without one; `undefined` if it matches. */
  private reach(
    waiting: number[],
    { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
  ): readonly number[] | undefined {
    this.step += 1;
    const found: number[] = [];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (this.reachedAt[index] === this.step) continue;
      this.reachedAt[index] = this.step;
      const state = this.states[index];
      if (state === undefined) continue;
      if (state.kind === 'match') return undefined;
      if (state.kind === 'character') found.push(index);
      else if (state.kind === 'fork') waiting.push(state.next, state.other);
      else if (state.kind === 'start' ? isStart : isEnd) waiting.push(state.next);
    }
    return found;
  }
}
