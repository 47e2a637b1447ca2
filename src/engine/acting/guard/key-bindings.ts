import type { KeyName } from '../../../model/text/key-combination.ts';

/** Toolkits write `<Control>d` (GTK) or `Ctrl+D` (Qt), and several with `;` between them. */
const SEPARATOR = ';';
/** `<Alt>e:d` is a way through menus, and `Ctrl+K, Ctrl+D` two presses: neither presses it at once. */
const IN_STEPS = /[:,]./;

const MODIFIERS: Readonly<Record<string, string>> = {
  control: 'Control',
  ctrl: 'Control',
  primary: 'Control',
  strg: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  mod1: 'Alt',
  meta: 'Meta',
  super: 'Meta',
};
const NAMES: Readonly<Record<string, string>> = {
  del: 'delete',
  kp_delete: 'delete',
  return: 'enter',
  backspace: 'backspace',
  space: ' ',
};

/** Whether keys press an element, by what its toolkit says of it. Where it says nothing, Alt and the first letter of a word in its name may. */
export function isKeyOf(
  keys: readonly KeyName[],
  { name, bindings }: { readonly name: string; readonly bindings: readonly string[] },
  { isInMenu, isShown }: { readonly isInMenu: boolean; readonly isShown: boolean },
): boolean {
  const pressed = written(keys.map(nameOf));
  const known = bindings.flatMap((binding) => binding.split(SEPARATOR)).flatMap(parsed);
  const letter = keys.at(-1);
  const isPlainLetter = keys.length === 1 && letter?.kind === 'character';
  if (isPlainLetter && !isInMenu) return false;
  if (known.length > 0)
    return known.includes(pressed) || (!isInMenu && known.some((key) => isAccessKey(key, pressed)));
  const isMnemonic = isPlainLetter || /^Alt\+.$/u.test(pressed);
  if (!isShown || !isMnemonic || letter?.kind !== 'character') return false;
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(letter.text.toLowerCase()));
}

/** Browsers write only the letter of the attribute `accesskey`; which keys go with it depends on browser and platform. */
function isAccessKey(letter: string, pressed: string): boolean {
  return (
    /^.$/u.test(letter) && ['Alt', 'Shift+Alt', 'Control+Alt'].some((keys) => pressed === `${keys}+${letter}`)
  );
}

/** `<Control><Shift>Delete`, `Ctrl+Shift+Del` */
function parsed(binding: string): string[] {
  if (binding === '' || IN_STEPS.test(binding)) return [];
  const words = binding.includes('<')
    ? [...binding.matchAll(/<([^<>]+)>|([^<>]+)/g)].map(([, modifier, key]) => modifier ?? key ?? '')
    : binding.split('+');
  const clean = words.map((word) => word.trim()).filter((word) => word !== '');
  return clean.length === 0 || clean.length > 5 ? [] : [written(clean)];
}

const ORDER = ['Control', 'Shift', 'Alt', 'AltGraph', 'Meta'];

function written(words: readonly string[]): string {
  const last = (words.at(-1) ?? '').toLowerCase();
  const modifiers = words.slice(0, -1).map((word) => MODIFIERS[word.toLowerCase()] ?? word);
  const ordered = modifiers.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return [...ordered, NAMES[last] ?? last].join('+');
}

export function nameOf(key: KeyName): string {
  return key.kind === 'named' ? key.name : key.text;
}
