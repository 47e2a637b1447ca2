import { loadKernel } from '../../../sandbox/libc-library.ts';
import type { LevelKey } from './key-table.ts';

/** Every toolkit on Wayland needs it, and so do compositors. */
const LIBRARY = 'libxkbcommon.so.0';
/** Neither files nor variables of this machine: the keymap of a compositor is complete. */
const NOTHING_ELSE = 3;
/** It writes to our standard error otherwise. */
const LOG_CRITICAL = 10;
const TEXT_V1 = 1;
const KEY_DOWN = 1;
const KEY_UP = 0;
const MODS_EFFECTIVE = 8;
/** Keycodes of xkb are those of the kernel plus 8. */
const OFFSET = 8;
const LAST_CODE = 255;
const MOST_LAYOUTS = 8;
const SHIFT = 0xffe1;
const LEVEL_3 = 0xfe03;

/** What each key gives in each layout of a keymap, without and with Shift and AltGr. @throws Error if libxkbcommon is missing or refuses the keymap */
export async function readLayouts(keymap: Buffer): Promise<readonly (readonly LevelKey[])[]> {
  const declare = (await loadKernel()).foreign(LIBRARY);
  const call = (name: string, ...values: (number | bigint | Buffer)[]): number | bigint =>
    declare(name, values.length)(...values);
  const context = call('xkb_context_new', NOTHING_ELSE);
  if (!isNull(context)) call('xkb_context_set_log_level', context, LOG_CRITICAL);
  const map = isNull(context)
    ? 0
    : call('xkb_keymap_new_from_buffer', context, keymap, keymap.length, TEXT_V1, 0);
  try {
    if (isNull(map)) throw new Error('libxkbcommon does not accept the keymap of the compositor');
    return readMap(declare, map);
  } finally {
    call('xkb_keymap_unref', map);
    call('xkb_context_unref', context);
  }
}

type Declare = (
  name: string,
  parameters: number,
) => (...values: readonly (number | bigint)[]) => number | bigint;

function readMap(declare: Declare, map: number | bigint): readonly (readonly LevelKey[])[] {
  const state = declare('xkb_state_new', 1)(map);
  const unref = declare('xkb_state_unref', 1);
  const update = declare('xkb_state_update_mask', 7);
  const press = declare('xkb_state_update_key', 3);
  const effective = declare('xkb_state_serialize_mods', 2);
  const symbol = declare('xkb_state_key_get_one_sym', 2);
  try {
    const count = Math.min(MOST_LAYOUTS, low(declare('xkb_keymap_num_layouts', 1)(map)));
    const first = Math.max(OFFSET, low(declare('xkb_keymap_min_keycode', 1)(map)));
    const last = Math.min(LAST_CODE, low(declare('xkb_keymap_max_keycode', 1)(map)));
    const codes = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    const maskOf = (wanted: number): number => {
      update(state, 0, 0, 0, 0, 0, 0);
      const code = codes.find((each) => low(symbol(state, each)) === wanted);
      if (code === undefined) return 0;
      press(state, code, KEY_DOWN);
      const mask = low(effective(state, MODS_EFFECTIVE));
      press(state, code, KEY_UP);
      return mask;
    };
    const shift = maskOf(SHIFT);
    const level3 = maskOf(LEVEL_3);
    const levels = [
      { mask: 0, isShifted: false, isLevel3: false },
      { mask: shift, isShifted: true, isLevel3: false },
      { mask: level3, isShifted: false, isLevel3: true },
      { mask: shift | level3, isShifted: true, isLevel3: true },
    ].filter(({ isShifted, isLevel3 }) => (!isShifted || shift !== 0) && (!isLevel3 || level3 !== 0));
    return Array.from({ length: count }, (_, layout) =>
      levels.flatMap(({ mask, isShifted, isLevel3 }) => {
        update(state, mask, 0, 0, 0, 0, layout);
        return codes
          .map((code) => ({ code: code - OFFSET, keysym: low(symbol(state, code)), isShifted, isLevel3 }))
          .filter(({ keysym }) => keysym !== 0);
      }),
    );
  } finally {
    unref(state);
  }
}

function isNull(pointer: number | bigint): boolean {
  return BigInt(pointer) === 0n;
}

/** Its lower 32 bits: the rest of a register is undefined for a smaller result. */
function low(word: number | bigint): number {
  return Number(BigInt.asUintN(32, BigInt(word)));
}
