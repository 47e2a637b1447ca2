/** `scope-token` of RFC 6749. */
const SCOPE = /^[\u{21}\u{23}-\u{5B}\u{5D}-\u{7E}]{1,256}$/u;
/** Each comes from a server, and all of them stand in one address. */
const MOST = 64;

/** The scopes of several lists that are separated by spaces, each once; `undefined` if there are none. */
export function allScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => (list ?? '').split(' ')).filter((one) => SCOPE.test(one)));
  return scopes.size === 0 ? undefined : [...scopes].slice(0, MOST).join(' ');
}

/** Whether a list contains all scopes of another one. */
export function includesScopes(list: string | undefined, wanted: string | undefined): boolean {
  const has = new Set((list ?? '').split(' '));
  return (wanted ?? '').split(' ').every((one) => one === '' || has.has(one));
}
