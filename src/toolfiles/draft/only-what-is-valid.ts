import { ToolFile } from '../../model/tools/tool-file.ts';
import { toolFileIssues } from '../../model/tools/tool-file-rules.ts';
import { DeskterityError } from '../../model/effects/errors.ts';

/** A draft with more problems was not understood. */
const MOST_REMOVALS = 500;

/**
 * The file without options, arguments and subcommands that break a rule, such as duplicate names.
 * @throws DeskterityError TOOL_INVALID if the rest is not a valid tool
 */
export function withoutInvalidParts(tool: ToolFile): {
  readonly tool: ToolFile;
  readonly removed: readonly string[];
} {
  const removed: string[] = [];
  let current: unknown = tool;
  for (let count = 0; count < MOST_REMOVALS; count++) {
    const parsed = ToolFile.safeParse(current);
    const [issue] = parsed.success ? toolFileIssues(parsed.data) : parsed.error.issues;
    if (issue === undefined && parsed.success) return { tool: parsed.data, removed };
    const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? key : String(key)));
    // The innermost list item that contains the problem.
    const at = path.findLastIndex((key) => typeof key === 'number');
    if (at === -1) break;
    removed.push(`${path.slice(0, at + 1).join('/')}: ${issue?.message ?? 'not valid'}`);
    current = without(current, path.slice(0, at + 1));
  }
  throw new DeskterityError(
    'TOOL_INVALID',
    `The help of ${tool.name} could not be turned into a tool file.`,
    {
      suggestion: 'Write the file by hand: docs/guides/tool-files.md.',
    },
  );
}

function without(value: unknown, [key, ...deeper]: readonly (string | number)[]): unknown {
  if (Array.isArray(value))
    return deeper.length === 0
      ? value.filter((_, index) => index !== key)
      : value.map((item, index) => (index === key ? without(item, deeper) : item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? without(inner, deeper) : inner,
  ]);
  // Drop lists that are now empty.
  return Object.fromEntries(entries.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)));
}
