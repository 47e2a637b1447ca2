import { isSessionName } from '../../../model/sessions/session-name.ts';
import { reveal } from '../../../model/text/untrusted-text.ts';

/** The parsed URI of a resource. */
export type Address =
  | { readonly kind: 'clipboard' }
  | { readonly kind: 'status' | 'apps' | 'operations' | 'terminals' }
  | { readonly kind: 'operation'; readonly operationId: string }
  | { readonly kind: 'journal'; readonly session: string }
  | { readonly kind: 'tree' | 'screenshot' | 'state' | 'events'; readonly app: string }
  | { readonly kind: 'window'; readonly app: string; readonly index: number };

const SCHEME = 'deskterity://';
const MAX_ADDRESS_LENGTH = 2048;
const MAX_NAME_LENGTH = 400;
/** Names of applications contain no control characters. */
const CONTROL = /\p{Cc}/u;
const INDEX = /^(?:0|[1-9]\d{0,3})$/;
const OPERATION = /^op-[a-z2-7]{6,20}$/;

const PLAIN = ['apps', 'clipboard', 'operations', 'terminals'] as const;

function isPlain(word: string | undefined): word is (typeof PLAIN)[number] {
  return PLAIN.some((known) => known === word);
}

const PARTS = ['tree', 'screenshot', 'state', 'events'] as const;

function isPart(word: string | undefined): word is (typeof PARTS)[number] {
  return PARTS.some((known) => known === word);
}

/** `undefined` for unknown and for malicious URIs. */
export function parseAddress(uri: string): Address | undefined {
  if (uri.length > MAX_ADDRESS_LENGTH || !uri.startsWith(SCHEME) || /[?#]/.test(uri)) return undefined;
  const segments = uri.slice(SCHEME.length).split('/');
  const [first, encoded = '', what, index, last] = segments;
  if (segments.length === 2 && first === 'system' && encoded === 'status') return { kind: 'status' };
  if (segments.length === 1 && isPlain(first)) return { kind: first };
  if (segments.length === 2 && first === 'operations' && OPERATION.test(encoded))
    return { kind: 'operation', operationId: encoded };
  if (segments.length === 3 && first === 'session' && what === 'journal' && isSessionName(encoded))
    return { kind: 'journal', session: encoded };
  const app = decodeName(encoded);
  if (first !== 'app' || app === undefined) return undefined;
  if (segments.length === 3 && isPart(what)) return { kind: what, app };
  if (segments.length === 5 && what === 'window' && last === 'tree' && INDEX.test(index ?? ''))
    return { kind: 'window', app, index: Number(index) };
  return undefined;
}

export function formatAddress(address: Address): string {
  if (address.kind === 'status') return `${SCHEME}system/status`;
  if (address.kind === 'operation') return `${SCHEME}operations/${address.operationId}`;
  if (address.kind === 'journal') return `${SCHEME}session/${address.session}/journal`;
  if (!('app' in address)) return `${SCHEME}${address.kind}`;
  const name = encodeURIComponent(address.app);
  return address.kind === 'window'
    ? `${SCHEME}app/${name}/window/${address.index}/tree`
    : `${SCHEME}app/${name}/${address.kind}`;
}

/** Whether a URI with this name leads back to the application. */
export function isAddressable(name: string): boolean {
  // Digits alone mean a process id; invisible characters would make a name look like another.
  if (name !== name.trim() || name !== reveal(name) || /^\d+$/.test(name) || name.length > MAX_NAME_LENGTH)
    return false;
  try {
    const uri = formatAddress({ kind: 'screenshot', app: name });
    return parseAddress(uri) !== undefined;
  } catch {
    // An unpaired surrogate.
    return false;
  }
}

function decodeName(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    const isHostile = name.trim() === '' || name === '.' || name === '..' || CONTROL.test(name);
    return isHostile || name.length > MAX_NAME_LENGTH ? undefined : name;
  } catch {
    return undefined;
  }
}
