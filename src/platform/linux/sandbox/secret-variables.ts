/** Patterns that mark a secret anywhere in a name, and patterns that must match a whole word. */
const SECRET_NAMES = [
  /PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PASS_?FILE|SECRET|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|CONNECTION_?STRING|WEB_?HOOK/i,
  /TOKENS?(?:$|[_\d])/i,
  /(?:^|_)(?:AUTH|AUTHORIZATION|BEARER|COOKIE|COOKIES|DSN|JWT|KEY|KEYS|OTP|PASS|PAT|PIN|PWD|SAS|SK)(?:$|_(?!DIR|PATH|HOME))/i,
  /_auth(?:token)?$/i,
];

/** Names that look like secrets but are not. */
const HARMLESS = new Set(['PWD', 'OLDPWD', 'INIT_CWD', 'GIT_TERMINAL_PROMPT']);

const SECRET_VALUES = [
  // A password in a URL.
  /[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i,
  // A secret among the parameters of a URL or in a connection string.
  /(?:^|[?&;\s])(?:\w+[_-])?(?:access_?key|account_?key|api_?key|auth|key|password|pwd|secret|shared_?access_?(?:key|signature)|sig|signature|token)=[^&;\s]{6,}/i,
  // Webhook addresses are secrets themselves: anyone who knows one can post to it.
  /:\/\/(?:hooks\.slack\.com\/|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/|[\w.-]*webhook\.office\.com\/|outlook\.office(?:365)?\.com\/webhook|hooks\.zapier\.com\/|maker\.ifttt\.com\/|chat\.googleapis\.com\/|api\.telegram\.org\/bot)/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{12,}/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\./,
  /\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeprs]-|xapp-|npm_|hf_|dop_v1_|shpat_|pypi-AgE|SG\.|sq0[a-z]{3}-|key-|lin_api_|ntn_|pat[A-Za-z0-9]{10,}\.)[\w-]{16,}/,
  /\b(?:sk|rk|whsec)_(?:(?:live|test|prod)_)?[A-Za-z0-9]{6,}/,
  /\bsk-(?:ant-|proj-|or-)?[\w-]{20,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\bya29\.[\w-]{20,}/,
];

/** Whether a variable is probably a secret, by its name or by the shape of its value. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS.has(name)) return false;
  return (
    SECRET_NAMES.some((pattern) => pattern.test(name)) ||
    SECRET_VALUES.some((pattern) => pattern.test(value)) ||
    isRandom(value)
  );
}

const LEAST_RANDOM = 20;
const MOST_RANDOM = 1024;
/** In random text of 62 characters the class changes at more than half of them; in names of versions and builds at a fifth. */
const LEAST_CHANGES = 0.4;

/** Whether a value is one word of random small letters, capitals and digits, as most keys are. Hexadecimal digests have no capitals. */
function isRandom(value: string): boolean {
  const { length } = value;
  if (length < LEAST_RANDOM || length > MOST_RANDOM || !/^[A-Za-z0-9_+=][A-Za-z0-9_+/=-]*$/.test(value))
    return false;
  const classes = Array.from(value, (character) => classOf(character)).filter((kind) => kind !== undefined);
  const isMixed = ['small', 'capital', 'digit'].every(
    (kind) => classes.filter((found) => found === kind).length >= 3,
  );
  const changes = classes.filter((kind, index) => index > 0 && kind !== classes[index - 1]).length;
  return isMixed && changes >= LEAST_CHANGES * length;
}

function classOf(character: string): 'small' | 'capital' | 'digit' | undefined {
  if (/[a-z]/.test(character)) return 'small';
  if (/[A-Z]/.test(character)) return 'capital';
  return /\d/.test(character) ? 'digit' : undefined;
}
