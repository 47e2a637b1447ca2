import { isModifier, type KeyName, type NamedKey } from '../../../../../../model/text/key-combination.ts';
import type { FakeInput } from '../fake-input.ts';
import type { KeyboardMap, Stroke } from './keyboard-map.ts';
import type { TextUnit } from '../../../keys/keyboard-text.ts';
import { keysymForCharacter, NAMED_KEYSYMS } from '../../../keys/keysyms.ts';

/** Keys that toggle locks: the current locks are then left unchanged. */
const LOCKING: ReadonlySet<NamedKey> = new Set<NamedKey>(['CapsLock', 'NumLock', 'ScrollLock']);

/** The strokes of the first characters, up to one that no key produces. */
export function available(map: KeyboardMap, units: readonly TextUnit[]): readonly Stroke[] {
  const strokes: Stroke[] = [];
  for (const { character } of units) {
    const stroke = map.strokeFor(keysymForCharacter(character), map.state.baseMods);
    if (stroke === undefined) break;
    strokes.push(stroke);
  }
  return strokes;
}

export function modifierKeycodes(map: KeyboardMap, modifiers: number): readonly number[] {
  return [...map.modifierKeys].flatMap(([modifier, keycode]) =>
    (modifiers & modifier) === 0 ? [] : [keycode],
  );
}

export function strokeOf(map: KeyboardMap, key: KeyName): Stroke | undefined {
  if (key.kind === 'character') return map.strokeFor(keysymOfKey(key), 0);
  const strokes = NAMED_KEYSYMS[key.name].map((keysym) => map.strokeFor(keysym, 0));
  // A modifier key that is not bound to a modifier has no effect.
  return strokes.find(
    (stroke) => stroke !== undefined && (!isModifier(key) || map.xkb.modifiers.has(stroke.keycode)),
  );
}

export function keysymOfKey(key: KeyName): number {
  return key.kind === 'character' ? keysymForCharacter(key.text) : NAMED_KEYSYMS[key.name][0];
}

export function isLocking(key: KeyName): boolean {
  return key.kind === 'named' && LOCKING.has(key.name);
}

/** Distinct keysyms of characters that the layout lacks. */
export function lacking(
  map: KeyboardMap,
  units: readonly TextUnit[],
  isBorrowed: (keycode: number) => boolean,
): readonly number[] {
  const keysyms = new Set(units.map(({ character }) => keysymForCharacter(character)));
  return [...keysyms].filter((keysym) => {
    const stroke = map.strokeFor(keysym, map.state.baseMods);
    return stroke === undefined || isBorrowed(stroke.keycode);
  });
}

/** Sends strokes in order; modifiers stay down between strokes that share them. */
export function sendStrokes(
  fake: FakeInput,
  map: KeyboardMap,
  strokes: readonly Stroke[],
  useGroup: (group: number) => void,
): void {
  let added = 0;
  const add = (wanted: number): void => {
    for (const [modifier, keycode] of map.modifierKeys) {
      if (((added ^ wanted) & modifier) !== 0) fake.key(keycode, (wanted & modifier) !== 0);
    }
    added = wanted;
  };
  for (const { keycode, group, modifiers } of strokes) {
    useGroup(group);
    add(modifiers);
    fake.key(keycode, true);
    fake.key(keycode, false);
  }
  add(0);
}
