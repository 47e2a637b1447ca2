import type { Policy } from '../../src/model/policy/verdict.ts';
import type { RuledCommand } from '../../src/model/policy/ruled-command.ts';
import { readPolicy, type FoundPolicy, type ReadOptions } from '../../src/policy/reading/read-policy.ts';

/** Commands that rules may name. */
export const NAMES = [
  'snapshot',
  'click',
  'type',
  'close-app',
  'clipboard set',
  'clipboard get',
  'terminal execute',
  'run-tool',
];

/** Commands that any rule may be about. */
export function ruled(names: readonly string[]): readonly RuledCommand[] {
  return names.map((name) => ({
    name,
    isReadOnly: false,
    reach: 'other',
    reaches: new Set(['application', 'element', 'terminal', 'tool']),
  }));
}

export function ruleFile(table: Record<string, unknown>, { isOfProject = false } = {}): FoundPolicy {
  const path = isOfProject ? '/project/.deskterity/policy.toml' : '/config/policy.toml';
  return { path, file: { table }, isOfProject };
}

/** The policy of one file with these tables, or of several files. */
export function policy(
  given: Record<string, unknown> | readonly FoundPolicy[],
  environment: Record<string, string> = {},
  options: Partial<ReadOptions> = {},
): Policy {
  const files = isFiles(given) ? given : [ruleFile(given)];
  return readPolicy(files, environment, { commands: ruled(NAMES), ...options });
}

function isFiles(given: Record<string, unknown> | readonly FoundPolicy[]): given is readonly FoundPolicy[] {
  return Array.isArray(given);
}
