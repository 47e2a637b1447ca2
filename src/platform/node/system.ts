/** What this program runs on, for `version` and `status`. */
export function systemFacts(): {
  readonly nodeVersion: string;
  readonly platform: string;
  readonly architecture: string;
} {
  return { nodeVersion: process.versions.node, platform: process.platform, architecture: process.arch };
}
