import { UsageError } from '../../arguments/usage-error.ts';

export const DEFAULT_DETACH_KEYS = 'ctrl-]';

const CONTROL = /^(?:ctrl-|\^)([a-z@[\]\\^_])$/;
const MOST_KEYS = 4;

/** The ways in which a terminal may send one key. */
type Ways = readonly Buffer[];

/**
 * Keys by which somebody goes away: `ctrl-]`, or several one after the other, as `ctrl-p,ctrl-q`.
 * @throws UsageError
 */
export function parseDetachKeys(text: string): readonly Ways[] {
  const keys = text.split(',').map((key) => waysOf(key));
  const known = keys.flatMap((ways) => (ways === undefined ? [] : [ways]));
  if (known.length === keys.length && keys.length <= MOST_KEYS) return known;
  throw new UsageError(
    'terminal attach',
    `--detach-keys is ${JSON.stringify(text.slice(0, 80))}, but must be one to ${MOST_KEYS} keys such as ctrl-] or ctrl-p,ctrl-q.`,
    `Leave it out for ${DEFAULT_DETACH_KEYS}.`,
  );
}

/** A letter is sent as it is, one with Ctrl as a control character; newer terminals may be told to send numbers (CSI u, modifyOtherKeys). */
function waysOf(key: string): Ways | undefined {
  const control = CONTROL.exec(key.toLowerCase())?.[1];
  if (control !== undefined) {
    const code = control.codePointAt(0) ?? 0;
    const legacy = Buffer.of(control.toUpperCase().charCodeAt(0) & 0x1f);
    return [legacy, Buffer.from(`\u001B[${code};5u`), Buffer.from(`\u001B[27;5;${code}~`)];
  }
  return /^[\x21-\x7E]$/.test(key) ? [Buffer.from(key)] : undefined;
}

/** Finds the keys in what is typed, and holds back what may be a beginning of them. */
export class DetachKeys {
  private readonly keys: readonly Ways[];
  private held: Buffer = Buffer.alloc(0);

  constructor(keys: readonly Ways[]) {
    this.keys = keys;
  }

  /** What is to be typed on, and whether the keys were pressed; what comes behind them is dropped. */
  push(typed: Buffer): { readonly typed: Buffer; readonly isDetached: boolean } {
    let rest = Buffer.concat([this.held, typed]);
    this.held = Buffer.alloc(0);
    const passed: Buffer[] = [];
    while (rest.length > 0) {
      const match = this.matchAt(rest);
      if (match === 'whole') return { typed: Buffer.concat(passed), isDetached: true };
      if (match === 'begun') {
        this.held = rest;
        break;
      }
      passed.push(rest.subarray(0, 1));
      rest = rest.subarray(1);
    }
    return { typed: Buffer.concat(passed), isDetached: false };
  }

  private matchAt(bytes: Buffer): 'whole' | 'begun' | 'none' {
    let at = 0;
    for (const ways of this.keys) {
      const rest = bytes.subarray(at);
      if (rest.length === 0) return at > 0 ? 'begun' : 'none';
      const whole = ways.find((way) => rest.subarray(0, way.length).equals(way));
      if (whole === undefined) return ways.some((way) => isBeginning(rest, way)) ? 'begun' : 'none';
      at += whole.length;
    }
    return 'whole';
  }
}

/** A lone escape is a key of its own. */
function isBeginning(bytes: Buffer, way: Buffer): boolean {
  return bytes.length > 1 && bytes.length < way.length && way.subarray(0, bytes.length).equals(bytes);
}
