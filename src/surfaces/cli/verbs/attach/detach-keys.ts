import { UsageError } from '../../arguments/usage-error.ts';

export const DEFAULT_DETACH_KEYS = 'ctrl-]';

const CONTROL = /^(?:ctrl-|\^)([a-z@[\]\\^_])$/;
const MOST_KEYS = 4;

/** The byte sequences that terminals may send for one key. */
type Encodings = readonly Buffer[];

/**
 * Parses detach keys: `ctrl-]`, or a sequence such as `ctrl-p,ctrl-q`.
 * @throws UsageError
 */
export function parseDetachKeys(text: string): readonly Encodings[] {
  const keys = text.split(',').map((key) => encodingsOf(key));
  const known = keys.flatMap((encodings) => (encodings === undefined ? [] : [encodings]));
  if (known.length === keys.length && keys.length <= MOST_KEYS) return known;
  throw new UsageError(
    'terminal attach',
    `--detach-keys is ${JSON.stringify(text.slice(0, 80))}, but must be one to ${MOST_KEYS} keys such as ctrl-] or ctrl-p,ctrl-q.`,
    `Leave it out for ${DEFAULT_DETACH_KEYS}.`,
  );
}

/** Ctrl and a letter is a control character, or a number in newer keyboard protocols (CSI u, modifyOtherKeys). */
function encodingsOf(key: string): Encodings | undefined {
  const control = CONTROL.exec(key.toLowerCase())?.[1];
  if (control !== undefined) {
    const code = control.codePointAt(0) ?? 0;
    const legacy = Buffer.of(control.toUpperCase().charCodeAt(0) & 0x1f);
    return [legacy, Buffer.from(`\u001B[${code};5u`), Buffer.from(`\u001B[27;5;${code}~`)];
  }
  return /^[\x21-\x7E]$/.test(key) ? [Buffer.from(key)] : undefined;
}

/** Finds the detach keys in typed input, holding back what may be their beginning. */
export class DetachKeys {
  private readonly keys: readonly Encodings[];
  private held: Buffer = Buffer.alloc(0);

  constructor(keys: readonly Encodings[]) {
    this.keys = keys;
  }

  /** The input to forward, and whether the keys were pressed; input after them is discarded. */
  push(typed: Buffer): { readonly typed: Buffer; readonly isDetached: boolean } {
    let rest = Buffer.concat([this.held, typed]);
    this.held = Buffer.alloc(0);
    const passed: Buffer[] = [];
    while (rest.length > 0) {
      const match = this.matchAt(rest);
      if (match === 'whole') return { typed: Buffer.concat(passed), isDetached: true };
      if (match === 'partial') {
        this.held = rest;
        break;
      }
      passed.push(rest.subarray(0, 1));
      rest = rest.subarray(1);
    }
    return { typed: Buffer.concat(passed), isDetached: false };
  }

  private matchAt(bytes: Buffer): 'whole' | 'partial' | 'none' {
    let at = 0;
    for (const encodings of this.keys) {
      const rest = bytes.subarray(at);
      if (rest.length === 0) return at > 0 ? 'partial' : 'none';
      const whole = encodings.find((encoding) => rest.subarray(0, encoding.length).equals(encoding));
      if (whole === undefined)
        return encodings.some((encoding) => isPrefix(rest, encoding)) ? 'partial' : 'none';
      at += whole.length;
    }
    return 'whole';
  }
}

/** A lone escape is a key itself, not a prefix. */
function isPrefix(bytes: Buffer, encoding: Buffer): boolean {
  return (
    bytes.length > 1 && bytes.length < encoding.length && encoding.subarray(0, bytes.length).equals(bytes)
  );
}
