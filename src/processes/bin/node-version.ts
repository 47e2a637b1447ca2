/** Oldest Node that runs everything; the same as "engines" in package.json. */
export const OLDEST_NODE = '20.19.0';

/** Why this Node is refused, or `undefined` if it is new enough. */
export function refusal(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `desk needs Node ${OLDEST_NODE} or newer; this is ${version}. Install a newer one from https://nodejs.org or with your version manager.`;
}
