/** The encoded form of a shorter value occurs in ordinary words. */
const SHORTEST = 8;

/**
 * A secret as programs usually encode it: percent-encoding, escapes of JSON, hex, and base64 and base64url wherever in the encoded text it
 * begins. Without itself, and not what is compressed, split or encrypted.
 */
export function encodedSecrets(secret: string): readonly string[] {
  if (secret.length < SHORTEST) return [];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const percent = percentEncoded(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const all = [
    ...percent,
    escaped,
    escaped.replaceAll('/', String.raw`\/`),
    asciiOnly(escaped),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ];
  return [...new Set(all)].filter((form) => form !== secret && form.length >= SHORTEST);
}

/** What different encoders leave as it is. */
function percentEncoded(secret: string): readonly string[] {
  // Half of a surrogate pair has no encoding.
  const wellFormed = Buffer.from(secret).toString();
  const component = encodeURIComponent(wellFormed);
  const strict = component.replaceAll(
    /[!'()*~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const lower = (text: string): string => text.replaceAll(/%[\dA-F]{2}/g, (one) => one.toLowerCase());
  const every = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const spaces = [component, strict].map((form) => form.replaceAll('%20', '+'));
  const forms = [component, strict, ...spaces, every, every.toUpperCase()];
  return [...forms, ...forms.map((form) => lower(form)), encodeURI(wellFormed)];
}

function asciiOnly(text: string): string {
  return text.replaceAll(
    /[^\u0020-\u007e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The characters that depend only on the secret, if so many bytes come before it in a group of three. */
function inBase64(bytes: Buffer, before: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const first = Math.ceil((before * 4) / 3);
  const last = Math.floor((whole.length * 8) / 6);
  const plain = whole.toString('base64').slice(first, last);
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
}
