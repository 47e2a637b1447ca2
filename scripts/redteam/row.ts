import type { World } from './world.ts';

/** What became of an attack. */
export interface Row {
  /** `GROUP/NAME`, by which SECURITY.md refers to it. */
  readonly id: string;
  readonly attack: string;
  /** Where the attacker's text or request goes in. */
  readonly surface: string;
  /** `null` if the attack could not be carried out. */
  readonly held: boolean | null;
  /** The error code or exit code of the answer, if there was an answer. */
  readonly code: string | null;
  /** What was seen, by the application's own record or the answer. */
  readonly evidence: string;
}

export type Outcome = Pick<Row, 'held' | 'evidence'> & { readonly code?: string | undefined };

export interface Attack {
  /** Default: made from the attack and its surface. */
  readonly name?: string;
  /** Why it is not held off. SECURITY.md names the row, too. */
  readonly open?: string;
  readonly attack: string;
  readonly surface: string;
  readonly run: (world: World) => Promise<Outcome>;
}

/** An attack that needs something which this machine lacks. */
export class NotPossible extends Error {}

/** Held if nothing of the secret is in what was shown. */
export function withoutSecret(shown: string, secret: string, code?: string): Outcome {
  const at = shown.indexOf(secret);
  return at === -1
    ? { held: true, code, evidence: `${shown.length} characters without it` }
    : { held: false, code, evidence: `shown: ${JSON.stringify(shown.slice(Math.max(0, at - 60), at + 20))}` };
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Held if the text was shown, without escape sequences, bidirectional marks or a line of its own making. */
export function harmless(
  shown: string,
  { mark, forged }: { mark: string; forged: string },
  code?: string,
): Outcome {
  if (!shown.includes(mark))
    return { held: null, code, evidence: `the text was not shown: ${JSON.stringify(shown.slice(0, 120))}` };
  const control = CONTROLS.exec(shown);
  if (control !== null)
    return {
      held: false,
      code,
      evidence: `a raw U+${control[0].charCodeAt(0).toString(16).padStart(4, '0')} is in the answer`,
    };
  const line = shown.split(/[\n\u0085\u2028\u2029]/u).find((each) => each.trimStart().startsWith(forged));
  return line === undefined
    ? {
        held: true,
        code,
        evidence: `escaped: ${JSON.stringify((/[^\n]*/u.exec(shown.slice(shown.indexOf(mark))) ?? [''])[0].slice(0, 100))}`,
      }
    : { held: false, code, evidence: `a forged line: ${JSON.stringify(line.slice(0, 100))}` };
}
